import { publicGivingPath } from '@guildhall/contract/public-paths'
import * as z from 'zod'
import type { MailTemplate } from '../../../platform/mail/templates.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { attached, fileOf, findReceiptPaper, receiptDocument, receiptTitle } from '../../finance/papers/finance.papers.public.ts'
import type { ReceiptPaper } from '../../finance/papers/finance.papers.public.ts'
import { giftLetter, instalmentLetter, instalmentLink, planLetter, planLink } from './fundraising.mails.queries.ts'
import type { GiftLetter, InstalmentLetter } from './fundraising.mails.queries.ts'

/** Thanks for a gift, with its receipt; after a refund of a part or a correction, with the one that replaces it. */
export const giftReceiptMail: MailTemplate<{ receipt: string; gift: string }> = {
  key: 'gift-receipt',
  essential: true,
  params: z.object({ receipt: z.uuid(), gift: z.uuid() }),
  async write({ i18n, params, organisation, database }) {
    const { id: orgId, name } = organisation
    const { paper, gift, link } = await database.withoutActor(async (db) => {
      const paper = await findReceiptPaper(db, orgId, params.receipt)
      const gift = await giftLetter(db, orgId, params.gift)
      const goesOn = gift?.planStatus === 'active' || gift?.planStatus === 'past_due' || gift?.planStatus === 'paused'
      return { paper, gift, link: gift?.planId && goesOn ? await planLink(db, orgId, gift.planId) : undefined }
    })
    if (paper?.state !== 'issued' || !gift) return null
    const isNew = paper.replaces === null
    return {
      subject:
        isNew && gift.campaign !== null
          ? i18n._('Thank you for your gift to {campaign}', { campaign: gift.campaign })
          : i18n._('{title} from {organisation}', { title: receiptTitle(i18n, paper), organisation: name }),
      paragraphs: [
        ...(isNew ? [gift.thanks.trim() || i18n._('Thank you for your gift.')] : []),
        receiptText(i18n, paper, gift),
        ...aboutGift(i18n, gift),
        ...(link === undefined ? [] : [goesOnText(i18n, gift)]),
      ],
      ...(link !== undefined && {
        action: { label: i18n._('Manage recurring gift'), path: link },
        after: [i18n._('With this link you can change, pause or stop your gift without signing in. Keep it to yourself.')],
      }),
      attachments: [await attached(fileOf(paper), receiptDocument(i18n, paper))],
    }
  },
}

function receiptText(i18n: Texts, paper: ReceiptPaper, gift: GiftLetter): string {
  const facts = { money: i18n.money(paper.amount, paper.currency), day: i18n.date(paper.receivedOn), number: paper.replaces ?? '' }
  if (paper.replaces === null) return i18n._('We received {money} on {day}. The receipt is attached.', facts)
  return paper.amount < gift.amount
    ? i18n._('Part of your gift was refunded. The attached receipt over {money} replaces receipt {number}.', facts)
    : i18n._('We have corrected your receipt. The attached one over {money} replaces receipt {number}.', facts)
}

function aboutGift(i18n: Texts, { tributeKind, tributeName, share, currency }: GiftLetter): string[] {
  return [
    ...(tributeKind === 'honour' ? [i18n._('Given in honour of {name}.', { name: tributeName })] : []),
    ...(tributeKind === 'memory' ? [i18n._('Given in memory of {name}.', { name: tributeName })] : []),
    ...(share && share.amount > 0
      ? [i18n._('{money} of it goes to {chapter}.', { money: i18n.money(share.amount, currency), chapter: share.chapter })]
      : []),
  ]
}

function goesOnText(i18n: Texts, { interval, nextOn, planAmount, planStatus, currency, amount }: GiftLetter): string {
  const facts = { money: i18n.money(planAmount ?? amount, currency), day: nextOn === null ? '' : i18n.date(nextOn) }
  if (planStatus === 'paused' || nextOn === null) return i18n._('Your recurring gift is paused.')
  if (interval === 'quarter') return i18n._('This is a quarterly gift. The next one, {money}, will be charged on {day}.', facts)
  return interval === 'year'
    ? i18n._('This is a yearly gift. The next one, {money}, will be charged on {day}.', facts)
    : i18n._('This is a monthly gift. The next one, {money}, will be charged on {day}.', facts)
}

/** A saved card that was not charged, once for each gift; nothing to tell once it is paid, or the recurring gift has ended. */
export const planChargeFailedMail: MailTemplate<{ plan: string; gift: string }> = {
  key: 'plan-charge-failed',
  essential: true,
  params: z.object({ plan: z.uuid(), gift: z.uuid() }),
  async write({ i18n, params, organisation, database }) {
    const { plan, link } = await database.withoutActor(async (db) => {
      const plan = await planLetter(db, organisation.id, params.plan)
      return { plan, link: plan?.status === 'past_due' ? await planLink(db, organisation.id, params.plan) : undefined }
    })
    if (!plan || link === undefined) return null
    const facts = {
      ...{ money: i18n.money(plan.amount, plan.currency), campaign: plan.campaign ?? organisation.name },
      day: plan.retryOn === null ? '' : i18n.date(plan.retryOn),
    }
    return {
      subject: i18n._('Your gift to {campaign} could not be charged', facts),
      paragraphs: [
        plan.hasCard
          ? i18n._('We tried to charge {money} for your recurring gift to {campaign}. The card was declined.', facts)
          : i18n._('We could not charge {money} for your recurring gift to {campaign}: there is no saved card.', facts),
        ...(plan.retryOn === null
          ? []
          : [i18n._('We will try again on {day}. You can also pay now, with the same card or another one.', facts)]),
      ],
      action: { label: i18n._('Manage recurring gift'), path: link },
      after: [i18n._('There you can also pause or stop your gift.')],
    }
  },
}

/** A recurring gift that has ended since its card could not be charged. */
export const planStoppedMail: MailTemplate<{ plan: string }> = {
  key: 'plan-stopped',
  essential: true,
  params: z.object({ plan: z.uuid() }),
  async write({ i18n, params, organisation, database }) {
    const plan = await database.withoutActor((db) => planLetter(db, organisation.id, params.plan))
    if (plan?.stoppedBy !== 'failures') return null
    const facts = { campaign: plan.campaign ?? organisation.name }
    return {
      subject: i18n._('Your recurring gift to {campaign} has ended', facts),
      paragraphs: [
        i18n._('We tried to charge your card several times without success. Your recurring gift to {campaign} has ended.', facts),
        i18n._('Nothing more will be charged. Thank you for everything you gave.'),
      ],
      ...(plan.slug !== null && { action: { label: i18n._('Give again'), path: publicGivingPath(plan.slug) } }),
    }
  },
}

/** A friendly reminder of an instalment of a pledge; nothing to tell once it is paid, waived or cancelled. */
export const pledgeReminderMail: MailTemplate<{ instalment: string }> = {
  key: 'pledge-reminder',
  essential: true,
  params: z.object({ instalment: z.uuid() }),
  async write({ i18n, params: { instalment }, organisation: { id: orgId }, database, config }) {
    const { found, link } = await database.withoutActor(async (db) => {
      const found = await instalmentLetter(db, orgId, instalment)
      const isDue = found?.state === 'due' && found.pledgeStatus === 'open'
      return { found, link: isDue ? await instalmentLink(db, config.ACTOR_KEY, orgId, instalment) : undefined }
    })
    if (!found || link === undefined) return null
    const facts = {
      ...{ money: i18n.money(found.amount, found.currency), campaign: found.campaign ?? found.fund, day: i18n.date(found.dueOn) },
      left: i18n.money(found.left, found.currency),
    }
    return {
      subject: found.isOverdue
        ? i18n._('Reminder: your pledge to {campaign}', facts)
        : i18n._('Your pledge to {campaign} is due on {day}', facts),
      paragraphs: [
        found.isOverdue
          ? i18n._('Thank you for your pledge to {campaign}. {money} was due on {day}.', facts)
          : i18n._('Thank you for your pledge to {campaign}. {money} is due on {day}.', facts),
        ...(found.left > found.amount ? [i18n._('{left} of your pledge is still to come.', facts)] : []),
        ...transferText(i18n, found),
      ],
      action: { label: i18n._('Pay now'), path: link },
      after: [i18n._('If you have just paid, please ignore this mail.')],
    }
  },
}

function transferText(i18n: Texts, { transfer, campaign, fund }: InstalmentLetter): string[] {
  if (!transfer) return []
  const facts: [string, string][] = [
    [i18n._('Account holder'), transfer.accountHolder],
    [i18n._('Account number'), transfer.accountNumber],
    [i18n._('Bank code'), transfer.bankCode],
    [i18n._('Bank'), transfer.bankName],
    [i18n._('Reference'), campaign ?? fund],
  ]
  return [
    [
      i18n._('You can pay by bank transfer:'),
      ...facts.filter(([, value]) => value !== '').map(([term, value]) => `${term}: ${value}`),
    ].join('\n'),
  ]
}
