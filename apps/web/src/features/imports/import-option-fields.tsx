import { NativeSelect, TextInput } from '@mantine/core'
import { matchKeys } from '@guildhall/contract/features/imports'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { useCan } from '../../platform/session/session.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { ComboboxPicker } from '../../ui/form/combobox-picker.tsx'
import type { Option } from '../../ui/filter/filter.ts'
import { Section } from '../../ui/page/page.tsx'
import { useImportActs } from './imports-api.ts'
import type { Import, ImportOptions } from './imports-api.ts'
import classes from './imports.module.css'

/** What to do with rows: which are known already, what happens to them, and what everybody in the file gets. */
export function ImportOptionFields({ item }: { item: Import }) {
  const { configure } = useImportActs()
  const api = useApi()
  const { options, kind } = item
  const manages = useCan('organisation.manage')
  const [tag, setTag] = useState(options.tag ?? '')
  const [country, setCountry] = useState(options.phoneCountry ?? '')
  const [chapter, setChapter] = useState<Option | null>(null)
  const [search] = useState(() => async (q: string, signal: AbortSignal): Promise<Option[]> => {
    const { items } = await api.data.chapters.list.call({ ...(q && { q }), limit: 20 }, { signal })
    return items.map(({ id, name, code }) => ({ value: id, label: name, hint: code }))
  })
  const change = async (part: Partial<ImportOptions>) => {
    try {
      await configure.mutateAsync({ id: item.id, version: item.version, options: part })
    } catch (failure) {
      toast.error(t`That could not be set.`, failure)
    }
  }
  const keys: Record<ImportOptions['matchBy'][number], string> = {
    memberNo: t`Member number`,
    emailAndName: t`E-mail address and name`,
    externalId: t`External id`,
    link: t`Profile link and name`,
    nameAndBirthDate: t`Name and birth date`,
    code: t`Code`,
    natural: t`All identifying fields`,
  }
  const known = matchKeys[kind]
  return (
    <Section title={t`What happens to rows`}>
      <div className={classes['fields']}>
        {known.length > 1 && (
          <NativeSelect
            label={t`Match rows by`}
            value={options.matchBy.length === 1 ? (options.matchBy[0] ?? '') : ''}
            data={[{ value: '', label: t`Best available match` }, ...known.map((value) => ({ value, label: keys[value] }))]}
            onChange={(event) => {
              const value = known.find((key) => key === event.currentTarget.value)
              void change({ matchBy: value ? [value] : [] })
            }}
          />
        )}
        <NativeSelect
          label={t`New rows`}
          value={options.onNew}
          data={[
            { value: 'create', label: t`Create` },
            { value: 'skip', label: t`Leave out` },
          ]}
          onChange={(event) => void change({ onNew: event.currentTarget.value === 'skip' ? 'skip' : 'create' })}
        />
        <NativeSelect
          label={t`Known rows`}
          value={options.onMatch}
          data={[
            { value: 'update', label: t`Update; never empties a field` },
            { value: 'skip', label: t`Leave as they are` },
          ]}
          onChange={(event) => void change({ onMatch: event.currentTarget.value === 'skip' ? 'skip' : 'update' })}
        />
        {item.columns.some(({ target }) => target.startsWith('field:')) && manages && (
          <NativeSelect
            label={t`Unknown choices of a field`}
            value={options.newChoices}
            data={[
              { value: 'reject', label: t`Reject the row` },
              { value: 'create', label: t`Create the choice` },
            ]}
            onChange={(event) => void change({ newChoices: event.currentTarget.value === 'create' ? 'create' : 'reject' })}
          />
        )}
        {kind === 'people' && (
          <>
            <NativeSelect
              label={t`Rows for the same person`}
              value={options.doubles}
              data={[
                { value: 'reject', label: t`Reject all but the first` },
                { value: 'merge', label: t`Merge into the first` },
              ]}
              onChange={(event) => void change({ doubles: event.currentTarget.value === 'merge' ? 'merge' : 'reject' })}
            />
            <TextInput
              label={t`Tag for everybody in the file`}
              value={tag}
              maxLength={60}
              onChange={(event) => setTag(event.currentTarget.value)}
              onBlur={() => tag.trim() !== (options.tag ?? '') && void change({ tag: tag.trim() || null })}
            />
            <TextInput
              label={t`Country of telephone numbers`}
              description={t`Two letters, such as US`}
              value={country}
              maxLength={2}
              onChange={(event) => setCountry(event.currentTarget.value.toUpperCase())}
              onBlur={() =>
                country !== (options.phoneCountry ?? '') && void change({ phoneCountry: /^[A-Z]{2}$/.test(country) ? country : null })
              }
            />
          </>
        )}
        {(kind === 'people' || kind === 'groups') && (
          <ComboboxPicker
            label={t`Default chapter`}
            value={chapter}
            search={search}
            onChange={(option) => {
              setChapter(option)
              void change({ defaultChapterId: option?.value ?? null })
            }}
          />
        )}
      </div>
    </Section>
  )
}
