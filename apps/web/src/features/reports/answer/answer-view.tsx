import { Progress } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconChartBar } from '@tabler/icons-react'
import type { ReportAnswer, ReportQuestion } from '@guildhall/contract/features/reports'
import { failureText } from '../../../platform/api/reason-text.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { ErrorState } from '../../../ui/page/error-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import classes from '../reports.module.css'
import { useAnswerWords } from './answer-words.ts'
import { addsUp } from './has-list.ts'
import { Definitions } from './report-definitions.tsx'
import { ReportCheck } from './report-check.tsx'
import { ReportPicture } from './report-picture.tsx'
import type { Open } from './report-picture.tsx'
import { ReportTable } from './report-table.tsx'
import type { useReportAnswer } from './use-report-answer.ts'

type Props = {
  title: string
  asked: ReturnType<typeof useReportAnswer>
  shown?: string | undefined
  onShown?: ((measure: string | undefined) => void) | undefined
  onOpen?: Open | undefined
}

/** What came of a question, or how far it is: picture, one sentence, table, definitions, scope and time. */
export function AnswerView({ asked, ...rest }: Props) {
  const { answered, run, failure, problem, isStale, again } = asked
  if (run) return <RunProgress {...run} />
  if (failure) return <ErrorState title={t`The report could not be made`} reason={failureText(failure)} retry={again} />
  if (problem && !answered) return <ProblemState problem={problem} title={t`The report could not be made`} retry={again} />
  if (!answered) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={10} />
      </Loading>
    )
  }
  return (
    <div className={classes['stack']} aria-busy={isStale} data-stale={isStale || undefined}>
      <Answered {...answered} {...rest} />
    </div>
  )
}

function RunProgress({ done, total }: { done: number; total: number }) {
  const { percent } = useFormats()
  const share = total > 0 ? Math.min(1, done / total) : 0
  return (
    <div className={classes['run']} role="status">
      <p>
        <Trans>This report takes a while. You can leave this page: it stays in the progress list and among your recent runs.</Trans>
      </p>
      <Progress value={share * 100} animated={total === 0} aria-label={t`Progress of the report`} />
      <p className={classes['note']}>{total > 0 ? t`${percent(share)} done` : t`Waiting to begin`}</p>
    </div>
  )
}

type AnsweredProps = Omit<Props, 'asked'> & { question: ReportQuestion; answer: ReportAnswer }

function Answered({ question, title, answer, shown, onShown, onOpen }: AnsweredProps) {
  const words = useAnswerWords(question)
  // Without a group there are no rows, only totals.
  if (answer.rows.length === 0 && answer.dimensions.length > 0) {
    return (
      <>
        <EmptyState icon={<IconChartBar size={32} stroke={1.5} />} title={t`Nothing to report`}>
          <Trans>No record that you may see matches this question. Choose another range, another chapter or fewer filters.</Trans>
        </EmptyState>
        <Facts answer={answer} />
      </>
    )
  }
  const checked = answer.measures.filter((measure) => addsUp(measure))
  return (
    <>
      {(answer.picture !== 'table' || answer.dimensions.length === 0) && (
        <Section title={<Trans>Chart</Trans>}>
          <ReportPicture answer={answer} title={title} words={words} shown={shown} onShown={onShown} onOpen={onOpen} />
        </Section>
      )}
      <Section title={<Trans>Table</Trans>}>
        <ReportTable answer={answer} title={title} words={words} onOpen={onOpen} />
      </Section>
      <Facts answer={answer} />
      {checked.length > 0 && <ReportCheck question={question} measures={checked} words={words} />}
      <Definitions answer={answer} words={words} />
    </>
  )
}

/** What the figures are about, and when they were read; on paper as well. */
export function Facts({ answer: { scope, range, asOf, at } }: { answer: ReportAnswer }) {
  const { day, moment } = useFormats()
  const days = range && rangeText(range, day)
  return (
    <p className={classes['facts']}>
      <span>{scope ? t`${scope.name} and the chapters below it` : t`Everything you may see`}</span>
      {days && <span>{days}</span>}
      {asOf && <span>{t`As of ${day(asOf)}`}</span>}
      <span>
        <Trans>
          Data from <time dateTime={at}>{moment(at)}</time>
        </Trans>
        <span data-no-print>
          {' '}
          (<RelativeTime at={at} />)
        </span>
      </span>
    </p>
  )
}

function rangeText({ since, until }: NonNullable<ReportAnswer['range']>, day: (date: string) => string): string {
  if (since && until) return t`${day(since)} to ${day(until)}`
  if (since) return t`Since ${day(since)}`
  return until ? t`Until ${day(until)}` : t`Whole history`
}
