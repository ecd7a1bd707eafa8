import { randomUUID } from 'node:crypto'
import { publicGivingListPath, publicGivingPath } from '@guildhall/contract/public-paths'
import { createElement as h } from 'react'
import { toProblem } from '../../../platform/procedures/problem.ts'
import type { View } from '../../../platform/public-pages/page-view.ts'
import type { PageContext, PublicPage } from '../../../platform/public-pages/public-pages.ts'
import { orRefused } from '../../../platform/records/savepoint.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { beginGiftOfGuest } from '../../payments/payments.public.ts'
import type { BegunGift } from '../../payments/payments.public.ts'
import { thermometer } from './fundraising.giving.parts.pages.ts'
import { publicCampaign, publicCampaigns, publicGift } from './fundraising.giving.queries.ts'
import type { BegunByForm, PublicCampaign } from './fundraising.giving.queries.ts'
import { attemptIn, attemptOf, readGivingForm, refusalText } from './fundraising.giving.rules.ts'
import type { Wrong } from './fundraising.giving.rules.ts'
import { formOf, givingView, hasCome, payView, thanksView, waysBack } from './fundraising.giving.views.pages.ts'

/** Campaigns that anybody can give to. */
export const givingListPage: PublicPage = {
  kind: 'published',
  path: 'giving',
  async show({ db, idpOrg, i18n, brand, publicUrl }) {
    const campaigns = await publicCampaigns(db, idpOrg)
    return {
      title: i18n._('Give to {organisation}', { organisation: brand.name }),
      canonical: publicUrl + publicGivingListPath,
      body:
        campaigns.length === 0
          ? h('p', null, i18n._('There is no campaign to give to at the moment.'))
          : h(
              'ul',
              { className: 'plain' },
              campaigns.map((campaign) =>
                h(
                  'li',
                  { key: campaign.id },
                  h('h2', null, h('a', { href: publicGivingPath(campaign.slug) }, campaign.name)),
                  campaign.summary ? h('p', null, campaign.summary) : null,
                  thermometer(i18n, campaign),
                ),
              ),
            ),
    }
  },
}

/** A campaign with its story and the form to give. Nobody has to sign in. */
export const givingPage: PublicPage = {
  kind: 'published',
  path: 'giving/:slug',
  counts: 'give',
  async show({ query, ...context }) {
    const campaign = await publicCampaign(context.db, context.idpOrg, context.params['slug'] ?? '')
    if (!campaign) return undefined
    const { attempt, gift } = await begunIn(context, query, campaign)
    return givingView({ ...context, campaign, form: formOf(context.i18n, campaign, { query, gift }), attempt })
  },
  async act({ db, form, services, ...context }) {
    const { idpOrg, i18n, publicUrl, params } = context
    const campaign = await publicCampaign(db, idpOrg, params['slug'] ?? '')
    if (!campaign) return undefined
    const attempt = attemptOf(form)
    const again = async (wrong?: Wrong): Promise<View> => ({
      ...(await givingView({ ...context, campaign, form, attempt, wrong })),
      status: 422,
    })
    if (!campaign.takesGifts || !services.payments) return again()
    const read = readGivingForm(i18n, campaign, { form, attempt })
    if (!read.wanted) return again(read.wrong)
    const { wanted } = read
    const begun = await orRefused<BegunGift | Wrong | undefined>(
      db,
      () => beginGiftOfGuest(services, db, { idpOrg, slug: campaign.slug }, wanted),
      (error) => wrongOf(i18n, error),
    )
    if (!begun) return again()
    if ('field' in begun) return again(begun)
    return async () => {
      try {
        return payView(i18n, { campaign, wanted, begun, url: await begun.open(waysBack(publicUrl, campaign, wanted)) })
      } catch (error) {
        return again(wrongOf(i18n, error))
      }
    }
  },
}

/** What the provider's page leads back to. Of the gift it says something only to the browser that began it. */
export const givingThanksPage: PublicPage = {
  kind: 'published',
  path: 'giving/:slug/thanks',
  async show({ query, ...context }) {
    const campaign = await publicCampaign(context.db, context.idpOrg, context.params['slug'] ?? '')
    return campaign && thanksView(context, campaign, (await begunIn(context, query, campaign)).gift)
  },
}

/** Where whoever leaves the provider's page without paying comes back to: nothing has to be chosen again. */
export const givingCancelledPage: PublicPage = {
  kind: 'published',
  path: 'giving/:slug/cancelled',
  async show({ query, ...context }) {
    const campaign = await publicCampaign(context.db, context.idpOrg, context.params['slug'] ?? '')
    if (!campaign) return undefined
    const { attempt, gift } = await begunIn(context, query, campaign)
    // Paid on another page of the same browser.
    if (gift && hasCome(gift)) return thanksView(context, campaign, gift)
    const form = formOf(context.i18n, campaign, { query, gift })
    return { ...(await givingView({ ...context, campaign, form, attempt, isCancelled: true })), isUnlisted: true }
  },
}

/** A card of the campaign for other websites: it holds no form, and leads to the page in a tab of its own. */
export const givingEmbedPage: PublicPage = {
  kind: 'published',
  path: 'giving/:slug/embed',
  async show({ db, idpOrg, i18n, params, publicUrl }) {
    const campaign = await publicCampaign(db, idpOrg, params['slug'] ?? '')
    if (!campaign) return undefined
    const { name, summary, slug, takesGifts } = campaign
    const address = publicUrl + publicGivingPath(slug)
    const label = takesGifts ? i18n._('Give') : i18n._('See the campaign')
    return {
      title: name,
      ...{ isUnlisted: true, isFramed: true },
      body: h(
        'div',
        null,
        summary ? h('p', null, summary) : null,
        thermometer(i18n, campaign),
        h('p', null, h('a', { className: 'button', href: address, target: '_blank', rel: 'noopener' }, label)),
      ),
    }
  },
}

/** The cover as messengers fetch it. */
export const givingPicture: PublicPage = {
  kind: 'picture',
  path: 'giving/:slug/pictures/:picture',
  async find({ db, idpOrg, params }) {
    const campaign = await publicCampaign(db, idpOrg, params['slug'] ?? '')
    if (!campaign?.coverFileId || campaign.coverFileId !== params['picture']) return undefined
    return { orgId: campaign.orgId, pictureId: campaign.coverFileId }
  },
}

type Begun = { attempt: string; gift: BegunByForm | undefined }
/** The gift that an address names, to go on with while it is not paid; else a new one begins with the form. */
async function begunIn(
  { db, idpOrg }: Pick<PageContext, 'db' | 'idpOrg'>,
  query: URLSearchParams,
  { slug }: PublicCampaign,
): Promise<Begun> {
  const attempt = attemptIn(query.get('gift'))
  const found = attempt === undefined ? undefined : await publicGift(db, idpOrg, attempt)
  const gift = found?.slug === slug ? found : undefined
  return { attempt: attempt !== undefined && gift?.status === 'pending' ? attempt : randomUUID(), gift }
}

const wrongOf = (i18n: Texts, error: unknown): Wrong => {
  const { data } = toProblem(error) ?? { data: undefined }
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? String(data.reason) : undefined
  const text = refusalText(i18n, reason)
  if (text === undefined) throw error
  return { field: 'form', text }
}
