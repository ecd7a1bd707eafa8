import { plural, t } from '@lingui/core/macro'
import { metricKinds } from '@guildhall/contract/features/integrations.metrics'
import type { MetricEvent, MetricType } from '@guildhall/contract/features/integrations.metrics'
import type { Notification } from '@guildhall/contract/features/notifications'
import { plainAmount } from '@guildhall/contract/money'
import type { useFormats } from '../../../ui/display/dates.tsx'

type MetricWords = {
  label: string
  /** The same within a sentence. */
  phrase: string
  about: string
}

/** What each metric is called, and what it counts. */
export const metricWords = (): Record<MetricType, MetricWords> => ({
  'sync-runs': { label: t`Sync runs`, phrase: t`sync runs`, about: t`Runs that have ended, failed ones included.` },
  records: {
    label: t`Records written`,
    phrase: t`records written`,
    about: t`Records that runs created, changed or removed, here and there.`,
  },
  errors: { label: t`Errors`, phrase: t`errors`, about: t`Rows or requests that failed.` },
  latency: { label: t`Latency`, phrase: t`latency`, about: t`How long the other side takes to answer, on average.` },
  freshness: { label: t`Freshness`, phrase: t`freshness`, about: t`Time since the last successful run. Lower is better.` },
  quota: { label: t`Quota left`, phrase: t`quota left`, about: t`Requests that the other side still allows.` },
  sent: { label: t`Mails sent`, phrase: t`mails sent`, about: t`Mails that were handed to the mail server.` },
  delivered: { label: t`Mails delivered`, phrase: t`mails delivered`, about: t`Mails that the receiving server accepted.` },
  opens: { label: t`Opens`, phrase: t`opens`, about: t`Mails that were opened. Some mail programs hide this.` },
  clicks: { label: t`Clicks`, phrase: t`clicks`, about: t`Links that were opened from a mail.` },
  bounces: { label: t`Bounces`, phrase: t`bounces`, about: t`Mails that came back.` },
  complaints: { label: t`Spam complaints`, phrase: t`spam complaints`, about: t`Mails that were reported as spam.` },
  unsubscribes: { label: t`Unsubscribes`, phrase: t`unsubscribes`, about: t`People who unsubscribed.` },
  volume: { label: t`Payment volume`, phrase: t`payment volume`, about: t`Payments that succeeded.` },
  'success-rate': { label: t`Success rate`, phrase: t`success rate`, about: t`Share of payments that succeeded.` },
  refunds: { label: t`Refunds`, phrase: t`refunds`, about: t`Money that was refunded.` },
  disputes: { label: t`Disputes`, phrase: t`disputes`, about: t`Payments that the payer’s bank disputed.` },
  fees: { label: t`Fees`, phrase: t`fees`, about: t`Fees of the payment provider.` },
  payouts: { label: t`Payouts`, phrase: t`payouts`, about: t`Money that was paid out to the bank account.` },
  synced: { label: t`Events synced`, phrase: t`events synced`, about: t`Events that runs created or changed.` },
  conflicts: { label: t`Conflicts`, phrase: t`conflicts`, about: t`Changes on both sides that need a decision.` },
  deliveries: { label: t`Deliveries`, phrase: t`deliveries`, about: t`Notices that were delivered.` },
  failures: { label: t`Failed deliveries`, phrase: t`failed deliveries`, about: t`Notices that could not be delivered.` },
})

/** What happened to a connection, as its metrics note it. */
export const metricEventWords = (): Record<MetricEvent, string> => ({
  connected: t`Connected`,
  degraded: t`Needs attention`,
  error: t`Stopped`,
  paused: t`Paused`,
  disconnected: t`Disconnected`,
  mapping: t`Mapping or settings changed`,
})

type Formats = Pick<ReturnType<typeof useFormats>, 'number'>
const tenth = (value: number) => Math.round(value * 10) / 10

/** A value with its unit: "55 hours", "3.5 days", "850 ms", "€1,250.00". */
export function metricFigure(type: MetricType, value: number, { number }: Formats, money?: (amount: number) => string): string {
  switch (metricKinds[type].unit) {
    case 'hours':
      if (value >= 72) return t`${number(tenth(value / 24))} days`
      return value < 10 ? t`${number(tenth(value))} h` : plural(Math.round(value), { one: '# hour', other: '# hours' })
    case 'milliseconds':
      return value >= 1000 ? t`${number(tenth(value / 1000))} s` : t`${number(Math.round(value))} ms`
    case 'percent':
      return t`${number(tenth(value))} %`
    case 'money':
      return money ? money(Math.round(value)) : number(value)
    case 'count':
      return number(tenth(value))
  }
}

/** What an inbox says of a connection. */
export function connectionNotice({ kind, recordId, params }: Pick<Notification, 'kind' | 'recordId' | 'params'>, formats: Formats) {
  const { title = '', trouble, metric = 'errors', above, below, value = 0, currency = 'EUR' } = params
  const href = recordId === null ? '/integrations' : `/integrations/${recordId}`
  if (kind === 'connection-trouble') {
    if (trouble === 'fresh') return { text: t`The data of “${title}” is older than promised`, href }
    return { text: trouble === 'error' ? t`“${title}” has stopped` : t`Three runs of “${title}” failed in a row`, href }
  }
  const money = (amount: number) => `${formats.number(Number(plainAmount(amount, currency)))} ${currency}`
  const { label } = metricWords()[metric]
  const [now, limit] = [metricFigure(metric, value, formats, money), metricFigure(metric, above ?? below ?? 0, formats, money)]
  return {
    text:
      above === undefined
        ? t`“${title}”: ${label} ${now}, below your limit of ${limit}`
        : t`“${title}”: ${label} ${now}, above your limit of ${limit}`,
    href: recordId === null ? href : `${href}/metrics/${metric}`,
  }
}
