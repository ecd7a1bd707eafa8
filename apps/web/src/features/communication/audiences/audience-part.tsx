import { ActionIcon, Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import { t } from '@lingui/core/macro'
import { IconX } from '@tabler/icons-react'
import type { AudiencePart } from '@guildhall/contract/features/communication.audiences'
import { RegistrationStatus } from '@guildhall/contract/features/events'
import { useMemo } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { ChapterPicker, GroupPicker } from '../../../platform/records/record-pickers.tsx'
import { named, useRecordSources } from '../../../platform/records/record-sources.ts'
import { FilterChips } from '../../../ui/filter/filter-chips.tsx'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import { SearchField } from '../../../ui/filter/search-field.tsx'
import { RecordListPicker } from '../../../ui/form/record-list-picker.tsx'
import { RecordPicker } from '../../../ui/form/record-picker.tsx'
import { optionsOf, registrationWords } from '../../events/registration-words-public.ts'
import { usePeopleFilterFields } from '../../people/people-filter-public.tsx'
import { partKindWords } from './audience-words.ts'
import classes from './audiences.module.css'

type Props<Part extends AudiencePart = AudiencePart> = { part: Part; onChange: (part: Part) => void }
type Of<Kind extends AudiencePart['kind']> = Props<Extract<AudiencePart, { kind: Kind }>>

/** One part of an audience, with what chooses its people. */
export function AudiencePartEditor({ part, onChange, onRemove }: Props & { onRemove: () => void }) {
  const name = partKindWords()[part.kind]
  return (
    <li className={classes['part']}>
      <div className={classes['partHead']}>
        <span className={classes['kind']}>{name}</span>
        <ActionIcon variant="subtle" color="gray" aria-label={t`Remove ${name}`} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </div>
      <PartFields part={part} onChange={onChange} />
    </li>
  )
}

function PartFields({ part, onChange }: Props) {
  switch (part.kind) {
    case 'people':
      return <PeopleFields part={part} onChange={onChange} />
    case 'persons':
      return <PersonsFields part={part} onChange={onChange} />
    case 'chapter':
      return (
        <>
          <ChapterPicker
            label={t`Chapter`}
            value={part.id || null}
            clearable={false}
            onChange={(id) => onChange({ ...part, id: id ?? '' })}
          />
          <Checkbox
            label={t`With the chapters below`}
            checked={part.below}
            onChange={({ currentTarget }) => onChange({ ...part, below: currentTarget.checked })}
          />
        </>
      )
    case 'group':
      return (
        <GroupPicker label={t`Group`} value={part.id || null} clearable={false} onChange={(id) => onChange({ ...part, id: id ?? '' })} />
      )
    case 'event':
      return <EventFields part={part} onChange={onChange} />
    case 'audience':
      return <SavedFields part={part} onChange={onChange} />
  }
}

function PeopleFields({ part, onChange }: Of<'people'>) {
  const fields = usePeopleFilterFields()
  const { q = '', filter = emptyFilter } = part
  const set = (next: { q: string; filter: typeof filter }) =>
    onChange({ kind: 'people', ...(next.q && { q: next.q }), ...(next.filter.and.length > 0 && { filter: next.filter }) })
  return (
    <>
      <SearchField label={t`Search members`} value={q} onChange={(words) => set({ q: words, filter })} />
      <FilterChips fields={fields} value={filter} onChange={(chosen) => set({ q, filter: chosen })} />
      {q === '' && filter.and.length === 0 && <p className={classes['dim']}>{t`Everybody, until you add a filter.`}</p>}
    </>
  )
}

function PersonsFields({ part, onChange }: Of<'persons'>) {
  const { people } = useRecordSources()
  return (
    <RecordListPicker
      label={t`People`}
      value={part.ids}
      onChange={(ids) => onChange({ ...part, ids: ids.slice(0, 1000) })}
      search={people.search}
      names={people.names}
    />
  )
}

function EventFields({ part, onChange }: Of<'event'>) {
  const { events } = useRecordSources()
  return (
    <>
      <RecordPicker
        label={t`Event`}
        value={part.id || null}
        clearable={false}
        search={events.search}
        names={events.names}
        onChange={(id) => onChange({ ...part, id: id ?? '' })}
      />
      <Checkbox.Group
        label={t`Registration`}
        value={part.statuses}
        onChange={(chosen) => onChange({ ...part, statuses: RegistrationStatus.options.filter((status) => chosen.includes(status)) })}
        error={part.statuses.length === 0 && t`Choose at least one.`}
      >
        <div className={classes['statuses']}>
          {optionsOf(registrationWords()).map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </div>
      </Checkbox.Group>
    </>
  )
}

function SavedFields({ part, onChange }: Of<'audience'>) {
  const { audiences } = useApi().data.communication
  const source = useMemo(
    () => ({
      search: async (q: string, signal: AbortSignal) => {
        const { items } = await audiences.list.call({ ...(q && { q }), limit: 20 }, { signal })
        return items.map(({ id, name, chapter, group }) => ({ value: id, label: name, hint: chapter?.name ?? group?.name }))
      },
      names: named(async (audienceId) => (await audiences.get.call({ audienceId })).name),
    }),
    [audiences],
  )
  return (
    <RecordPicker
      label={t`Audience`}
      value={part.id || null}
      clearable={false}
      search={source.search}
      names={source.names}
      onChange={(id) => onChange({ ...part, id: id ?? '' })}
    />
  )
}
