import { Button, NativeSelect, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { useCan } from '../../../platform/session/session.ts'
import { named, useRecordSources } from '../../../platform/records/record-sources.ts'
import { ComboboxPicker } from '../../../ui/form/combobox-picker.tsx'
import type { FilterField, Option } from '../../../ui/filter/filter.ts'
import { useOptionNames } from '../../../ui/filter/use-option-names.ts'
import classes from '../account.module.css'
import type { AuditQuestion, useAuditSearch } from './audit-search.ts'
import { actionWords, actions, useAuditWords } from './audit-words.ts'

type Records = 'by' | 'person' | 'chapter' | 'group'

/** Who did it, to which record, what, and when; they narrow each other. */
export function AuditFilters({ question, narrowed, put, clear }: ReturnType<typeof useAuditSearch>) {
  const seesAccounts = useCan('account.manage')
  const pickers = useRecordPickers()
  const nameOf = useOptionNames(
    pickers,
    pickers.flatMap(({ id }) => {
      const chosen = question[id]
      return chosen ? [{ field: id, op: 'in' as const, value: [chosen] }] : []
    }),
  )
  const { kinds } = useAuditWords()
  const words = actionWords()
  return (
    <div className={classes['filters']} role="group" aria-label={t`Filters`}>
      {pickers
        .filter(({ id }) => id !== 'by' || seesAccounts)
        .map(({ id, label, search, chosen }) => {
          const value = question[id]
          // Until the name is there the id is given back, which says nothing to a reader.
          const name = value && nameOf(id, value)
          return (
            <ComboboxPicker
              key={id}
              label={label}
              placeholder={t`Any`}
              value={value ? { value, label: name === value ? '…' : (name ?? '') } : null}
              search={search}
              onChange={(option) => put(chosen(option?.value))}
            />
          )
        })}
      <NativeSelect
        label={t`Kind of record`}
        value={question.record ?? ''}
        data={[{ value: '', label: t`Any` }, ...kinds]}
        onChange={(event) => put({ record: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        label={t`Action`}
        value={question.action ?? ''}
        data={[{ value: '', label: t`Any` }, ...actions.map((value) => ({ value, label: words[value] }))]}
        onChange={(event) => put({ action: actions.find((known) => known === event.currentTarget.value) })}
      />
      <Day label={t`From`} value={question.from ?? ''} onChange={(from) => put({ from })} />
      <Day label={t`Until`} value={question.until ?? ''} onChange={(until) => put({ until })} />
      {narrowed && (
        <Button variant="subtle" color="gray" onClick={clear}>
          <Trans>Clear filters</Trans>
        </Button>
      )}
    </div>
  )
}

type RecordPicker = FilterField & {
  id: Records
  search: (query: string, signal: AbortSignal) => Promise<Option[]>
  chosen: (id: string | undefined) => AuditQuestion
}

function useRecordPickers(): readonly RecordPicker[] {
  const { data } = useApi()
  const { people, chapters, groups } = useRecordSources()
  return useMemo(() => {
    const nameOf = (account: { name: string; email: string | null }) => account.name || account.email || t`Without a name`
    return [
      {
        id: 'by',
        chosen: (by) => ({ by }),
        label: t`Done by`,
        kind: 'record',
        search: async (q, signal) =>
          (await data.account.accounts.list.call({ ...(q && { q }), limit: 20 }, { signal })).items.map((account) => ({
            value: account.id,
            label: nameOf(account),
            hint: account.email ?? undefined,
          })),
        names: named(async (accountId) => nameOf(await data.account.accounts.get.call({ accountId }))),
      },
      {
        id: 'person',
        chosen: (person) => ({ person }),
        label: t`Person`,
        kind: 'record',
        ...people,
      },
      {
        id: 'chapter',
        chosen: (chapter) => ({ chapter }),
        label: t`Chapter`,
        kind: 'record',
        ...chapters,
      },
      {
        id: 'group',
        chosen: (group) => ({ group }),
        label: t`Group`,
        kind: 'record',
        ...groups,
      },
    ]
  }, [data, people, chapters, groups])
}

/** A year is typed digit by digit, and each digit makes another date: only whole years are asked about. */
function Day({ label, value, onChange }: { label: string; value: string; onChange: (day: string | undefined) => void }) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  if (value !== known) {
    setKnown(value)
    setText(value)
  }
  return (
    <TextInput
      type="date"
      label={label}
      value={text}
      onChange={(event) => {
        const day = event.currentTarget.value
        setText(day)
        if (day === '' || day >= '1900') onChange(day || undefined)
      }}
    />
  )
}
