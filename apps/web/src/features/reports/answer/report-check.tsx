import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconAlertTriangle, IconChecks, IconCircleCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReportCheck as Checked, ReportQuestion } from '@guildhall/contract/features/reports'
import type * as z from 'zod'
import { useApi } from '../../../platform/api/api.tsx'
import { problemText } from '../../../platform/api/problem-text.tsx'
import classes from '../reports.module.css'
import type { AnswerWords, Measure } from './answer-words.ts'

type Outcome = z.infer<typeof Checked>
type Props = { question: ReportQuestion; measures: readonly Measure[]; words: AnswerWords }

/** Compares the totals with the lists behind them, which are counted apart from each other. */
export const ReportCheck = (props: Props) => <Checking key={JSON.stringify(props.question)} {...props} />

function Checking({ question, measures, words }: Props) {
  const { reports } = useApi().data
  const check = useMutation({
    mutationFn: () => Promise.all(measures.map(({ key }) => reports.check.call({ question, keys: [], measure: key }))),
  })
  return (
    <div className={classes['check']}>
      <div className={classes['row']}>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconChecks size={16} stroke={1.5} aria-hidden />}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          <Trans>Check</Trans>
        </Button>
        <span className={classes['note']} data-no-print>
          <Trans>Compares each total with the list behind it.</Trans>
        </span>
      </div>
      <div role="status">
        {check.isError && (
          <p className={classes['bad']}>
            {t`The report could not be checked.`} {problemText(check.error)}
          </p>
        )}
        {check.data && (
          <ul className={classes['outcomes']} aria-label={t`Outcome of the check`}>
            {check.data.map((outcome) => (
              <OneOutcome
                key={outcome.measure}
                outcome={outcome}
                words={words}
                measure={measures.find(({ key }) => key === outcome.measure)}
              />
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

function OneOutcome({
  outcome: { report, list, matches },
  words,
  measure,
}: {
  outcome: Outcome
  words: AnswerWords
  measure: Measure | undefined
}) {
  if (!measure) return null
  const { label } = words.measureWord(measure.key)
  if (report === null || list === null)
    return <li className={classes['note']}>{t`${label}: rows of this measure do not add up to a total.`}</li>
  const [total, counted] = [words.valueText(measure, report), words.valueText(measure, list)]
  return matches ? (
    <li className={classes['good']}>
      <IconCircleCheck size={16} stroke={1.5} aria-hidden /> {t`${label}: total ${total} = list ${counted}`}
    </li>
  ) : (
    <li className={classes['bad']}>
      <IconAlertTriangle size={16} stroke={1.5} aria-hidden />{' '}
      {t`${label}: total ${total}, list ${counted}; a difference of ${words.valueText(measure, Math.abs(report - list))}`}
    </li>
  )
}
