import { t } from '@lingui/core/macro'
import type { Connection } from '../integrations-api.ts'
import type { IntegrationsSearch } from '../integrations-search.ts'
import { isByItself } from '../words/connector-words.ts'

/** The one thing to do about a connection that is not well, and where it is done. */
export type Repair = { label: string; search: IntegrationsSearch }

const secret = ['sync_unauthorized']
const settings = ['sync_not_found', 'sync_not_set_up', 'sync_refused']
const other = ['sync_unreachable', 'sync_rate_limited', 'sync_bad_answer', 'sync_too_large']

export function repairOf({ connector, failure, secrets, syncs }: Pick<Connection, 'connector' | 'failure' | 'secrets' | 'syncs'>): Repair {
  if (isByItself(connector)) return { label: t`View metrics`, search: { tab: 'metrics' } }
  const is = (reasons: readonly string[]) => failure?.reason !== undefined && reasons.includes(failure.reason)
  if (is(secret) && secrets.length > 0) return { label: t`Replace secret`, search: { tab: 'settings', open: 'secret' } }
  if (is(secret) || is(settings)) return { label: t`Check settings`, search: { tab: 'settings' } }
  if (is(['sync_owner'])) return { label: t`Take over`, search: { tab: 'settings' } }
  if (is(other) || !syncs) return { label: t`Test connection`, search: { open: 'test' } }
  return { label: t`View runs`, search: { tab: 'runs' } }
}
