import { t } from '@lingui/core/macro'
import type { PlainReason } from '@guildhall/contract/errors'

/** A text for every reason the contract lists: the compiler misses one that is not here. */
const texts: Record<PlainReason, () => string> = {
  already_requested: () => t`You have already asked to join. The leaders will answer.`,
  busy: () => t`The server is busy. Try again in a moment.`,
  chapter_open: () => t`This chapter is already open.`,
  duplicate_term: () => t`This person already has a term that begins on this day.`,
  ended: () => t`This role has already ended.`,
  expired: () => t`This file is no longer available. Export the list again.`,
  has_account: () => t`You already have an account. Reload the page.`,
  in_flight: () => t`The same request is still in progress.`,
  invitation_expired: () => t`This invitation has expired. Ask for a new one.`,
  invite_only: () => t`You can join this group by invitation only.`,
  link_invalid: () => t`This link is not valid any more. Ask for a new one.`,
  no_errors: () => t`No rows were rejected, or the import has not been checked yet.`,
  no_person: () => t`Your account is not linked to a person yet. Ask the organisation’s office to link it.`,
  not_invited: () => t`This invitation has already been answered or withdrawn.`,
  not_invited_account: () => t`Someone has already signed in with this account. Suspend it instead.`,
  not_linked: () => t`This account is not linked to a person.`,
  not_ready: () => t`The file is not ready yet.`,
  not_requested: () => t`This request has already been answered or withdrawn.`,
  person_erased: () => t`This person’s data was erased.`,
  position_held: () => t`This office has or had holders, so it cannot be deleted: their history would be lost.`,
}

const isPlain = (reason: unknown): reason is PlainReason => typeof reason === 'string' && Object.hasOwn(texts, reason)

/** What a reason means, in the reader's language; nothing for one that the contract does not list. */
export const reasonText = (reason: unknown): string | undefined => (isPlain(reason) ? texts[reason]() : undefined)
