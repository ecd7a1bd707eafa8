import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReportAnswer, ReportQuestion, ReportRecord } from '@guildhall/contract/features/reports'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useBehind } from '../reports-api.ts'
import classes from '../reports.module.css'
import { detailText } from '../words/detail-words.ts'
import { useAnswerWords } from './answer-words.ts'
import { listAddress } from './list-address.ts'
import { recordAddress } from './record-address.ts'
import { nameOf } from './report-series.ts'

type Props = {
  question: ReportQuestion
  /** Absent until the report is answered: the list does not wait for it. */
  answer: ReportAnswer | undefined
  keys: (string | null)[]
  measure: string
  onClose: () => void
}

/** The list behind a figure: every record that counts in it. */
export function BehindPanel({ question, answer, keys, measure, onClose }: Props) {
  const words = useAnswerWords(question)
  const { number } = useFormats()
  const behind = useBehind({ question, keys, measure })
  const row = answer?.rows.find(({ keys: known }) => known.length === keys.length && known.every(({ value }, at) => value === keys[at]))
  const { label, definition } = words.measureWord(measure)
  const list = answer && listAddress(question, answer, keys)
  const total = behind.data?.total
  return (
    <SidePanel
      recordKey={`${measure} ${JSON.stringify(keys)}`}
      title={answer && row ? t`${label}: ${nameOf(answer, row.keys, words)}` : label}
      onClose={onClose}
    >
      <div className={classes['stack']}>
        {definition && <p className={classes['note']}>{definition}</p>}
        {total !== undefined && (
          <p role="status" className={classes['row']}>
            <span>{behind.data?.totalIsExact ? t`${number(total)} in the list` : t`More than ${number(total)} in the list`}</span>
            {list && (
              <AppLink href={list}>
                <Trans>Open in list</Trans>
              </AppLink>
            )}
          </p>
        )}
        {behind.isPending && (
          <Loading label={t`Loading`}>
            <SkeletonLines count={8} />
          </Loading>
        )}
        {behind.isError && !behind.data && (
          <ProblemState problem={behind.error} title={t`The list could not be loaded`} retry={() => void behind.refetch()} />
        )}
        {behind.data?.items.length === 0 && <p>{t`Nothing you may see counts in this figure.`}</p>}
        {behind.data && behind.data.items.length > 0 && (
          <ul className={classes['records']} aria-label={t`List behind ${label}`}>
            {behind.data.items.map((record, at) => (
              // One person can stand in a list twice, for two memberships say.
              <RecordRow key={`${record.kind} ${record.id} ${at}`} question={question} record={record} />
            ))}
          </ul>
        )}
        <ShowMore query={behind} />
      </div>
    </SidePanel>
  )
}

function RecordRow({ question, record }: { question: ReportQuestion; record: ReportRecord }) {
  const money = useMoney()
  const { day } = useFormats()
  const { kind, name, chapter, detail, on, amount } = record
  const isHidden = name === ''
  const shown = isHidden ? t`Hidden person` : name
  const address = isHidden && (kind === 'person' || kind === 'membership') ? undefined : recordAddress(record)
  const facts = [detail && detailText(question, detail), chapter?.name, on && day(on)].filter(Boolean).join(' · ')
  return (
    <li className={classes['record']}>
      <span className={classes['recordWhat']}>
        {address ? <AppLink href={address}>{shown}</AppLink> : shown}
        {facts && <span className={classes['note']}>{facts}</span>}
      </span>
      {amount && <span className={classes['amount']}>{money(amount.amount, amount.currency)}</span>}
    </li>
  )
}
