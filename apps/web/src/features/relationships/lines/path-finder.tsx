import { t } from '@lingui/core/macro'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useState } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import type { Option } from '../../../ui/filter/filter.ts'
import { ComboboxPicker } from '../../../ui/form/combobox-picker.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useLinePath, useLineSearch } from '../lines-api.ts'
import type { LineScope } from '../lines-api.ts'
import { RecordLink } from './line-words.tsx'
import classes from './lines.module.css'
import { useLinesPlace } from './use-lines-place.ts'

/** The shortest way between two over relationships of a kind, step by step. */
export function PathFinder({ scope, ofChapters }: { scope: LineScope; ofChapters: boolean }) {
  const { search, go } = useLinesPlace()
  const { from, to } = search
  const path = useLinePath(scope, { fromId: from, toId: to })
  const steps = path.data?.steps ?? []
  return (
    <>
      <div className={classes['filters']}>
        <EndField
          scope={scope}
          label={t`From`}
          id={from}
          known={steps[0]?.record.name}
          onChange={(id) => go({ from: id }, { replace: true })}
        />
        <EndField
          scope={scope}
          label={t`To`}
          id={to}
          known={steps.at(-1)?.record.name}
          onChange={(id) => go({ to: id }, { replace: true })}
        />
      </div>
      {path.isLoading && (
        <Loading label={t`Looking for the path`}>
          <SkeletonLines count={3} />
        </Loading>
      )}
      {path.isError && <ProblemState problem={path.error} title={t`The path could not be found`} retry={() => void path.refetch()} />}
      {from !== undefined && from === to && <p className={classes['dim']}>{t`Choose two different ends.`}</p>}
      {path.data && steps.length === 0 && <p role="status">{t`They are not connected by relationships of this kind.`}</p>}
      {steps.length > 0 && (
        <ol className={classes['steps']} aria-label={t`Path`}>
          {steps.map(({ record, step }) => (
            <li key={record.id}>
              {step === 'up' && <IconArrowUp size={16} stroke={1.5} role="img" aria-label={t`up to`} />}
              {step === 'down' && <IconArrowDown size={16} stroke={1.5} role="img" aria-label={t`down to`} />}
              <RecordLink record={record} ofChapters={ofChapters} />
              {record.chapter && <span className={classes['dim']}>{record.chapter.name}</span>}
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

type EndProps = {
  scope: LineScope
  label: string
  id: string | undefined
  /** What the answer calls whom the address names. */
  known: string | undefined
  onChange: (id: string | undefined) => void
}

function EndField({ scope, label, id, known, onChange }: EndProps) {
  const find = useLineSearch(scope)
  const [chosen, setChosen] = useState<Option | null>(null)
  return (
    <ComboboxPicker
      label={label}
      value={id === undefined ? null : chosen?.value === id ? chosen : { value: id, label: known ?? '…' }}
      search={find}
      onChange={(option) => {
        setChosen(option)
        onChange(option?.value)
      }}
    />
  )
}
