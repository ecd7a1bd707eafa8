import { Button, CloseButton } from '@mantine/core'
import { Plural, Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import classes from './bulk-action-bar.module.css'
import { useFormats } from '../display/dates.tsx'
import type { Selection } from './selection.ts'
import { useEscape } from '../dialog/use-escape.ts'

export type BulkActionBarProps = {
  selection: Selection
  /** All that match the filter. */
  total: number
  totalIsExact?: boolean
  /** Buttons: tag, add to group, export. */
  children: ReactNode
}

/** At the bottom centre while anything is selected. */
export function BulkActionBar({ selection, total, totalIsExact = true, children }: BulkActionBarProps) {
  const { number } = useFormats()
  useEscape(selection.clear, !selection.isEmpty)
  if (selection.isEmpty) return null
  const count = selection.count(total)
  const all = `${number(total)}${totalIsExact ? '' : '+'}`
  return (
    <div className={classes['dock']} data-no-print>
      <div role="region" aria-label={t`Selected rows`} className={classes['bar']}>
        <span role="status" className={classes['count']}>
          <Plural value={count} one="# selected" other="# selected" />
        </span>
        {selection.state.kind === 'some' && count < total && (
          <Button variant="subtle" size="compact-md" onClick={selection.selectAllMatching}>
            <Trans>Select all {all} matching</Trans>
          </Button>
        )}
        {children}
        <CloseButton aria-label={t`Clear selection`} onClick={selection.clear} />
      </div>
    </div>
  )
}
