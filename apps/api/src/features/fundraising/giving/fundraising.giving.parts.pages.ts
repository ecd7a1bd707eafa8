import { GiftInterval } from '@guildhall/contract/features/fundraising.gifts'
import { createElement as h } from 'react'
import type { ReactNode } from 'react'
import { textField } from '../../../platform/public-pages/page-parts.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import type { PublicCampaign, PublicCampaignFacts } from './fundraising.giving.queries.ts'
import {
  feeExample,
  feeText,
  intervalText,
  ownAmount,
  percentOf,
  percentText,
  reachedBy,
  reachedText,
  timeText,
} from './fundraising.giving.rules.ts'
import type { GivingField, Wrong } from './fundraising.giving.rules.ts'

/** How far a campaign is. What came stands before what is only promised, and both are said in words. */
export function thermometer(i18n: Texts, campaign: PublicCampaignFacts): ReactNode {
  const { goalValue: goal, goalKind, pledgedAmount: pledged, currency } = campaign
  const reached = Math.max(reachedBy(campaign), 0)
  const percent = percentOf(goal, reached)
  const withPledges = goalKind === 'amount' && pledged > 0
  return h(
    'div',
    null,
    goal === null
      ? null
      : h(
          'div',
          { className: 'layers' },
          withPledges
            ? h('progress', {
                ...{ className: 'promised', max: goal, value: Math.min(reached + pledged, goal) },
                'aria-label': i18n._('Raised and pledged'),
              })
            : null,
          h('progress', { max: goal, value: Math.min(reached, goal), 'aria-label': i18n._('Raised') }),
        ),
    h(
      'p',
      null,
      h('strong', null, reachedText(i18n, campaign)),
      percent === null ? null : ` (${percentText(i18n, percent * 100)})`,
      withPledges ? ` · ${i18n._('{money} more pledged', { money: i18n.money(pledged, currency) })}` : null,
    ),
    h('p', { className: 'quiet' }, [givenText(i18n, campaign), timeText(i18n, campaign)].filter(Boolean).join(' · ')),
  )
}

/** Where the goal counts something else than gifts. */
const givenText = (i18n: Texts, { gifts, goalKind }: PublicCampaignFacts) =>
  gifts > 0 && goalKind !== 'gifts' ? i18n._('{gifts, plural, one {# gift} other {# gifts}}', { gifts }) : ''

type FormShown = {
  i18n: Texts
  campaign: PublicCampaign
  form: URLSearchParams
  attempt: string
  action: string
  wrong?: Wrong | undefined
}

/** The form. It holds whatever was sent before, so that nothing has to be typed twice. */
export function givingForm({ i18n, campaign, form, attempt, action, wrong }: FormShown): ReactNode {
  const { currency, suggested, allowsRecurring, funds } = campaign
  const marked = (field: GivingField) => (wrong?.field === field ? { 'aria-invalid': true, 'aria-describedby': 'wrong' } : {})
  const text = (name: GivingField, label: string, more: Record<string, unknown>) =>
    textField(form, name, label, { ...more, ...marked(name) })
  return h(
    'form',
    { method: 'post', action },
    // Browsers put former values back into hidden fields, too; this one must not outlive its page.
    h('input', { type: 'hidden', name: 'attempt', value: attempt, autoComplete: 'off' }),
    allowsRecurring ? howOften(i18n, form) : null,
    amounts({ i18n, campaign, form, wrong }),
    text('own', suggested.length > 0 ? i18n._('Another amount ({currency})', { currency }) : i18n._('Amount ({currency})', { currency }), {
      ...{ inputMode: 'decimal', maxLength: 30, autoComplete: 'off' },
    }),
    funds.length > 1
      ? [
          h('label', { key: 'fund-label', htmlFor: 'fund' }, i18n._('Fund')),
          h(
            'select',
            { key: 'fund', id: 'fund', name: 'fund', defaultValue: form.get('fund') ?? funds[0]?.id, ...marked('fund') },
            funds.map(({ id, name }) => h('option', { key: id, value: id }, name)),
          ),
        ]
      : null,
    covering(i18n, campaign, form),
    text('name', i18n._('Name'), { required: true, maxLength: 150, autoComplete: 'name' }),
    text('email', i18n._('E-mail'), { type: 'email', required: true, maxLength: 254, autoComplete: 'email' }),
    check(form, 'anonymous', i18n._('Give anonymously. Only the office sees your name, for the receipt.')),
    tribute(i18n, form, text('tribute_name', i18n._('Name of the person'), { maxLength: 150, autoComplete: 'off' })),
    h(
      'details',
      { open: form.get('message') !== null && form.get('message') !== '' },
      h('summary', null, i18n._('Add a message')),
      h('label', { htmlFor: 'message' }, i18n._('Message to the organisation')),
      h('textarea', {
        ...{ id: 'message', name: 'message', rows: 3, maxLength: 500, defaultValue: form.get('message') ?? '' },
        ...marked('message'),
      }),
    ),
    shareText(i18n, campaign),
    h('p', null, h('button', { type: 'submit', className: 'button' }, i18n._('Continue to payment'))),
    h(
      'p',
      { className: 'quiet' },
      i18n._('You pay on the page of our payment provider. We use your name and e-mail address for the receipt.'),
      ' ',
      h('a', { href: '/privacy' }, i18n._('Privacy')),
    ),
  )
}

const check = (form: URLSearchParams, name: string, label: string) =>
  h(
    'label',
    { className: 'choice' },
    h('input', { type: 'checkbox', name, value: 'yes', defaultChecked: form.get(name) === 'yes' }),
    ` ${label}`,
  )

const tile = (key: string, checked: boolean, more: Record<string, unknown>, ...inside: ReactNode[]) =>
  h(
    'label',
    { key, className: 'tile' },
    h('input', { type: 'radio', value: key, defaultChecked: checked, ...more }),
    h('span', null, ...inside),
  )

function howOften(i18n: Texts, form: URLSearchParams) {
  const chosen = form.get('every') ?? ''
  return h(
    'fieldset',
    { id: 'every' },
    h('legend', null, i18n._('How often')),
    h(
      'div',
      { className: 'tiles' },
      [null, ...GiftInterval.options].map((interval) =>
        tile(interval ?? '', chosen === (interval ?? ''), { name: 'every' }, intervalText(i18n, interval)),
      ),
    ),
    h('p', { className: 'quiet' }, i18n._('You can change, pause or stop a recurring gift at any time, by a link in each receipt.')),
  )
}

function amounts({ i18n, campaign, form, wrong }: Pick<FormShown, 'i18n' | 'campaign' | 'form' | 'wrong'>) {
  const { suggested, currency } = campaign
  if (suggested.length === 0) return null
  const chosen = form.get('amount') ?? ''
  return h(
    'fieldset',
    { id: 'amount', ...(wrong?.field === 'amount' && { 'aria-describedby': 'wrong' }) },
    h('legend', null, i18n._('Amount')),
    h(
      'div',
      { className: 'tiles' },
      suggested.map(({ amount, words }) =>
        tile(String(amount), chosen === String(amount), { name: 'amount' }, h('strong', null, i18n.money(amount, currency)), words),
      ),
      tile(ownAmount, chosen === ownAmount, { name: 'amount' }, i18n._('Another amount')),
    ),
  )
}

/** Explained before anybody ticks it: what is added, and why. */
function covering(i18n: Texts, campaign: PublicCampaign, form: URLSearchParams) {
  const { allowsCoverFees, feeBps, feeFixed, suggested, minAmount } = campaign
  if (!allowsCoverFees || (feeBps === 0 && feeFixed === 0)) return null
  const chosen = suggested.find(({ amount }) => String(amount) === form.get('amount')) ?? suggested[0]
  return [
    h(
      'label',
      { key: 'cover', className: 'choice' },
      h('input', {
        ...{ type: 'checkbox', name: 'cover', value: 'yes', defaultChecked: form.get('cover') === 'yes' },
        'aria-describedby': 'cover-more',
      }),
      ` ${i18n._('Cover the card fee, so that all of my gift arrives')}`,
    ),
    h(
      'p',
      { key: 'cover-more', id: 'cover-more', className: 'quiet' },
      i18n._('The payment provider keeps {fee} of each payment. This much is added to your gift.', { fee: feeText(i18n, campaign) }),
      ' ',
      feeExample(i18n, campaign, chosen?.amount ?? minAmount),
    ),
  ]
}

const tribute = (i18n: Texts, form: URLSearchParams, name: ReactNode) =>
  h(
    'details',
    { open: Boolean(form.get('tribute')) },
    h('summary', null, i18n._('Give in honour or in memory of somebody')),
    h('label', { htmlFor: 'tribute' }, i18n._('Dedication')),
    h(
      'select',
      { id: 'tribute', name: 'tribute', defaultValue: form.get('tribute') ?? '' },
      h('option', { value: '' }, i18n._('None')),
      h('option', { value: 'honour' }, i18n._('In honour of')),
      h('option', { value: 'memory' }, i18n._('In memory of')),
    ),
    name,
  )

/** What a chapter has of each gift, said plainly. */
export const shareText = (i18n: Texts, campaign: Pick<PublicCampaign, 'shareBps' | 'shareChapter' | 'organiser'>): ReactNode => {
  const { shareBps, shareChapter, organiser } = campaign
  if (!shareChapter) return null
  const facts = { percent: percentText(i18n, shareBps), chapter: shareChapter.name, organisation: organiser }
  return h(
    'p',
    null,
    shareBps === 10_000
      ? i18n._('All of your gift goes to {chapter}.', facts)
      : organiser === shareChapter.name
        ? i18n._('{percent} of your gift goes to {chapter}.', facts)
        : i18n._('{percent} of your gift goes to {chapter}, the rest to {organisation}.', facts),
  )
}
