import type { MergeField, MergeFinding, MergePlace } from '@guildhall/contract/merge-fields'
import type { MessageBlock } from '@guildhall/contract/message-blocks'
import { t } from '@lingui/core/macro'
import type { BlockFault } from './message-faults.ts'

export const fieldWords = (): Record<MergeField, string> => ({
  first_name: t`First name`,
  last_name: t`Last name`,
  full_name: t`Full name`,
  salutation: t`Salutation, such as “Dear Ada”`,
  chapter: t`Chapter`,
  member_no: t`Member number`,
  membership_type: t`Membership type`,
  member_since: t`Member since`,
  term_ends: t`End of the term`,
  organisation: t`Organisation`,
})

export const blockWords = (): Record<MessageBlock['type'], string> => ({
  text: t`Text`,
  button: t`Button`,
  picture: t`Picture`,
  event: t`Event`,
  columns: t`Two columns`,
  divider: t`Divider`,
})

export const faultWords = (): Record<BlockFault, string> => ({
  label: t`Enter what the button says.`,
  link: t`Enter an address that starts with https://, http:// or mailto:, or a page of this site such as /events.`,
  picture: t`Choose a picture.`,
  alt: t`Describe the picture, or mark it as decorative.`,
  event: t`Choose an event.`,
  long: t`This text is too long. Split it into two blocks.`,
})

/** Where something stands, counted from 1 as readers do. */
export function placeWords(place: MergePlace): string {
  if (place.part === 'subject') return t`Subject`
  if (place.part === 'preheader') return t`Preview text`
  const block = place.block + 1
  if (place.column === undefined) return t`Block ${block}`
  const inner = (place.inner ?? 0) + 1
  return place.column === 'left' ? t`Block ${block}, left column, ${inner}` : t`Block ${block}, right column, ${inner}`
}

export function findingWords({ name, start, problem, ...place }: MergeFinding): string {
  const where = placeWords(place)
  const character = start + 1
  switch (problem) {
    case 'unknown':
      return t`${where}, character ${character}: there is no merge field “${name}”.`
    case 'broken':
      return t`${where}, character ${character}: a merge field does not end. Write it in one piece, without other formatting within it.`
    case 'no_fallback':
      return t`${where}, character ${character}: some people have no “${name}”. Add what stands there instead.`
  }
}
