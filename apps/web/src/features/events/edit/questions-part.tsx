import { Switch } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { newKey } from './event-values.ts'
import { usePart } from './form-context.ts'
import { QuestionRows } from './question-rows.tsx'
import classes from './event-form.module.css'

/** What people are asked when they register. Name and email address are known. */
export function QuestionsPart() {
  const { values, set, errorOf } = usePart('questions', 'guestsPerPerson')
  return (
    <>
      {values.questions.length === 0 && (
        <p className={classes['note']}>
          <Trans>People register with one click. Ask only what you need, such as what they eat.</Trans>
        </p>
      )}
      <QuestionRows
        rows={values.questions}
        onChange={(questions) => set({ questions })}
        errorOf={errorOf}
        make={() => ({ key: newKey(), text: '', kind: 'line', required: false, options: '', ofGuests: false })}
      >
        {(question, change) =>
          values.guestsPerPerson > 0 && (
            <Switch
              label={t`Asked for each guest as well`}
              checked={question.ofGuests}
              onChange={({ currentTarget }) => change({ ofGuests: currentTarget.checked })}
            />
          )
        }
      </QuestionRows>
    </>
  )
}
