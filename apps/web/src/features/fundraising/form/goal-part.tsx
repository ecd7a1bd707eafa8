import { NumberInput, Select, TextInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.css'
import { t } from '@lingui/core/macro'
import { memo } from 'react'
import { AmountField } from '../../../ui/form/amount-field.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { goalKindOptions, isMoneyGoal } from '../fundraising-words.tsx'
import classes from './form.module.css'
import { LeftField } from './left-field.tsx'
import type { PageDraft } from './page-draft.ts'
import { useFields } from './use-page-draft.ts'

/** What is to be reached, and when. */
export const GoalPart = memo(function GoalPart({ currency, draft }: { currency: string; draft: PageDraft }) {
  const { values, faultOf, text, amount } = useFields(draft, 'goalKind', 'goal', 'startsOn', 'endsOn')
  const { goalKind, goal } = values
  const label = <Optional>{t`Goal`}</Optional>
  return (
    <Section title={t`Goal and dates`}>
      <div className={classes['fields']}>
        <div className={classes['pair']} data-field="goal">
          <LeftField onLeave={() => draft.save('goal')}>
            {isMoneyGoal(goalKind) ? (
              <AmountField label={label} currency={currency} {...amount('goal')} />
            ) : (
              <NumberInput
                label={label}
                min={1}
                max={1_000_000_000}
                allowDecimal={false}
                thousandSeparator
                value={goal ?? ''}
                onChange={(value) => draft.set({ goal: typeof value === 'number' ? value : null })}
                error={faultOf('goal')}
              />
            )}
          </LeftField>
          <Select
            label={t`Measured by`}
            allowDeselect={false}
            data={goalKindOptions()}
            value={goalKind}
            // A number of donors is no amount.
            onChange={(kind) => {
              const chosen = goalKindOptions().find(({ value }) => value === kind)?.value
              if (chosen && chosen !== goalKind)
                draft.put({ goalKind: chosen, goal: isMoneyGoal(chosen) === isMoneyGoal(goalKind) ? goal : null })
            }}
          />
        </div>
        <div className={classes['pair']} data-field="dates">
          <TextInput type="date" label={<Optional>{t`First day`}</Optional>} {...text('startsOn')} />
          <TextInput type="date" label={<Optional>{t`Last day`}</Optional>} {...text('endsOn')} />
        </div>
      </div>
    </Section>
  )
})
