import { t } from '@lingui/core/macro'
import type { Tone } from '../../../ui/display/status-badge.tsx'
import type { WebhookDelivery, WebhookEndpoint, WebhookEventType, WebhookFailure } from './webhooks-api.ts'

/** What each event is about, in the words of those who choose it. */
export const eventWords = (): Record<WebhookEventType, string> => ({
  'person.created': t`Somebody was added`,
  'person.updated': t`Details, addresses, numbers or custom fields changed`,
  'person.archived': t`Somebody was archived, or merged into another record`,
  'person.erased': t`Personal data was erased`,
  'affiliation.started': t`Somebody came to a chapter`,
  'affiliation.ended': t`A last day in a chapter was set`,
  'membership.applied': t`Somebody applied`,
  'membership.activated': t`A membership became active`,
  'membership.renewed': t`A membership was renewed`,
  'membership.lapsed': t`A membership lapsed`,
  'membership.cancelled': t`A membership was cancelled`,
  'event.published': t`An event was published`,
  'event.updated': t`A published event changed`,
  'event.cancelled': t`An event was cancelled`,
  'registration.created': t`Somebody registered`,
  'registration.cancelled': t`A registration was cancelled or declined`,
  'registration.checked_in': t`Somebody was checked in`,
  'gift.settled': t`A gift was received`,
  'gift.refunded': t`A gift was refunded or reversed`,
  'message.sent': t`A message was sent to its last recipient`,
  'chapter.created': t`A chapter was added`,
  'chapter.updated': t`A chapter changed`,
  'chapter.closed': t`A chapter was closed`,
  'group.created': t`A group was added`,
  'group.updated': t`A group changed`,
  'group.archived': t`A group was archived`,
  ping: t`Test event`,
})

type EventGroup = { key: string; label: string; types: Exclude<WebhookEventType, 'ping'>[] }

/** Events by what they are about. */
export const eventGroups = (): EventGroup[] => [
  { key: 'person', label: t`People`, types: ['person.created', 'person.updated', 'person.archived', 'person.erased'] },
  { key: 'affiliation', label: t`Affiliations`, types: ['affiliation.started', 'affiliation.ended'] },
  {
    key: 'membership',
    label: t`Memberships`,
    types: ['membership.applied', 'membership.activated', 'membership.renewed', 'membership.lapsed', 'membership.cancelled'],
  },
  { key: 'event', label: t`Events`, types: ['event.published', 'event.updated', 'event.cancelled'] },
  {
    key: 'registration',
    label: t`Registrations`,
    types: ['registration.created', 'registration.cancelled', 'registration.checked_in'],
  },
  { key: 'gift', label: t`Gifts`, types: ['gift.settled', 'gift.refunded'] },
  { key: 'message', label: t`Messages`, types: ['message.sent'] },
  { key: 'chapter', label: t`Chapters`, types: ['chapter.created', 'chapter.updated', 'chapter.closed'] },
  { key: 'group', label: t`Groups`, types: ['group.created', 'group.updated', 'group.archived'] },
]

type Word = { label: string; tone: Tone }

const endpointWords = (): Record<WebhookEndpoint['state'], Word> => ({
  active: { label: t`Active`, tone: 'good' },
  paused: { label: t`Paused`, tone: 'neutral' },
  failing: { label: t`Paused after failures`, tone: 'bad' },
})

/** An active endpoint that has failed since its last success says so. */
export const endpointWord = ({ state, failingSince }: Pick<WebhookEndpoint, 'state' | 'failingSince'>): Word =>
  state === 'active' && failingSince !== null ? { label: t`Failing`, tone: 'warning' } : endpointWords()[state]

export const deliveryWords = (): Record<WebhookDelivery['state'], Word> => ({
  waiting: { label: t`Waiting`, tone: 'info' },
  delivered: { label: t`Delivered`, tone: 'good' },
  dead: { label: t`Given up`, tone: 'bad' },
})

/** Why a try failed. */
export function failureText(failure: WebhookFailure, status: number | null): string {
  const said: Record<WebhookFailure, string> = {
    status: t`It answered ${status ?? 0} instead of a number from 200 to 299.`,
    unreachable: t`It could not be reached, or broke off.`,
    too_slow: t`It did not answer within ten seconds.`,
    too_large: t`Its answer was larger than a megabyte.`,
    redirected: t`It redirected to another address. Enter the address it ends at.`,
    unknown_encoding: t`Its answer was compressed in a way that is not supported.`,
    not_an_address: t`The address is not complete.`,
    not_https: t`The address does not begin with https.`,
    credentials_in_address: t`The address contains a user name or password.`,
    port_refused: t`The port of the address is not allowed.`,
    address_refused: t`The address is not on the public internet.`,
    no_secret: t`The signing secret could not be read. Rotate it.`,
    interrupted: t`The last try was interrupted.`,
    paused: t`It waited three days for the webhook to be resumed.`,
    restored: t`It is from before a backup was restored.`,
  }
  return said[failure]
}
