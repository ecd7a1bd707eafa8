import { NativeSelect, TextInput } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import type { LineRecord } from '@guildhall/contract/features/relationships.lines'
import { ChapterPicker } from '../../../platform/records/record-pickers.tsx'
import { useToday } from '../../../platform/session/session.ts'
import type { Option } from '../../../ui/filter/filter.ts'
import { ComboboxPicker } from '../../../ui/form/combobox-picker.tsx'
import { useLineSearch } from '../lines-api.ts'
import type { LineScope } from '../lines-api.ts'
import type { LineKind } from './line-kinds.ts'
import classes from './lines.module.css'
import { stepsIn, useLinesPlace } from './use-lines-place.ts'

type Props = {
  kinds: readonly LineKind[]
  kind: LineKind
  view: string
  scope: LineScope
  root: LineRecord | undefined
}

const depths = [1, 2, 3, 4, 5, 10, 20]
const mostGenerations = 20

/** What the report is about; each choice is in the address. */
export function LinesFilters({ kinds, kind, view, scope, root }: Props) {
  const { search, go } = useLinesPlace()
  const depth = stepsIn(search.depth)
  const generation = stepsIn(search.generation)
  return (
    <div className={classes['filters']} role="group" aria-label={t`What the report is about`}>
      <NativeSelect
        label={t`Kind`}
        value={kind.key}
        onChange={(event) => go({ kind: event.currentTarget.value, ...otherKind(kinds, kind, event.currentTarget.value) })}
        data={kinds.map(({ key, name }) => ({ value: key, label: name }))}
      />
      {view === 'tree' && (
        <>
          <RootField scope={scope} root={root} ofChapters={kind.type === undefined} />
          <NativeSelect
            label={t`Depth`}
            value={depth === undefined ? '' : String(depth)}
            onChange={(event) => go({ depth: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: t`All generations` },
              ...withChosen(depths, depth).map((steps) => ({
                value: String(steps),
                label: plural(steps, { one: '# generation', other: '# generations' }),
              })),
            ]}
          />
        </>
      )}
      {view === 'pairs' && (
        <NativeSelect
          label={t`Generation`}
          value={generation === undefined ? '' : String(generation)}
          onChange={(event) => go({ generation: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: t`All generations` },
            ...withChosen(
              Array.from({ length: mostGenerations }, (_, index) => index + 1),
              generation,
            ).map((steps) => ({ value: String(steps), label: t`Generation ${steps}` })),
          ]}
        />
      )}
      <ChapterPicker
        label={t`Chapter`}
        placeholder={t`All chapters`}
        value={search.chapter ?? null}
        onChange={(id) => go({ chapter: id ?? undefined })}
      />
      <DayField key={search.asOf} />
    </div>
  )
}

/** A number that an address names although it is not offered. */
const withChosen = (offered: readonly number[], chosen: number | undefined) =>
  chosen === undefined || offered.includes(chosen) ? offered : [...offered, chosen].toSorted((one, other) => one - other)

/** A person is no chapter: roots and open panels are left behind between the two. */
const otherKind = (kinds: readonly LineKind[], now: LineKind, next: string) => {
  const stays = (now.type === undefined) === (kinds.find(({ key }) => key === next)?.type === undefined)
  return { problem: undefined, open: undefined, ...(!stays && { root: undefined, from: undefined, to: undefined }) }
}

function RootField({ scope, root, ofChapters }: { scope: LineScope; root: LineRecord | undefined; ofChapters: boolean }) {
  const { search, go } = useLinesPlace()
  const find = useLineSearch(scope)
  const [chosen, setChosen] = useState<Option | null>(null)
  const known = root ? { value: root.id, label: root.name } : null
  const asked = search.root && chosen?.value === search.root ? chosen : search.root ? { value: search.root, label: '…' } : null
  return (
    <ComboboxPicker
      label={t`Root`}
      placeholder={ofChapters ? t`All chapters` : t`Search people`}
      value={known ?? asked}
      clearable={search.root !== undefined}
      search={find}
      onChange={(option) => {
        setChosen(option)
        go({ root: option?.value, open: undefined })
      }}
    />
  )
}

/** Typed days are taken when they are whole and on leaving the field, since a year passes through others on its way. */
function DayField() {
  const { search, go } = useLinesPlace()
  const today = useToday()
  const [typed, setTyped] = useState(search.asOf ?? '')
  const isLater = typed > today
  const take = () => {
    if (!isLater && typed !== (search.asOf ?? '')) go({ asOf: typed || undefined })
  }
  return (
    <TextInput
      type="date"
      label={t`As of`}
      max={today}
      value={typed}
      error={isLater && t`Choose today or an earlier day.`}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  )
}
