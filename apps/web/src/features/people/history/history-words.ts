import { t } from '@lingui/core/macro'
import { camel } from '../../../platform/activity/history-words.ts'
import type { HistoryEntry } from '../people-api.ts'

/** "Chapter membership added: Bern" */
export function entryTitle({ entity, action, subject, changes }: HistoryEntry, words: ReadonlyMap<string, string>): string {
  const what = words.get(entity) ?? entity
  const name = subject ?? ''
  if (entity === 'people' && action === 'create') return t`Person entered`
  if (action === 'create') return name ? t`${what} added: ${name}` : t`${what} added`
  if (action === 'delete') return name ? t`${what} removed: ${name}` : t`${what} removed`
  if (entity === 'people') {
    const archived = changes.find(({ field }) => camel(field) === 'archivedAt')
    if (archived) return archived.after === null ? t`Person restored` : t`Person archived`
    return t`Facts changed`
  }
  return name ? t`${what} changed: ${name}` : t`${what} changed`
}

/** What work the change came through, when it was not a person at a form. */
export function viaText(via: string | null): string | undefined {
  if (!via) return undefined
  if (via.startsWith('import')) return t`by an import`
  if (via.startsWith('bulk')) return t`together with others`
  if (via.startsWith('undo')) return t`by an undo`
  return via
}
