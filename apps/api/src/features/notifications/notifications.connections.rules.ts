import { metricKinds } from '@guildhall/contract/features/integrations.metrics'
import type { MetricType } from '@guildhall/contract/features/integrations.metrics'
import type { Notification } from '@guildhall/contract/features/notifications'
import type { Texts } from '../../platform/texts/texts.ts'

type Notice = { text: string; path: string }
const pageOf = (recordId: string | null) => (recordId === null ? '/integrations' : `/integrations/${recordId}`)

/** Why a connection needs its owner. */
export function troubleNotice(i18n: Texts, { recordId, params: { title = '', trouble } }: Notification): Notice {
  const values = { title }
  const path = pageOf(recordId)
  if (trouble === 'fresh') return { text: i18n._('The data of “{title}” is older than promised. Check the connection.', values), path }
  if (trouble === 'error') return { text: i18n._('“{title}” has stopped. Check the connection.', values), path }
  return { text: i18n._('Three runs of “{title}” failed in a row. Check the connection.', values), path }
}

/** That a metric went over a limit of the reader's own. */
export function metricNotice(i18n: Texts, { recordId, params }: Notification): Notice {
  const { title = '', metric = 'errors', above, below, value = 0, currency } = params
  const values = {
    title,
    metric: metricName(i18n, metric),
    value: figure(i18n, metric, value, currency),
    limit: figure(i18n, metric, above ?? below ?? 0, currency),
  }
  return {
    text:
      above === undefined
        ? i18n._('“{title}”: {metric} {value}, below your limit of {limit}', values)
        : i18n._('“{title}”: {metric} {value}, above your limit of {limit}', values),
    path: recordId === null ? '/integrations' : `/integrations/${recordId}/metrics/${metric}`,
  }
}

function figure(i18n: Texts, metric: MetricType, value: number, currency = 'EUR'): string {
  switch (metricKinds[metric].unit) {
    case 'hours':
      return i18n._('{hours, plural, one {# hour} other {# hours}}', { hours: Math.round(value) })
    case 'milliseconds':
      return i18n._('{milliseconds, number} ms', { milliseconds: Math.round(value) })
    case 'percent':
      return i18n._('{percent, number} %', { percent: Math.round(value) })
    case 'money':
      return i18n.money(Math.round(value), currency)
    case 'count':
      return new Intl.NumberFormat(i18n.locale).format(value)
  }
}

function metricName(i18n: Texts, metric: MetricType): string {
  const names: Record<MetricType, string> = {
    'sync-runs': i18n._('Sync runs'),
    records: i18n._('Records written'),
    errors: i18n._('Errors'),
    latency: i18n._('Latency'),
    freshness: i18n._('Freshness'),
    quota: i18n._('Quota left'),
    sent: i18n._('Mails sent'),
    delivered: i18n._('Mails delivered'),
    opens: i18n._('Opens'),
    clicks: i18n._('Clicks'),
    bounces: i18n._('Bounces'),
    complaints: i18n._('Spam complaints'),
    unsubscribes: i18n._('Unsubscribes'),
    volume: i18n._('Payment volume'),
    'success-rate': i18n._('Success rate'),
    refunds: i18n._('Refunds'),
    disputes: i18n._('Disputes'),
    fees: i18n._('Fees'),
    payouts: i18n._('Payouts'),
    synced: i18n._('Events synced'),
    conflicts: i18n._('Conflicts'),
    deliveries: i18n._('Deliveries'),
    failures: i18n._('Failed deliveries'),
  }
  return names[metric]
}
