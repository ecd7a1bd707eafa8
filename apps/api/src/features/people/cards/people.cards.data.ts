import type { MemberCard } from '@guildhall/contract/features/people'
import type { ActorDb } from '@guildhall/db'
import { issueLink, openLink, revokeLinks } from '../../../platform/links/signed-links.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { letterheadOf } from '../../../platform/public-pages/brand.ts'
import { colorsOf } from '../../../platform/public-pages/colors.ts'
import { refuseClosed } from '../people.faults.rules.ts'
import { findPerson } from '../people.queries.ts'
import { endCard, findCard, insertCard } from './people.cards.queries.ts'
import { cardToken } from './people.cards.rules.ts'

const { people } = data

export const cards = {
  card: people.card.handler(({ input: { personId }, context }) => context.inTx((db) => readCard(db, context, personId))),

  issueCard: people.issueCard.handler(({ input: { personId }, context }) =>
    context.inTx(async (db) => {
      const { orgId } = context.actor
      const before = await readCard(db, context, personId)
      refuseClosed(mustFind(await findPerson(db, personId)))
      if (!before.membership) throw problem('CONFLICT', { reason: 'card_not_eligible', detail: 'Only current members have a member card.' })
      const card = await insertCard(db, orgId, personId)
      if (before.card) await revokeLinks(db, 'cards', { type: 'member_card', id: before.card.id })
      await issueLink(db, {
        purpose: 'cards',
        subject: { type: 'member_card', id: card.id },
        // The card itself says on which day it ends, in the zone of the organisation.
        expiresAt: new Date(Date.parse(card.validUntil) + 2 * 86_400_000),
        uses: 'many',
        token: tokenOf(context, card.id),
      })
      return readCard(db, context, personId)
    }),
  ),

  revokeCard: people.revokeCard.handler(({ input: { personId, reason }, context }) =>
    context.inTx(async (db) => {
      const { card, may } = await readCard(db, context, personId)
      if (!may.revoke) {
        if (!mustFind(await findCard(db, personId)).mayWrite) throw problem('FORBIDDEN')
        throw problem('CONFLICT', { reason: 'card_none', detail: 'There is no valid member card.' })
      }
      if (card) {
        await endCard(db, card.id, reason)
        await revokeLinks(db, 'cards', { type: 'member_card', id: card.id })
      }
      return readCard(db, context, personId)
    }),
  ),
}

const tokenOf = ({ actor, services }: CallerContext, cardId: string) => cardToken(services.config.ACTOR_KEY, { orgId: actor.orgId, cardId })

/** A card for those who may have it before them: its holder, and whoever keeps the record. */
export async function readCard(db: ActorDb, context: CallerContext, personId: string): Promise<MemberCard> {
  const { card, isOwn, mayWrite, holder, membership } = mustFind(await findCard(db, personId))
  if (!isOwn && !mayWrite) throw problem('FORBIDDEN')
  const address = card && !card.isOver ? await addressOf(db, context, card.id) : null
  const revoked = card?.state === 'revoked'
  const { brand } = await letterheadOf(db, context.actor.orgId)
  return {
    organisation: { name: brand.name, ...colorsOf(brand.brandColor) },
    holder,
    membership,
    card: card && {
      id: card.id,
      state: revoked || address ? card.state : 'ended',
      address,
      validUntil: card.validUntil,
      issuedAt: card.issuedAt,
      reason: card.reason,
    },
    may: { issue: membership !== null && !(isOwn && revoked), revoke: mayWrite && card?.state === 'eligible' },
  }
}

/** Null where the token opens nothing: the key of the server was changed since. A new card has a new one. */
async function addressOf(db: ActorDb, context: CallerContext, cardId: string): Promise<string | null> {
  const { config } = context.services
  const token = tokenOf(context, cardId)
  const link = await openLink(db, { purpose: 'cards', token, idpOrg: config.ORG_ID })
  return link ? new URL(`/public/cards/${token}`, config.PUBLIC_URL).href : null
}
