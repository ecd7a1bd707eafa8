import type { MemberCard } from '@guildhall/contract/features/people'
import type { ActorDb } from '@guildhall/db'
import type { Config } from '../../../platform/config.ts'
import { withinLimit } from '../../../platform/limits/patience.ts'
import { issueLink, openLink, revokeLinks, tokenFromId } from '../../../platform/links/signed-links.ts'
import type { MailAttachment } from '../../../platform/mail/mail-content.ts'
import type { Writing } from '../../../platform/mail/templates.ts'
import { renderPdf } from '../../../platform/pdf/render-pdf.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { letterheadOf } from '../../../platform/public-pages/brand.ts'
import { colorsOf } from '../../../platform/public-pages/colors.ts'
import { findCard, insertCard, ownPerson } from './people.cards.queries.ts'
import { cardDocument } from './people.cards.rules.ts'

/** Whose cards, and what their codes are made of. */
type Issuer = { orgId: string; config: Pick<Config, 'ACTOR_KEY' | 'ORG_ID' | 'PUBLIC_URL'> }
export const issuerOf = ({ actor, services }: CallerContext): Issuer => ({ orgId: actor.orgId, config: services.config })

const tokenOf = ({ orgId, config }: Issuer, cardId: string) => tokenFromId(config.ACTOR_KEY, 'member card', { orgId, id: cardId })

/** A card for those who may have it before them: its holder, and whoever keeps the record. */
export async function readCard(db: ActorDb, issuer: Issuer, personId: string): Promise<MemberCard> {
  const { card, isOwn, mayWrite, holder, membership } = mustFind(await findCard(db, personId))
  if (!isOwn && !mayWrite) throw problem('FORBIDDEN')
  const address = card && !card.isOver ? await addressOf(db, issuer, card.id) : null
  const revoked = card?.state === 'revoked'
  const { brand } = await letterheadOf(db, issuer.orgId)
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
async function addressOf(db: ActorDb, issuer: Issuer, cardId: string): Promise<string | null> {
  const { config } = issuer
  const token = tokenOf(issuer, cardId)
  const link = await openLink(db, { purpose: 'cards', token, idpOrg: config.ORG_ID })
  return link ? new URL(`/public/cards/${token}`, config.PUBLIC_URL).href : null
}

/** A new card in place of the one before. */
export async function issueCard(db: ActorDb, issuer: Issuer, personId: string, before: MemberCard): Promise<void> {
  if (!before.membership) throw problem('CONFLICT', { reason: 'card_not_eligible', detail: 'Only current members have a member card.' })
  const card = await insertCard(db, issuer.orgId, personId)
  if (before.card) await revokeLinks(db, 'cards', { type: 'member_card', id: before.card.id })
  await issueLink(db, {
    purpose: 'cards',
    subject: { type: 'member_card', id: card.id },
    // The card itself says on which day it ends, in the zone of the organisation.
    expiresAt: new Date(Date.parse(card.validUntil) + 2 * 86_400_000),
    uses: 'many',
    token: tokenOf(issuer, card.id),
  })
}

/** Well within the time that a worker has for a mail. */
const patienceMs = 45_000

/**
 * The reader's own card, made while their mail leaves, issued first where they have none. A mail without the card is better than none, and the
 * card is on their profile. A card that was revoked stays so.
 */
export async function attachedCard({
  i18n,
  organisation,
  recipient,
  database,
  config,
  log,
}: Pick<Writing<unknown>, 'i18n' | 'organisation' | 'recipient' | 'database' | 'config' | 'log'>): Promise<MailAttachment[]> {
  if (recipient === null) return []
  try {
    const issuer = { orgId: organisation.id, config }
    const card = await database.asActor(recipient, async (db) => {
      const personId = await ownPerson(db)
      if (personId === null) return null
      const before = await readCard(db, issuer, personId)
      if (before.card?.address || !before.may.issue) return before
      await issueCard(db, issuer, personId, before)
      return readCard(db, issuer, personId)
    })
    const document = card && cardDocument(i18n, card)
    if (!document) return []
    return [{ name: 'member-card.pdf', contentType: 'application/pdf', content: await withinLimit(renderPdf(document), patienceMs) }]
  } catch (error) {
    log.warn({ err: error }, 'a member card could not be attached to its mail')
    return []
  }
}
