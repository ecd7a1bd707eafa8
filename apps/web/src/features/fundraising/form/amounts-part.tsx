import { Switch, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { memo, useState } from 'react'
import { AmountField } from '../../../ui/form/amount-field.tsx'
import { PartRows } from '../../../ui/form/part-rows.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { LeftField } from './left-field.tsx'
import classes from './form.module.css'
import type { Suggestion } from './page-values.ts'
import type { PageDraft } from './page-draft.ts'
import { useFields } from './use-page-draft.ts'

type Props = { currency: string; draft: PageDraft }

/** How much people are asked for, and how they may give. */
export const AmountsPart = memo(function AmountsPart({ currency, draft }: Props) {
  const { amount, flag } = useFields(draft, 'minAmount', 'maxAmount', 'allowsRecurring', 'allowsCoverFees')
  return (
    <Section title={t`Amounts`}>
      <div className={classes['fields']}>
        <Suggested currency={currency} draft={draft} />
        <div className={classes['pair']} data-field="limits">
          <LeftField onLeave={() => draft.save('minAmount')}>
            <AmountField label={t`Smallest gift`} currency={currency} {...amount('minAmount')} />
          </LeftField>
          <LeftField onLeave={() => draft.save('maxAmount')}>
            <AmountField label={<Optional>{t`Largest gift`}</Optional>} currency={currency} {...amount('maxAmount')} />
          </LeftField>
        </div>
        <Switch
          label={t`Recurring gifts`}
          description={t`Donors may give monthly, quarterly or yearly, and change or stop it themselves.`}
          {...flag('allowsRecurring')}
        />
        <Switch
          label={t`Covering fees`}
          description={t`Donors may add the card fee, so that the whole gift arrives.`}
          {...flag('allowsCoverFees')}
        />
      </div>
    </Section>
  )
})

type Row = Suggestion & { key: string }

/** Amounts to choose from, each with what it makes possible; a row is saved when it is left. */
function Suggested({ currency, draft }: Props) {
  const { values, faultOf } = useFields(draft, 'suggested')
  // Rows are known by their places, anew whenever these change.
  const [turn, setTurn] = useState(0)
  const rows = values.suggested.map((one, nth): Row => ({ ...one, key: `${turn} ${nth}` }))
  const change = (next: readonly Row[]) => {
    const suggested = next.map(({ amount, words }) => ({ amount, words }))
    const isMoved = next.length < rows.length || next.some(({ key }, nth) => key !== (rows[nth]?.key ?? key))
    if (!isMoved) return draft.set({ suggested })
    setTurn(turn + 1)
    draft.put({ suggested })
  }
  return (
    <fieldset className={classes['rows']} data-field="suggested" tabIndex={-1}>
      <legend className={classes['legend']}>
        <Optional>{t`Suggested amounts`}</Optional>
      </legend>
      <p className={classes['note']}>{t`Up to six. Say what each makes possible: “feeds a family for a week”.`}</p>
      <PartRows<Row>
        rows={rows}
        onChange={change}
        name={(_, nth) => t`Amount ${nth + 1}`}
        addLabel={t`Add amount`}
        make={() => ({ key: `${turn} ${rows.length}`, amount: null, words: '' })}
        ordered
        compact
        most={6}
      >
        {(row, nth, edit) => (
          <LeftField onLeave={() => draft.save('suggested')} className={classes['suggestion']}>
            <AmountField
              label={t`Amount ${nth + 1}`}
              hideLabel
              currency={currency}
              value={row.amount}
              onChange={(amount) => edit({ amount })}
              error={row.amount === undefined ? undefined : faultOf(`suggested.${nth}.amount`)}
            />
            <TextInput
              aria-label={t`What amount ${nth + 1} makes possible`}
              placeholder={t`What it makes possible`}
              maxLength={80}
              value={row.words}
              onChange={({ currentTarget }) => edit({ words: currentTarget.value })}
              error={faultOf(`suggested.${nth}.words`)}
            />
          </LeftField>
        )}
      </PartRows>
      {faultOf('suggested') && (
        <p role="alert" className={classes['fault']}>
          {faultOf('suggested')}
        </p>
      )}
    </fieldset>
  )
}
