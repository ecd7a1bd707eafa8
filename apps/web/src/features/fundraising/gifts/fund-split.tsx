import { Button, CloseButton, NativeSelect } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconPlus } from '@tabler/icons-react'
import { useMoney } from '../../../ui/display/money.tsx'
import { AmountField } from '../../../ui/form/amount-field.tsx'
import classes from './fund-split.module.css'

/** A part of a gift. Of a gift to one fund the amount is that of the gift, whatever stands here. */
export type Split = { fundId: string; amount: number | null | undefined }
type FundOption = { id: string; name: string }

/** What the parts leave of the gift: below zero where they are more. */
export const remainderOf = (total: number, splits: readonly Split[]) => total - splits.reduce((sum, { amount }) => sum + (amount ?? 0), 0)

export const allocationsOf = (total: number, splits: readonly Split[]) =>
  splits.length === 1 && splits[0]
    ? [{ fundId: splits[0].fundId, amount: total }]
    : splits.map(({ fundId, amount }) => ({ fundId, amount: amount ?? 0 }))

/** What is wrong with the parts; null where they add up. */
export function splitFault(total: number | null | undefined, splits: readonly Split[]): string | null {
  if (splits.length === 0 || splits.some(({ fundId }) => fundId === '')) return t`Choose a fund.`
  if (splits.length === 1) return null
  if (new Set(splits.map(({ fundId }) => fundId)).size < splits.length) return t`Name each fund once.`
  if (splits.some(({ amount }) => !amount)) return t`Enter an amount for each fund, or remove it.`
  return remainderOf(total ?? 0, splits) === 0 ? null : t`The funds do not add up to the gift.`
}

type Props = {
  total: number | null | undefined
  currency: string
  funds: readonly FundOption[]
  value: readonly Split[]
  onChange: (splits: Split[]) => void
  error?: string | undefined
}

/** The funds of a gift: one, or several whose amounts add up to it. */
export function FundSplit({ total, currency, funds, value, onChange, error }: Props) {
  const several = value.length > 1
  const put = (at: number, change: Partial<Split>) => onChange(value.map((split, nth) => (nth === at ? { ...split, ...change } : split)))
  const remove = (at: number) => onChange(value.filter((_, nth) => nth !== at))
  const add = () => {
    const first = several ? value : value.map((split) => ({ ...split, amount: null }))
    const unused = funds.find(({ id }) => !value.some(({ fundId }) => fundId === id))
    onChange([...first, { fundId: unused?.id ?? '', amount: several ? Math.max(0, remainderOf(total ?? 0, value)) || null : null }])
  }
  const options = [{ value: '', label: t`Choose a fund` }, ...funds.map(({ id, name }) => ({ value: id, label: name }))]
  return (
    <div role="group" aria-label={t`Funds`} className={classes['splits']}>
      {value.map((split, at) => (
        <div key={at} className={classes['split']} data-several={several || undefined}>
          <NativeSelect
            label={several ? t`Fund ${at + 1}` : t`Fund`}
            data={options}
            value={split.fundId}
            error={!several && error}
            onChange={(event) => put(at, { fundId: event.currentTarget.value })}
          />
          {several && (
            <>
              <AmountField label={t`Amount`} currency={currency} value={split.amount} onChange={(amount) => put(at, { amount })} />
              <CloseButton aria-label={t`Remove fund ${at + 1}`} onClick={() => remove(at)} className={classes['remove'] ?? ''} />
            </>
          )}
        </div>
      ))}
      <div className={classes['foot']}>
        {value.length < Math.min(20, funds.length) && (
          <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} stroke={1.5} aria-hidden />} onClick={add}>
            {several ? <Trans>Add a fund</Trans> : <Trans>Split over funds</Trans>}
          </Button>
        )}
        {several && (
          <Remainder left={remainderOf(total ?? 0, value)} currency={currency} onTake={(left) => giveRest(value, left, onChange)} />
        )}
      </div>
      {several && error && (
        <p role="alert" className={classes['error']}>
          {error}
        </p>
      )}
    </div>
  )
}

/** The last part has the rest. */
function giveRest(value: readonly Split[], left: number, onChange: (splits: Split[]) => void) {
  const last = value.length - 1
  onChange(value.map((split, nth) => (nth === last ? { ...split, amount: Math.max(0, (split.amount ?? 0) + left) } : split)))
}

function Remainder({ left, currency, onTake }: { left: number; currency: string; onTake: (left: number) => void }) {
  const money = useMoney()
  return (
    <span className={classes['remainder']}>
      <span aria-live="polite" data-off={left !== 0 || undefined}>
        {left === 0 ? t`Adds up` : left > 0 ? t`${money(left, currency)} left` : t`${money(-left, currency)} too much`}
      </span>
      {left > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => onTake(left)}>
          <Trans>Add it to the last fund</Trans>
        </Button>
      )}
    </span>
  )
}
