import { useLingui } from '@lingui/react'
import { decimalsOf, plainAmount } from '@guildhall/contract/money'

/** "€1,250.00" as the reader writes it, with the decimals the currency has everywhere. */
export function useMoney(): (amount: number, currency: string) => string {
  const { i18n } = useLingui()
  return (amount, currency) => {
    const decimals = decimalsOf(currency)
    const format = new Intl.NumberFormat(i18n.locales ?? i18n.locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    })
    return format.format(plainAmount(amount, currency))
  }
}

/** "€25" where it is whole, for amounts to choose from. */
export function useRoundMoney(): (amount: number, currency: string) => string {
  const { i18n } = useLingui()
  const money = useMoney()
  return (amount, currency) => {
    if (amount % 10 ** decimalsOf(currency) !== 0) return money(amount, currency)
    const format = new Intl.NumberFormat(i18n.locales ?? i18n.locale, { style: 'currency', currency, maximumFractionDigits: 0 })
    return format.format(plainAmount(amount, currency))
  }
}
