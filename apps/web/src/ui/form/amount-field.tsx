import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { decimalsOf, plainAmount, readAmount } from '@guildhall/contract/money'
import type { AmountFault } from '@guildhall/contract/money'
import { useState } from 'react'
import type { ReactNode } from 'react'

export type AmountFieldProps = {
  label: ReactNode
  /** A label in words that is read but not shown, where the place says what it is. */
  hideLabel?: boolean
  currency: string
  /** In minor units; null where nothing is entered, undefined where what is typed is no amount: a form must not send that. */
  value: number | null | undefined
  onChange: (amount: number | null | undefined) => void
  required?: boolean
  /** Refunds and corrections may be below zero, most amounts may not. */
  mayBeNegative?: boolean
  /** What the server or the form finds wrong. */
  error?: ReactNode
  description?: ReactNode
}

/** An amount as the reader writes numbers: "1.250,50" in German, "1,250.50" in English. Leaving the field shows how it was understood. */
export function AmountField({
  currency,
  value,
  onChange,
  mayBeNegative = false,
  error,
  label,
  hideLabel = false,
  ...rest
}: AmountFieldProps) {
  const { i18n } = useLingui()
  const locale = i18n.locales ?? i18n.locale
  const [typed, setTyped] = useState<string | undefined>()
  const [fault, setFault] = useState<AmountFault | 'negative' | undefined>()
  const decimals = decimalsOf(currency)
  const shown =
    value === null || value === undefined
      ? ''
      : new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(
          plainAmount(value, currency),
        )
  const read = (text: string) => {
    setTyped(text)
    setFault(undefined)
    if (text.trim() === '') return onChange(null)
    const amount = readAmount(text, currency, locale)
    onChange(typeof amount === 'number' && (amount >= 0 || mayBeNegative) ? amount : undefined)
  }
  const leave = () => {
    if (typed === undefined) return
    const amount = typed.trim() === '' ? undefined : readAmount(typed, currency, locale)
    const wrong = typeof amount === 'string' ? amount : amount !== undefined && amount < 0 && !mayBeNegative ? 'negative' : undefined
    setFault(wrong)
    // What could not be read stays to be corrected.
    if (!wrong) setTyped(undefined)
  }
  return (
    <TextInput
      {...rest}
      {...(hideLabel ? { 'aria-label': typeof label === 'string' ? label : undefined } : { label })}
      inputMode="decimal"
      autoComplete="off"
      value={typed ?? shown}
      onChange={(event) => read(event.currentTarget.value)}
      onBlur={leave}
      rightSection={<span>{currency}</span>}
      rightSectionWidth={48}
      error={fault ? faultText(fault, currency) : error}
    />
  )
}

function faultText(fault: AmountFault | 'negative', currency: string): string {
  const decimals = decimalsOf(currency)
  switch (fault) {
    case 'not_an_amount':
      return t`This is not an amount. Enter digits, with thousands and decimals as you usually write them.`
    case 'too_many_decimals':
      return decimals === 0
        ? t`${currency} has no decimals. Enter a whole amount.`
        : t`${currency} has ${decimals} decimals. Enter no more.`
    case 'too_large':
      return t`This amount is too large.`
    case 'negative':
      return t`Enter an amount of zero or more.`
  }
}
