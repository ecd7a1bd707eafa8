import { randomUUID } from 'node:crypto'
import { GiftInterval, TributeKind } from '@guildhall/contract/features/fundraising.gifts'
import { feeToCover } from '@guildhall/contract/gift-fees'
import { decimalsOf, plainAmount, readAmount } from '@guildhall/contract/money'
import { EmailAddress, lines, text } from '@guildhall/contract/shapes'
import { hiddenIn } from '@guildhall/contract/text-rules'
import { isId } from '../../../platform/records/is-id.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import type { GiftSaid } from '../../payments/payments.public.ts'
import type { PublicCampaign, PublicCampaignFacts } from './fundraising.giving.queries.ts'

/** A value of the group of amounts that is none of those suggested. */
export const ownAmount = 'own'
/** Makes sending a form again the same gift. */
export const attemptIn = (sent: string | null): string | undefined => (sent !== null && isId(sent) ? sent.toLowerCase() : undefined)
/** Of a form that came without one it is made anew. */
export const attemptOf = (form: URLSearchParams): string => attemptIn(form.get('attempt')) ?? randomUUID()

export type GivingField = 'amount' | 'own' | 'every' | 'fund' | 'name' | 'email' | 'tribute_name' | 'message' | 'form'
export type Wrong = { field: GivingField; text: string }
export type GuestGift = GiftSaid & { donor_name: string; donor_email: string }
type Read = { wanted: GuestGift; wrong?: undefined } | { wanted?: undefined; wrong: Wrong }

type Rules = Pick<PublicCampaign, 'currency' | 'suggested' | 'minAmount' | 'maxAmount' | 'allowsRecurring' | 'allowsCoverFees' | 'funds'>

/** What the form asks for, or the first thing that is wrong with it. */
export function readGivingForm(i18n: Texts, campaign: Rules, { form, attempt }: { form: URLSearchParams; attempt: string }): Read {
  const amount = amountOf(i18n, campaign, form)
  if (typeof amount !== 'number') return { wrong: amount }
  const every = form.get('every') ?? ''
  const interval = every === '' ? null : GiftInterval.safeParse(every).data
  if (interval === undefined || (interval !== null && !campaign.allowsRecurring))
    return { wrong: { field: 'every', text: i18n._('Choose how often you want to give.') } }
  const [usual] = campaign.funds
  const fund = form.get('fund') || usual?.id
  if (!campaign.funds.some(({ id }) => id === fund)) return { wrong: { field: 'fund', text: i18n._('Choose one of the funds.') } }
  const name = typed(i18n, form.get('name'), { most: 150, needed: i18n._('Enter your name.') })
  if (name.wrong !== undefined) return { wrong: { field: 'name', text: name.wrong } }
  const email = EmailAddress.safeParse(form.get('email') ?? '').data
  if (email === undefined || email.length > 254)
    return { wrong: { field: 'email', text: i18n._('Enter an e-mail address such as name@example.org.') } }
  const tribute = TributeKind.safeParse(form.get('tribute')).data ?? null
  const tributeName = typed(i18n, form.get('tribute_name'), {
    most: 150,
    needed: tribute && i18n._('Enter the name of the person you want to honour or remember.'),
  })
  if (tributeName.wrong !== undefined) return { wrong: { field: 'tribute_name', text: tributeName.wrong } }
  const message = typed(i18n, form.get('message'), { most: 500, needed: null, many: true })
  if (message.wrong !== undefined) return { wrong: { field: 'message', text: message.wrong } }
  return {
    wanted: {
      ...{ attempt, amount, currency: campaign.currency, interval, donor_name: name.value, donor_email: email },
      covers_fees: campaign.allowsCoverFees && form.get('cover') === 'yes',
      fund_id: fund === usual?.id ? null : (fund ?? null),
      is_anonymous: form.get('anonymous') === 'yes',
      ...{ tribute_kind: tribute, tribute_name: tribute === null ? '' : tributeName.value, message: message.value },
    },
  }
}

/** What was chosen or typed, in minor units. Both at once is asked about: nobody is charged what they did not mean. */
function amountOf(i18n: Texts, campaign: Rules, form: URLSearchParams): number | Wrong {
  const { currency, suggested, minAmount, maxAmount } = campaign
  const own = (form.get('own') ?? '').trim()
  const chosen = form.get('amount') ?? (own === '' ? '' : ownAmount)
  if (suggested.length > 0 && chosen === '') return { field: 'amount', text: i18n._('Choose an amount, or enter one.') }
  if (suggested.length > 0 && chosen !== ownAmount) {
    const fixed = suggested.find(({ amount }) => String(amount) === chosen)?.amount
    // It was suggested when the page was opened.
    if (fixed === undefined) return { field: 'amount', text: i18n._('Choose an amount, or enter one.') }
    if (own === '') return fixed
    const also = readAmount(own, currency, i18n.locale)
    if (also === fixed) return fixed
    return {
      field: 'own',
      text: i18n._('You chose {money} and also entered another amount. Clear the field, or choose “Another amount”.', {
        money: i18n.money(fixed, currency),
      }),
    }
  }
  const amount = readMoney(i18n, own, { currency, minAmount, maxAmount })
  return typeof amount === 'number' ? amount : { field: 'own', text: amount }
}

type Bounds = Pick<PublicCampaign, 'currency' | 'minAmount' | 'maxAmount'>
/** A typed amount in minor units, or what is wrong with it. */
export function readMoney(i18n: Texts, sent: string | null, { currency, minAmount, maxAmount }: Bounds): number | string {
  const own = (sent ?? '').trim()
  const amount = readAmount(own, currency, i18n.locale)
  if (own === '') return i18n._('Enter an amount.')
  if (amount === 'too_many_decimals') return i18n._('This amount has too many decimals.')
  if (typeof amount !== 'number' || amount <= 0)
    return i18n._('Enter an amount such as {example}.', { example: i18n.money(minAmount, currency) })
  if (amount < minAmount) return i18n._('Give at least {money}.', { money: i18n.money(minAmount, currency) })
  if (maxAmount !== null && amount > maxAmount) return i18n._('Give at most {money} at once.', { money: i18n.money(maxAmount, currency) })
  return amount
}
/** An amount as somebody would type it in their language. */
export const moneyText = (i18n: Texts, amount: number, currency: string): string =>
  new Intl.NumberFormat(i18n.locale, { minimumFractionDigits: decimalsOf(currency), useGrouping: false }).format(
    plainAmount(amount, currency),
  )

type Typed = { value: string; wrong?: undefined } | { value?: undefined; wrong: string }
function typed(
  i18n: Texts,
  sent: string | null,
  { most, needed, many = false }: { most: number; needed: string | null; many?: boolean },
): Typed {
  const value = (sent ?? '').replaceAll('\r\n', '\n').trim()
  if (value === '') return needed === null ? { value } : { wrong: needed }
  // Whoever pasted it does not see it.
  const character = hiddenIn(value, !many)
  if (character !== null)
    return { wrong: i18n._('The text contains the invisible character {character}. Type it instead of pasting it.', { character }) }
  const read = (many ? lines(most) : text(most)).safeParse(value).data
  if (read === undefined) return { wrong: i18n._('The text is too long. Enter at most {most} characters.', { most }) }
  return read === '' && needed !== null ? { wrong: needed } : { value: read }
}

// Words -----------------------------------------------------------------------------------------------------------------------------------

/** Refusals of the database that a form meets only when something has changed since it was opened. */
export function refusalText(i18n: Texts, reason: string | undefined): string | undefined {
  switch (reason) {
    case 'gift_done':
      return i18n._('You have already given with this form. To give once more, open the page again.')
    case 'gift_campaign_closed':
      return i18n._('This campaign takes no gifts at the moment.')
    case 'gift_too_small':
    case 'gift_too_large':
      return i18n._('This amount cannot be given. Choose another one.')
    case 'gift_fund_unknown':
    case 'fund_archived':
      return i18n._('Choose one of the funds.')
    case 'gift_not_recurring':
      return i18n._('This campaign takes only single gifts.')
    case 'payment_refused':
      return i18n._('This amount cannot be paid by card. Choose another one, or give by bank transfer.')
    case 'payment_provider':
      return i18n._('The payment provider cannot be reached. Nothing was charged. Try again in a moment.')
    default:
      return undefined
  }
}

export function intervalText(i18n: Texts, interval: GiftInterval | null): string {
  switch (interval) {
    case null:
      return i18n._('Once')
    case 'month':
      return i18n._('Monthly')
    case 'quarter':
      return i18n._('Quarterly')
    case 'year':
      return i18n._('Yearly')
  }
}

export const percentText = (i18n: Texts, bps: number): string =>
  new Intl.NumberFormat(i18n.locale, { style: 'percent', maximumFractionDigits: 2 }).format(bps / 10_000)

/** What covering the fee comes to: a share and an amount, or one of the two. */
export function feeText(i18n: Texts, { feeBps, feeFixed, currency }: Pick<PublicCampaign, 'feeBps' | 'feeFixed' | 'currency'>): string {
  const facts = { percent: percentText(i18n, feeBps), money: i18n.money(feeFixed, currency) }
  if (feeFixed === 0) return facts.percent
  return feeBps === 0 ? facts.money : i18n._('{percent} and {money}', facts)
}

/** The addition for an amount, so that a donor sees what it comes to. */
export const feeExample = (i18n: Texts, campaign: PublicCampaign, amount: number): string =>
  i18n._('For a gift of {gift} that is {fee}.', {
    gift: i18n.money(amount, campaign.currency),
    fee: i18n.money(feeToCover(amount, campaign), campaign.currency),
  })

type Counted = Pick<PublicCampaignFacts, 'goalKind' | 'goalValue' | 'currency' | 'gifts' | 'donors' | 'countedAmount' | 'recurringAmount'>
/** How far a campaign is towards its goal, in the unit of the goal. */
export function reachedBy({ goalKind, gifts, donors, countedAmount, recurringAmount }: Counted): number {
  switch (goalKind) {
    case 'amount':
      return countedAmount
    case 'recurring':
      return recurringAmount
    case 'gifts':
      return gifts
    case 'donors':
      return donors
  }
}

/** The same in a few words. */
export function reachedText(i18n: Texts, campaign: Counted): string {
  const { goalKind, goalValue: goal, currency } = campaign
  const reached = reachedBy(campaign)
  const money = { reached: i18n.money(reached, currency), goal: i18n.money(goal ?? 0, currency) }
  const count = { reached, goal: goal ?? 0 }
  switch (goalKind) {
    case 'amount':
      return goal === null ? i18n._('{reached} raised', money) : i18n._('{reached} raised of {goal}', money)
    case 'recurring':
      return goal === null ? i18n._('{reached} a month', money) : i18n._('{reached} a month of {goal}', money)
    case 'gifts':
      return goal === null
        ? i18n._('{reached, plural, one {# gift} other {# gifts}}', count)
        : i18n._('{reached} of {goal, plural, one {# gift} other {# gifts}}', count)
    case 'donors':
      return goal === null
        ? i18n._('{reached, plural, one {# donor} other {# donors}}', count)
        : i18n._('{reached} of {goal, plural, one {# donor} other {# donors}}', count)
  }
}

/** Whole percents, never 100 before the goal is reached. */
export const percentOf = (goal: number | null, reached: number): number | null =>
  goal === null ? null : Math.floor((Math.max(reached, 0) / goal) * 100)

/** Why a campaign takes no gifts, or that it does. */
export type Takes = 'open' | 'not_yet' | 'paused' | 'ended'
type Dated = Pick<PublicCampaignFacts, 'status' | 'startsOn' | 'endsOn' | 'today' | 'takesGifts'>
export function takesOf({ status, startsOn, endsOn, today, takesGifts }: Dated): Takes {
  if (takesGifts) return 'open'
  if (status === 'ended' || (endsOn !== null && endsOn < today)) return 'ended'
  return startsOn !== null && startsOn > today ? 'not_yet' : 'paused'
}

const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
/** When it begins, how long it goes on, or that it is over. */
export function timeText(i18n: Texts, campaign: Dated): string {
  const { startsOn, endsOn, today } = campaign
  const takes = takesOf(campaign)
  if (takes === 'ended') return endsOn === null || endsOn >= today ? i18n._('Ended') : i18n._('Ended on {day}', { day: i18n.date(endsOn) })
  if (takes === 'not_yet' && startsOn !== null) return i18n._('Starts on {day}', { day: i18n.date(startsOn) })
  if (takes === 'paused') return i18n._('Paused')
  if (endsOn === null) return ''
  const days = daysBetween(today, endsOn)
  return days === 0 ? i18n._('Ends today') : i18n._('{days, plural, one {# day left} other {# days left}}', { days })
}
