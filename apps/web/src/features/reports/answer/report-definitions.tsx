import { Trans } from '@lingui/react/macro'
import type { ReportAnswer } from '@guildhall/contract/features/reports'
import { usePrinting } from '../../../ui/printing.ts'
import classes from '../reports.module.css'
import type { AnswerWords } from './answer-words.ts'

/** How each measure is counted. */
export function Definitions({ answer, words }: { answer: ReportAnswer; words: AnswerWords }) {
  const printing = usePrinting()
  return (
    <details className={classes['definitions']} open={printing || undefined}>
      <summary>
        <Trans>Definitions</Trans>
      </summary>
      <dl>
        {answer.measures.map(({ key }) => {
          const { label, definition } = words.measureWord(key)
          return (
            <div key={key}>
              <dt>{label}</dt>
              <dd>{definition}</dd>
            </div>
          )
        })}
      </dl>
    </details>
  )
}
