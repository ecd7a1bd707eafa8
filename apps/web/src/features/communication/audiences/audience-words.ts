import { plural, t } from '@lingui/core/macro'
import type { AudiencePart, AudienceRefusal } from '@guildhall/contract/features/communication.audiences'

export const partKindWords = (): Record<AudiencePart['kind'], string> => ({
  people: t`People by filter`,
  persons: t`Named people`,
  chapter: t`Chapter`,
  group: t`Group`,
  event: t`Event attendees`,
  audience: t`Saved audience`,
})

/** Why a person gets no mail. */
export const refusalWords = (): Record<AudienceRefusal, string> => ({
  no_address: t`No e-mail address`,
  do_not_contact: t`Do not contact`,
  suspended: t`Account suspended`,
  deceased: t`Deceased`,
  erased: t`Erased`,
  archived: t`Archived`,
  merged: t`Merged`,
  unsubscribed: t`Unsubscribed`,
  not_subscribed: t`Not subscribed`,
  pending: t`Subscription not confirmed`,
  opted_out: t`Wants essential mail only`,
  paused: t`Mail paused`,
  hard_bounce: t`Address bounces`,
  complaint: t`Reported as spam`,
  manual: t`Suppressed by hand`,
})

/** The same of so many people: "30 unsubscribed". */
export const refusedPeople = (reason: AudienceRefusal, people: number): string => {
  const words: Record<AudienceRefusal, string> = {
    no_address: plural(people, { one: '# without an e-mail address', other: '# without an e-mail address' }),
    do_not_contact: plural(people, { one: '# marked “do not contact”', other: '# marked “do not contact”' }),
    suspended: plural(people, { one: '# with a suspended account', other: '# with a suspended account' }),
    deceased: plural(people, { one: '# deceased', other: '# deceased' }),
    erased: plural(people, { one: '# erased', other: '# erased' }),
    archived: plural(people, { one: '# archived', other: '# archived' }),
    merged: plural(people, { one: '# merged', other: '# merged' }),
    unsubscribed: plural(people, { one: '# unsubscribed', other: '# unsubscribed' }),
    not_subscribed: plural(people, { one: '# not subscribed', other: '# not subscribed' }),
    pending: plural(people, { one: '# with an unconfirmed subscription', other: '# with unconfirmed subscriptions' }),
    opted_out: plural(people, { one: '# wants essential mail only', other: '# want essential mail only' }),
    paused: plural(people, { one: '# has paused mail', other: '# have paused mail' }),
    hard_bounce: plural(people, { one: '# with an address that bounces', other: '# with addresses that bounce' }),
    complaint: plural(people, { one: '# reported mail as spam', other: '# reported mail as spam' }),
    manual: plural(people, { one: '# suppressed by hand', other: '# suppressed by hand' }),
  }
  return words[reason]
}
