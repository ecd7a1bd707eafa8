import type { DeliveryState, MessageStatus, PreflightFinding } from '@guildhall/contract/features/communication.messages'
import { plural, t } from '@lingui/core/macro'
import type { Tone } from '../../../ui/display/status-badge.tsx'

export const statusWords = (): Record<MessageStatus, { label: string; tone: Tone }> => ({
  draft: { label: t`Draft`, tone: 'neutral' },
  in_review: { label: t`Awaiting approval`, tone: 'warning' },
  scheduled: { label: t`Scheduled`, tone: 'info' },
  sending: { label: t`Being sent`, tone: 'info' },
  paused: { label: t`Paused`, tone: 'warning' },
  sent: { label: t`Sent`, tone: 'good' },
  cancelled: { label: t`Cancelled`, tone: 'neutral' },
  failed: { label: t`Failed`, tone: 'bad' },
})

export const statusOptions = () => Object.entries(statusWords()).map(([value, { label }]) => ({ value, label }))

export const deliveryWords = (): Record<DeliveryState, { label: string; tone: Tone }> => ({
  queued: { label: t`Waiting`, tone: 'neutral' },
  sent: { label: t`Sent`, tone: 'good' },
  delivered: { label: t`Delivered`, tone: 'good' },
  soft_bounce: { label: t`Bounced for now`, tone: 'warning' },
  hard_bounce: { label: t`Bounced`, tone: 'bad' },
  complaint: { label: t`Marked as spam`, tone: 'bad' },
  failed: { label: t`Failed`, tone: 'bad' },
  unknown: { label: t`Unknown`, tone: 'warning' },
  skipped: { label: t`Left out`, tone: 'neutral' },
  cancelled: { label: t`Cancelled`, tone: 'neutral' },
})

/** Why somebody was left out; a reason of a later version is shown as it is called. */
export function skipText(reason: string): string {
  const texts: Record<string, string> = {
    no_address: t`No e-mail address`,
    do_not_contact: t`Asked not to be contacted`,
    suspended: t`Account suspended`,
    deceased: t`Deceased`,
    erased: t`Erased`,
    archived: t`Archived`,
    merged: t`Merged into another record`,
    unsubscribed: t`Unsubscribed from this topic`,
    not_subscribed: t`Not subscribed to this topic`,
    pending: t`Has not confirmed the subscription`,
    opted_out: t`Gets essential mail only`,
    paused: t`Paused their mail`,
    hard_bounce: t`Address does not exist`,
    complaint: t`Marked our mail as spam`,
    manual: t`Address blocked by hand`,
    duplicate: t`Same address as another recipient`,
    out_of_scope: t`Outside the chapter or group`,
    too_many: t`Had enough messages this week`,
    address_changed: t`Address changed since sending started`,
    nothing_to_tell: t`Nothing to send`,
  }
  return texts[reason] ?? reason
}

const figure = (value: string | number | undefined) => Number(value ?? 0)

/** Where a merge field stands: in the subject, in the preview text, or in a block, counted from one. */
const placeText = (part: unknown, block: number) =>
  part === 'subject' ? t`in the subject` : part === 'preheader' ? t`in the preview text` : t`in block ${block}`

/** What a check before sending found, as a sentence. */
export function findingText({ code, params }: PreflightFinding): string {
  const people = figure(params['people'])
  const field = String(params['field'] ?? '')
  const name = String(params['name'] ?? '')
  switch (code) {
    case 'no_topic':
      return t`Choose a topic, so that people can unsubscribe from what they do not want.`
    case 'no_subject':
      return t`Enter a subject.`
    case 'no_text':
      return t`Write something: the message is empty.`
    case 'image_only':
      return t`The message has pictures and no text. Many mail programs hide pictures at first, and spam filters distrust such mails.`
    case 'unknown_field':
      return t`There is no merge field “${field}”: ${placeText(params['part'], figure(params['block']))}.`
    case 'broken_field':
      return t`A merge field is not complete: “${field}” ${placeText(params['part'], figure(params['block']))}.`
    case 'missing_values':
      return t`Some recipients may have no value for “${field}”. Add a fallback, such as {{${field} | friend}}.`
    case 'nobody':
      return t`Nobody would get this message.`
    case 'broad_audience':
      return t`This goes to nearly everybody. Check that it is meant for all of them.`
    case 'needs_review': {
      const limit = figure(params['limit'])
      return t`A second person has to approve messages to more than ${limit} people.`
    }
    case 'skipped': {
      const reason = skipText(String(params['reason'] ?? ''))
      return plural(people, { one: `# person is left out: ${reason}`, other: `# people are left out: ${reason}` })
    }
    case 'overlap':
      return plural(people, {
        one: `“${name}” reaches # of the same people within 48 hours.`,
        other: `“${name}” reaches # of the same people within 48 hours.`,
      })
    case 'broken_link': {
      const url = String(params['url'] ?? '')
      return t`This link does not work: ${url}`
    }
    case 'links_unchecked':
      return plural(figure(params['links']), { one: '# more link was not checked.', other: '# more links were not checked.' })
    case 'not_essential_alone':
      return t`Essential messages also reach people who unsubscribed. Use them only for what members have to know.`
    case 'audience_gone':
      return t`A part of the audience is no longer there. Choose the audience again.`
  }
}

export const outcomeText = (people: number) => plural(people, { one: '# person', other: '# people' })
