// Money is a whole number of the smallest unit of a currency (cents, yen, fils) with its ISO 4217 code. No amount is ever a fraction, so none is rounded
// unless a rule says how.

/** Currencies in use, of ISO 4217. */
const codes =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD ' +
  'EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK ' +
  'LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB ' +
  'RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD ' +
  'XCG XOF XPF YER ZAR ZMW ZWG'
export const currencyCodes: readonly string[] = codes.split(' ')
const known = new Set(currencyCodes)
export const isCurrency = (code: string): boolean => known.has(code)

/** Decimals of those that do not have two. Of browsers' own tables some say how a currency is used instead, and no two servers need agree. */
const withoutTwo: Readonly<Record<string, number>> = {
  ...Object.fromEntries('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0])),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
}
export const decimalsOf = (currency: string): number => withoutTwo[currency] ?? 2

/** "1250.00", "-0.05", "1250": exact, for files and for Intl, which takes a text without making a fraction of it. */
export function plainAmount(amount: number, currency: string): `${number}` {
  const decimals = decimalsOf(currency)
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0')
  const sign = amount < 0 ? '-' : ''
  const whole = digits.slice(0, digits.length - decimals)
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- digits with at most one point, which the types of Intl ask for
  return `${sign}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}` as `${number}`
}

type Marks = { group: string; decimal: string; pairs: boolean; digits: Map<string, string> }
const marksOf = (locale: string | string[]): Marks => {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(1_234_567.8)
  const mark = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  const digits = new Map(
    Array.from('0123456789', (digit) => [new Intl.NumberFormat(locale, { useGrouping: false }).format(Number(digit)), digit]),
  )
  // 12,34,567 in India.
  const pairs = parts.filter(({ type }) => type === 'integer')[1]?.value.length === 2
  return { group: mark('group'), decimal: mark('decimal'), pairs, digits }
}

/** What is wrong with a typed amount. */
export type AmountFault = 'not_an_amount' | 'too_many_decimals' | 'too_large'

/**
 * A typed amount in minor units. The marks of the locale count: "1.250" is a thousand in German and 1.25 in English. Marks that group digits must stand
 * at thousands, since "1,25" typed by a German in English would be a hundredfold otherwise; a point or comma that cannot group is a decimal mark.
 */
export function readAmount(text: string, currency: string, locale: string | string[]): number | AmountFault {
  const { group, decimal, pairs, digits } = marksOf(locale)
  let plain = Array.from(text.normalize('NFKC').trim(), (sign) => digits.get(sign) ?? sign).join('')
  plain = plain.replaceAll(/[\s\u00a0\u202f'\u2019]/gu, '').replaceAll(/[\u2212\u2010-\u2013]/g, '-')
  plain = plain.replaceAll(/\p{Sc}/gu, '').toUpperCase()
  if (plain.startsWith(currency)) plain = plain.slice(currency.length)
  else if (plain.endsWith(currency)) plain = plain.slice(0, -currency.length)
  const shape = /^(-?)([\d.,\u066b\u066c]*)$/.exec(plain)
  if (!shape || !/\d/.test(plain)) return 'not_an_amount'
  const [, sign = '', number = ''] = shape
  const marks = [...number.matchAll(/\D/g)]
  const last = marks.at(-1)
  // A mark that stands once, with other than three digits behind it, can only be for decimals.
  const isDecimal =
    last !== undefined &&
    (last[0] === decimal || (last[0] !== group && marks.length === 1) || (marks.length === 1 && number.length - last.index !== 4))
  const whole = isDecimal ? number.slice(0, last.index) : number
  const fraction = isDecimal ? number.slice(last.index + 1) : ''
  if (!areGroups(whole, pairs) || (isDecimal && whole.includes(last[0]))) return 'not_an_amount'
  const decimals = decimalsOf(currency)
  if (/[1-9]/.test(fraction.slice(decimals))) return 'too_many_decimals'
  const amount = Number(`${whole.replaceAll(/\D/g, '')}${fraction.slice(0, decimals).padEnd(decimals, '0')}`)
  if (!Number.isSafeInteger(amount)) return 'too_large'
  return sign && amount !== 0 ? -amount : amount
}

/** Digits alone, or in groups of three behind the first, with one kind of mark; in pairs before the last three where people write so. */
function areGroups(whole: string, pairs: boolean): boolean {
  const mark = /\D/.exec(whole)?.[0]
  if (mark === undefined) return true
  const groups = whole.split(mark)
  const [first = '', ...rest] = groups
  const last = rest.pop() ?? ''
  const between = pairs ? 2 : 3
  const digits = groups.every((group) => /^\d+$/.test(group))
  return digits && first.length <= between && last.length === 3 && rest.every((group) => group.length === between)
}

/**
 * An amount divided by weights, in whole units that always add up to it: each part is rounded down, and the units that are left go to the largest
 * remainders, of equal ones to the first. Weights are whole numbers from zero; a part with weight zero gets nothing, unless all are zero, which
 * count as equal. A negative amount is divided as the same amount would be.
 */
export function allocate(amount: number, weights: readonly number[]): number[] {
  if (!Number.isSafeInteger(amount)) throw new RangeError('an amount is a whole number of minor units')
  if (weights.length === 0) throw new RangeError('there is nobody to divide the amount among')
  if (weights.some((weight) => !Number.isSafeInteger(weight) || weight < 0)) throw new RangeError('weights are whole numbers from zero')
  const shares = weights.every((weight) => weight === 0) ? weights.map(() => 1n) : weights.map(BigInt)
  const total = shares.reduce((sum, share) => sum + share, 0n)
  const size = BigInt(Math.abs(amount))
  const parts = shares.map((share) => (size * share) / total)
  const left = Number(size - parts.reduce((sum, part) => sum + part, 0n))
  const order = shares
    .map((share, index) => ({ index, rest: (size * share) % total }))
    .toSorted((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  const more = new Set(order.slice(0, left).map(({ index }) => index))
  return parts.map((part, index) => Math.sign(amount) * (Number(part) + (more.has(index) ? 1 : 0)) || 0)
}
