import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { PersonChange } from '@guildhall/contract/features/people'
import type * as z from 'zod'
import { useApi } from '../../../platform/api/api.tsx'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { FactEditor } from '../../../ui/form/fact-editor.tsx'
import type { FactEdit } from '../../../ui/form/fact-editor.tsx'
import { usePeopleChanged } from '../people-api.ts'
import type { PersonRow } from '../people-api.ts'
import { isSettable, lifecycleOptions } from '../people-words.tsx'

type Change = z.infer<typeof PersonChange>
export type RowField = 'lifecycle' | 'joinedOn' | 'memberNo' | 'employer' | 'jobTitle' | 'gradYear'

const asChange = (field: RowField, text: string): Change => {
  switch (field) {
    case 'lifecycle':
      return isSettable(text) ? { lifecycle: text } : {}
    case 'gradYear':
      return { gradYear: text ? Number(text) : null }
    case 'employer':
    case 'jobTitle':
      return { [field]: text }
    default:
      return { [field]: text || null }
  }
}

const kinds: Partial<Record<RowField, FactEdit['kind']>> = { lifecycle: 'select', joinedOn: 'date', gradYear: 'number' }

/** One fact of a row, changed in the list: pencil or double click. */
export function RowFact({ row, field, label, children }: { row: PersonRow; field: RowField; label: string; children: ReactNode }) {
  const { people } = useApi().data
  const changed = usePeopleChanged()
  const write = async (text: string, expected: string) => {
    const now = await people.get.call({ personId: row.id })
    // Whatever else changed meanwhile stays; this very fact is not overwritten unseen.
    if (String(now[field] ?? '') !== expected) throw new Error(t`${label} of ${row.displayName} was changed by someone else.`)
    await changed(await people.update.call({ personId: row.id, ...asChange(field, text) }, { context: { ifMatch: now.version } }))
  }
  const value = String(row[field] ?? '')
  const onSave = async (text: string) => {
    try {
      await write(text, value)
    } catch (problem) {
      const said = problem instanceof ApiProblem ? (problem.errors[0]?.message ?? problemText(problem)) : String(problem)
      toast.error(t`${label} of ${row.displayName} could not be changed.`, problem)
      await changed()
      throw new Error(said, { cause: problem })
    }
    toast.undo(t`${label} of ${row.displayName} changed`, () => write(value, text))
  }
  const options = field === 'lifecycle' ? { options: lifecycleOptions() } : {}
  return (
    <FactEditor label={t`${label} of ${row.displayName}`} edit={{ kind: kinds[field] ?? 'text', value, onSave, ...options }}>
      {children}
    </FactEditor>
  )
}
