import { publicGivingPath } from '@guildhall/contract/public-paths'
import { CalendarDate } from '@guildhall/contract/shapes'
import { createElement as h } from 'react'
import type { ReactNode } from 'react'
import { facts, textField } from '../../../platform/public-pages/page-parts.ts'
import type { View } from '../../../platform/public-pages/page-view.ts'
import type { PublicPage } from '../../../platform/public-pages/public-pages.ts'
import { orRefused } from '../../../platform/records/savepoint.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { payPlanByLink } from '../../payments/payments.public.ts'
import { intervalText, moneyText, readMoney } from '../giving/fundraising.giving.rules.ts'
import { changePlanByLink, planByLink } from './fundraising.plans.queries.ts'
import type { LinkedPlan, PlanChange } from './fundraising.plans.queries.ts'

/** A recurring gift for whoever has the link in a receipt: opening it changes nothing, each button changes one thing. */
export const recurringGiftPage: PublicPage = {
  kind: 'link',
  purpose: 'recurring-gifts',
  async show({ db, idpOrg, secretHash, i18n, takesCards }) {
    const plan = await planByLink(db, idpOrg, secretHash)
    return plan && planView(i18n, { plan, takesCards })
  },
  async act({ db, idpOrg, secretHash, i18n, token, publicUrl, services, takesCards, form }) {
    const before = await planByLink(db, idpOrg, secretHash)
    if (!before) return overView(i18n)
    const again = (told: string): View => ({ ...planView(i18n, { plan: before, takesCards, form, told, isWrong: true }), status: 422 })
    if (form.get('do') === 'pay') {
      const back = `${publicUrl}/public/recurring-gifts/${token}`
      const pay = before.mayPay ? await payPlanByLink(services, db, { idpOrg, secretHash }, back) : undefined
      return pay ? async () => payView(i18n, before, await pay()) : again(i18n._('There is nothing to pay at the moment.'))
    }
    const read = readChange(i18n, before, form)
    if (read.wrong !== undefined) return again(read.wrong)
    const isChanged = await orRefused(
      db,
      () => changePlanByLink(db, idpOrg, secretHash, read.change),
      () => false,
    )
    const plan = await planByLink(db, idpOrg, secretHash)
    if (!plan) return overView(i18n)
    const told = isChanged ? changedText(i18n, read.change, plan) : i18n._('Nothing was changed. This is how your gift stands now.')
    return planView(i18n, { plan, takesCards, told })
  },
}

const overView = (i18n: Texts): View => ({
  title: i18n._('Recurring gift'),
  body: h('p', null, i18n._('There is no such recurring gift any more.')),
})

type Read = { change: PlanChange; wrong?: undefined } | { change?: undefined; wrong: string }
function readChange(i18n: Texts, { currency, minAmount, maxAmount, today }: LinkedPlan, form: URLSearchParams): Read {
  switch (form.get('do')) {
    case 'amount': {
      const read = readMoney(i18n, form.get('amount'), { currency, minAmount, maxAmount })
      return typeof read === 'number' ? { change: { do: 'change', amount: read, covers_fees: false } } : { wrong: read }
    }
    case 'pause': {
      const until = (form.get('until') ?? '').trim()
      if (until !== '' && (!isDay(until) || until <= today)) return { wrong: i18n._('Choose a day after today, or leave it empty.') }
      return { change: { do: 'pause', until: until === '' ? null : until } }
    }
    case 'resume':
      return { change: { do: 'resume' } }
    case 'stop':
      // What is typed here is for nobody: whoever has the link need not be the donor.
      return { change: { do: 'stop', reason: '' } }
    default:
      return { wrong: i18n._('Choose what to change.') }
  }
}
const isDay = (text: string) => CalendarDate.safeParse(text).success

function changedText(i18n: Texts, change: PlanChange, plan: LinkedPlan): string {
  switch (change.do) {
    case 'change':
      return i18n._('From now on you give {money}.', { money: i18n.money(plan.amount, plan.currency) })
    case 'pause':
      return plan.pausedUntil === null
        ? i18n._('Your gift is paused until you resume it.')
        : i18n._('Your gift is paused until {day}.', { day: i18n.date(plan.pausedUntil) })
    case 'stop':
      return i18n._('Your recurring gift has ended. Nothing more will be charged. Thank you for what you gave.')
    default:
      return plan.nextOn === null
        ? i18n._('Your gift goes on.')
        : i18n._('Your gift goes on. The next one is on {day}.', { day: i18n.date(plan.nextOn) })
  }
}

export function statusText(i18n: Texts, { status, nextOn, retryOn, pausedUntil, stoppedBy }: LinkedPlan): string {
  switch (status) {
    case 'pending':
      return i18n._('Waiting for the first payment')
    case 'active':
      return nextOn === null ? i18n._('Active') : i18n._('Active. The next gift is on {day}.', { day: i18n.date(nextOn) })
    case 'past_due':
      return retryOn === null
        ? i18n._('The last charge failed.')
        : i18n._('The last charge failed. We try again on {day}.', { day: i18n.date(retryOn) })
    case 'paused':
      return pausedUntil === null ? i18n._('Paused') : i18n._('Paused until {day}', { day: i18n.date(pausedUntil) })
    case 'cancelled':
      return stoppedBy === 'failures' ? i18n._('Ended, since the card could not be charged') : i18n._('Ended')
    case 'completed':
      return i18n._('Completed')
  }
}

type Shown = { plan: LinkedPlan; takesCards: boolean; form?: URLSearchParams; told?: string; isWrong?: boolean }
function planView(i18n: Texts, { plan, takesCards, form = new URLSearchParams(), told, isWrong = false }: Shown): View {
  const { status, amount, currency, interval, campaign, slug, given, gifts, cardBrand, cardLast4, startedOn, mayPay } = plan
  const isOver = status === 'cancelled' || status === 'completed'
  const mayPause = status === 'active' || status === 'past_due'
  const brought = i18n._('{money} in {gifts, plural, one {# gift} other {# gifts}}', { money: i18n.money(given, currency), gifts })
  return {
    title: campaign === null ? i18n._('Recurring gift') : i18n._('Your recurring gift to {campaign}', { campaign }),
    body: h(
      'div',
      null,
      told === undefined ? null : h('p', { className: 'notice', role: isWrong ? 'alert' : 'status' }, told),
      facts([
        [i18n._('Amount'), i18n.money(amount, currency)],
        [i18n._('How often'), intervalText(i18n, interval)],
        [i18n._('Status'), statusText(i18n, plan)],
        [i18n._('Card'), cardLast4 === null || isOver ? '' : `${named(cardBrand ?? '')} •••• ${cardLast4}`.trim()],
        [i18n._('Since'), startedOn === null ? '' : i18n.date(startedOn)],
        [i18n._('Given so far'), gifts === 0 ? '' : brought],
      ]),
      mayPay && takesCards
        ? h(
            'form',
            { method: 'post' },
            h('p', null, i18n._('Pay the gift that failed, with the same card or another one. Later gifts are charged to that card.')),
            button('pay', i18n._('Pay {money} by card', { money: i18n.money(amount, currency) })),
          )
        : null,
      isOver ? null : amountForm(i18n, plan, form),
      mayPause ? pauseForm(i18n, plan, form) : null,
      status === 'paused' ? h('form', { method: 'post' }, button('resume', i18n._('Resume'))) : null,
      isOver
        ? slug === null
          ? null
          : h('p', null, h('a', { href: publicGivingPath(slug) }, i18n._('Give again')))
        : h(
            'section',
            null,
            h('h2', null, i18n._('Stop')),
            h('p', null, i18n._('Nothing more is charged. What you gave stays given.')),
            h('form', { method: 'post' }, button('stop', i18n._('Stop my recurring gift'))),
          ),
    ),
  }
}

/** Providers write them small. */
const named = (brand: string) => brand.charAt(0).toUpperCase() + brand.slice(1)

const button = (what: string, label: string) =>
  h('button', { key: what, type: 'submit', name: 'do', value: what, className: 'button' }, label)

const amountForm = (i18n: Texts, plan: LinkedPlan, form: URLSearchParams): ReactNode => {
  const held = new URLSearchParams({ amount: form.get('amount') ?? moneyText(i18n, plan.amount, plan.currency) })
  return h(
    'section',
    null,
    h('h2', null, i18n._('Change the amount')),
    h(
      'form',
      { method: 'post' },
      ...textField(held, 'amount', i18n._('New amount ({currency})', { currency: plan.currency }), {
        ...{ inputMode: 'decimal', maxLength: 30, required: true, autoComplete: 'off' },
      }),
      button('amount', i18n._('Change amount')),
    ),
  )
}

const pauseForm = (i18n: Texts, { today }: LinkedPlan, form: URLSearchParams): ReactNode =>
  h(
    'section',
    null,
    h('h2', null, i18n._('Pause')),
    h(
      'form',
      { method: 'post' },
      ...textField(form, 'until', i18n._('Until (optional)'), { type: 'date', min: today }),
      h('p', { className: 'quiet' }, i18n._('Without a day, the gift goes on when you resume it.')),
      button('pause', i18n._('Pause my gift')),
    ),
  )

const payView = (i18n: Texts, { campaign, amount, currency }: LinkedPlan, url: string): View => ({
  title: campaign === null ? i18n._('Recurring gift') : i18n._('Your recurring gift to {campaign}', { campaign }),
  body: h(
    'div',
    null,
    facts([[i18n._('Amount'), i18n.money(amount, currency)]]),
    h('p', null, i18n._('You pay on the page of our payment provider and are led back here.')),
    h('p', null, h('a', { className: 'button', href: url, rel: 'noreferrer' }, i18n._('Continue to payment'))),
  ),
})
