import { GiftInterval } from '@guildhall/contract/features/fundraising.gifts'
import { publicGivingPath, publicGivingPicturePath } from '@guildhall/contract/public-paths'
import { createElement as h } from 'react'
import { readPicture } from '../../../platform/files/content.ts'
import { formattedView } from '../../../platform/public-pages/formatted-view.ts'
import { facts } from '../../../platform/public-pages/page-parts.ts'
import type { View } from '../../../platform/public-pages/page-view.ts'
import type { PageContext } from '../../../platform/public-pages/public-pages.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import type { BegunGift, WaysBack } from '../../payments/payments.public.ts'
import { transferView } from '../../payments/payments.transfer.public.ts'
import { givingForm, shareText, thermometer } from './fundraising.giving.parts.pages.ts'
import type { BegunByForm, PublicCampaign } from './fundraising.giving.queries.ts'
import { intervalText, moneyText, ownAmount, takesOf } from './fundraising.giving.rules.ts'
import type { GuestGift, Wrong } from './fundraising.giving.rules.ts'

type Shown = Pick<PageContext, 'i18n' | 'publicUrl' | 'files' | 'takesCards'> & {
  campaign: PublicCampaign
  /** What was chosen or sent before. */
  form: URLSearchParams
  attempt: string
  wrong?: Wrong | undefined
  isCancelled?: boolean
}

/** The page of a campaign, with the form while it takes gifts. */
export async function givingView({ publicUrl, files, isCancelled = false, ...shown }: Shown): Promise<View> {
  const { i18n, takesCards, campaign } = shown
  const { name, slug, summary, story, orgId, coverFileId, coverAlt, visibility, takesGifts } = campaign
  const cover = coverFileId && (await readPicture(files, orgId, coverFileId, 'large').catch(() => undefined))
  const told = formattedView(story, i18n._('a member'))
  return {
    title: name,
    ...{ summary, isUnlisted: visibility !== 'public' },
    // The form may be sent once: the page is made anew for everybody.
    isPersonal: takesGifts && takesCards,
    ...(visibility === 'public' ? { canonical: publicUrl + publicGivingPath(slug) } : {}),
    ...(coverFileId ? { picture: { url: publicUrl + publicGivingPicturePath(slug, coverFileId), alt: coverAlt } } : {}),
    body: h(
      'div',
      null,
      isCancelled
        ? h('p', { className: 'notice', role: 'status' }, i18n._('You left the payment. Nothing was charged. You can try again here.'))
        : null,
      cover ? h('img', { className: 'cover', src: `data:image/webp;base64,${cover.toString('base64')}`, alt: coverAlt }) : null,
      summary ? h('p', null, summary) : null,
      thermometer(i18n, campaign),
      takesGifts && told.length > 0 ? h('p', null, h('a', { className: 'button', href: '#give' }, i18n._('Give'))) : null,
      told.length > 0 ? h('section', { 'aria-label': i18n._('About') }, ...told) : null,
      h('section', { id: 'give' }, ...giving(shown)),
    ),
  }
}

function giving({ i18n, campaign, form, attempt, wrong, takesCards }: Omit<Shown, 'publicUrl' | 'files'>) {
  const { takesGifts, transfer, slug, name, id, organiser } = campaign
  if (!takesGifts) return [h('p', { key: 'closed', className: 'notice', role: 'status' }, closedText(i18n, campaign))]
  const byTransfer = transfer && transferView(i18n, transfer, { title: i18n._('Give by bank transfer'), reference: slug })
  if (!takesCards)
    return [
      byTransfer
        ? h('div', { key: 'transfer' }, byTransfer)
        : h('p', { key: 'ask' }, i18n._('Give by bank transfer. {organisation} can tell you how.', { organisation: organiser })),
      h('div', { key: 'share' }, shareText(i18n, campaign)),
    ]
  return [
    h('h2', { key: 'title' }, i18n._('Give')),
    wrong === undefined
      ? null
      : h(
          'p',
          { key: 'wrong', id: 'wrong', className: 'notice', role: 'alert' },
          wrong.field === 'form' ? wrong.text : h('a', { href: `#${wrong.field}` }, wrong.text),
        ),
    h('div', { key: 'form' }, givingForm({ i18n, campaign, form, attempt, action: `${publicGivingPath(slug)}#give`, wrong })),
    byTransfer && h('details', { key: 'transfer' }, h('summary', null, i18n._('Give by bank transfer')), byTransfer),
    h(
      'p',
      { key: 'sign-in' },
      h('a', { href: `/fundraising/${id}` }, i18n._('Members sign in to give to {campaign}.', { campaign: name })),
    ),
  ]
}

function closedText(i18n: Texts, campaign: PublicCampaign): string {
  const { startsOn } = campaign
  const takes = takesOf(campaign)
  if (takes === 'not_yet' && startsOn !== null)
    return i18n._('This campaign starts on {day}. Come back then to give.', { day: i18n.date(startsOn) })
  return takes === 'ended'
    ? i18n._('This campaign has ended. Thank you to everybody who gave.')
    : i18n._('This campaign is paused and takes no gifts at the moment.')
}

export const hasCome = ({ status }: BegunByForm): boolean => status === 'settled' || status === 'partly_refunded'

export function thanksView(
  { i18n, brand }: Pick<PageContext, 'i18n' | 'brand'>,
  { name, slug, thanks }: PublicCampaign,
  gift: BegunByForm | undefined,
): View {
  const money = gift ? i18n.money(gift.amount, gift.currency) : ''
  return {
    title: i18n._('Thank you'),
    ...{ isUnlisted: true, isPersonal: true },
    body: h(
      'div',
      { role: 'status' },
      thanks ? h('p', { className: 'lines' }, thanks) : h('p', null, i18n._('Thank you for your gift.')),
      h(
        'p',
        null,
        gift && hasCome(gift)
          ? i18n._('We have received {money}. The receipt is on its way to your e-mail address.', { money })
          : gift
            ? i18n._('Your gift of {money} is not confirmed yet. That usually takes a minute; then the receipt comes by e-mail.', { money })
            : i18n._('As soon as the payment is confirmed, usually within minutes, the receipt comes by e-mail.'),
      ),
      gift?.interval ? h('p', null, i18n._('The mail has a link to change, pause or stop your recurring gift.')) : null,
      brand.contactEmail === null
        ? null
        : h(
            'p',
            { className: 'quiet' },
            i18n._('No mail after an hour? Check your spam folder, or write to us:'),
            ' ',
            h('a', { href: `mailto:${encodeURIComponent(brand.contactEmail)}` }, brand.contactEmail),
          ),
      h('p', null, h('a', { href: publicGivingPath(slug) }, i18n._('Back to {campaign}', { campaign: name }))),
    ),
  }
}

type Paying = { campaign: PublicCampaign; wanted: GuestGift; begun: BegunGift; url: string }
/** A form may not lead elsewhere by itself, so the last step is a link. */
export const payView = (i18n: Texts, { campaign, wanted, begun, url }: Paying): View => {
  const money = (amount: number) => i18n.money(amount, begun.currency)
  const fee = begun.amount - wanted.amount
  const interval = GiftInterval.safeParse(wanted.interval).data ?? null
  return {
    title: i18n._('Your gift to {campaign}', { campaign: campaign.name }),
    body: h(
      'div',
      null,
      facts([
        [i18n._('Gift'), money(wanted.amount)],
        [i18n._('Card fee covered'), fee > 0 ? money(fee) : ''],
        [i18n._('Total'), fee > 0 ? money(begun.amount) : ''],
        [i18n._('How often'), intervalText(i18n, interval)],
      ]),
      shareText(i18n, campaign),
      h('p', null, i18n._('You pay on the page of our payment provider and are led back here. Nothing is charged before that.')),
      h('p', null, h('a', { className: 'button', href: url, rel: 'noreferrer' }, i18n._('Continue to payment'))),
      h('p', null, h('a', { href: `${publicGivingPath(campaign.slug)}?gift=${wanted.attempt}#give` }, i18n._('Change your gift'))),
    ),
  }
}

/** The same ways for the same payment: the provider opens no second page for it. What was chosen is found by the attempt. */
export function waysBack(publicUrl: string, { slug }: PublicCampaign, { attempt }: GuestGift): WaysBack {
  const page = publicUrl + publicGivingPath(slug)
  return { success: `${page}/thanks?gift=${attempt}`, cancelled: `${page}/cancelled?gift=${attempt}` }
}

type Held = { query: URLSearchParams; gift: BegunByForm | undefined }
/** What the form holds when the page opens: what was typed before, or what its address chooses (`amount` in minor units, `every`, `fund`, `cover`). */
export function formOf(i18n: Texts, campaign: PublicCampaign, { query, gift }: Held): URLSearchParams {
  const typed = gift?.typed
  const form = new URLSearchParams()
  const set = (name: string, value: string | null | undefined) => {
    if (value) form.set(name, value)
  }
  set('cover', typed ? (typed.coversFees ? 'yes' : null) : query.get('cover'))
  set('every', typed ? typed.interval : query.get('every'))
  set('fund', typed ? typed.fundId : query.get('fund'))
  if (typed) {
    set('name', typed.donorName)
    set('email', typed.donorEmail)
    set('anonymous', typed.isAnonymous ? 'yes' : null)
    set('tribute', typed.tributeKind)
    set('tribute_name', typed.tributeName)
    set('message', typed.message)
  }
  const amount = typed ? String(typed.amount) : (query.get('amount') ?? '')
  if (campaign.suggested.some((one) => String(one.amount) === amount)) form.set('amount', amount)
  // One that is not among those suggested stands in the field for another one.
  else if (/^[1-9]\d{0,14}$/.test(amount)) {
    form.set('amount', ownAmount)
    form.set('own', moneyText(i18n, Number(amount), campaign.currency))
  }
  return form
}
