import { revokeLinks } from '../../../platform/links/signed-links.ts'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { refuseClosed } from '../people.faults.rules.ts'
import { findPerson } from '../people.queries.ts'
import { issueCard, issuerOf, readCard } from './people.cards.public.ts'
import { endCard, findCard } from './people.cards.queries.ts'

const { people } = data

export const cards = {
  card: people.card.handler(({ input: { personId }, context }) => context.inTx((db) => readCard(db, issuerOf(context), personId))),

  issueCard: people.issueCard.handler(({ input: { personId }, context }) =>
    context.inTx(async (db) => {
      const issuer = issuerOf(context)
      const before = await readCard(db, issuer, personId)
      refuseClosed(mustFind(await findPerson(db, personId)))
      await issueCard(db, issuer, personId, before)
      return readCard(db, issuer, personId)
    }),
  ),

  revokeCard: people.revokeCard.handler(({ input: { personId, reason }, context }) =>
    context.inTx(async (db) => {
      const { card, may } = await readCard(db, issuerOf(context), personId)
      if (!may.revoke) {
        if (!mustFind(await findCard(db, personId)).mayWrite) throw problem('FORBIDDEN')
        throw problem('CONFLICT', { reason: 'card_none', detail: 'There is no valid member card.' })
      }
      if (card) {
        await endCard(db, card.id, reason)
        await revokeLinks(db, 'cards', { type: 'member_card', id: card.id })
      }
      return readCard(db, issuerOf(context), personId)
    }),
  ),
}
