import type { fundraisingCampaigns, fundraisingFunds, fundraisingSettings } from '@guildhall/contract/features/fundraising'
import type { fundraisingDonorsActions, fundraisingDonorsData } from '@guildhall/contract/features/fundraising.donors'
import type { fundraisingGiftsActions, fundraisingGiftsData } from '@guildhall/contract/features/fundraising.gifts'
import type { fundraisingPlansData } from '@guildhall/contract/features/fundraising.plans'
import type { fundraisingPledgesActions, fundraisingPledgesData } from '@guildhall/contract/features/fundraising.pledges'
import { randomUUID } from 'node:crypto'
import { may } from '../line.ts'
import type { AreaRows, PolicyOf } from '../line.ts'
import { right } from '../grid.ts'
import { rights } from '../rights.ts'

export const fundraisingRights = {
  seeCampaigns: right(
    'See campaigns that have begun, what they raised, funds, and the settings of gifts',
    `                west below east org
     former          x    x     x    x
     member          x    x     x    x
     leader          x    x     x    x
     officer         x    x     x    x
     events          x    x     x    x
     finance         x    x     x    x
     communications  x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  manageCampaigns: right(
    'Create, change and archive campaigns and funds, and see drafts',
    `                west below east org
     officer         x    x     -    -
     finance         x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  /** Whoever records gifts sees those they recorded, and no others. */
  recordGifts: right(
    'Record gifts that came by hand',
    `                west below east org
     officer         x    x     -    -
     finance         x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  seeGifts: right(
    'See gifts, recurring gifts and pledges, and what somebody gave',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   -    -     -
     officer         x   -    -     -
     finance         .   x    x     x
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  seeGiftNotes: right(
    'See what the office notes about gifts and pledges',
    `                west below east
     finance         x    x     x
     admin           x    x     x
     owner           x    x     x`,
  ),
  manageGifts: right(
    'Correct gifts, thank for them, and manage pledges and recurring gifts',
    `                west below east org
     finance         x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  giveByCard: right(
    'Give by card while signed in',
    `                west below east
     former          x    x     x
     member          x    x     x
     leader          x    x     x
     officer         x    x     x`,
  ),
  payInstalments: right(
    'Pay instalments of one’s own pledge by card',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   -    -     -
     officer         x   -    -     -`,
  ),
  setGifts: right(
    'Change the settings of gifts',
    `                org
     finance         x
     admin           x
     owner           x`,
  ),
  payChapters: right(
    'Record what chapters were paid of gifts',
    `                west below east
     finance         x    x     x
     admin           x    x     x
     owner           x    x     x`,
  ),
  seePayouts: right(
    'See what chapters have of gifts and what they were paid',
    `                west below east
     officer         x    x     -
     finance         x    x     x
     admin           x    x     x
     owner           x    x     x`,
  ),
  mailGivingStatements: right(
    'Mail donors a statement of what they gave',
    `                org
     finance         x
     admin           x
     owner           x`,
  ),
}
const { seeCampaigns, manageCampaigns, recordGifts, seeGifts, seeGiftNotes, manageGifts, giveByCard, payInstalments } = fundraisingRights
const { setGifts, payChapters, seePayouts, mailGivingStatements } = fundraisingRights

export const fundraisingKinds = {
  campaign: seeCampaigns,
  draftCampaign: manageCampaigns,
  fund: seeCampaigns,
  gift: seeGifts,
  giftNote: seeGiftNotes,
  recurringGift: seeGifts,
  pledgeNote: seeGiftNotes,
  payout: seePayouts,
}

export const fundraisingRows: AreaRows = async ({ add, run, orgId, chapterId, canary, people: { personId } }) => {
  const here = { org_id: orgId, chapter_id: chapterId }
  const fundId = await add('funds', { ...here, name: canary('fund'), description: canary('fund') })
  const campaign = (slug: string, name: string, more: Record<string, unknown> = {}) =>
    add('campaigns', {
      ...here,
      fund_id: fundId,
      currency: 'EUR',
      status: 'active',
      name,
      summary: name,
      slug: `${slug}-${chapterId}`,
      ...more,
    })
  const campaignId = await campaign('here', canary('campaign'))
  const draftCampaignId = await campaign('draft', canary('draftCampaign'), { status: 'draft' })

  /** A row and what must add up to it, in one transaction. */
  const together = async (
    table: string,
    row: Record<string, unknown>,
    parts: string,
    columns: Record<string, unknown>,
  ): Promise<string> => {
    const id = randomUUID()
    const whole = { id, ...here, campaign_id: campaignId, person_id: personId, currency: 'EUR', ...row }
    const [names, more] = [Object.keys(whole), Object.keys(columns)]
    await run(
      `with made as (insert into app.${table} (${names.join(', ')}) values (${names.map((_, nth) => `$${nth + 1}`).join(', ')}))
       insert into app.${parts} (${more.join(', ')}) values (${more.map((_, nth) => `$${names.length + nth + 1}`).join(', ')})`,
      [...Object.values(whole), ...more.map((name) => (columns[name] === '$id' ? id : columns[name]))],
    )
    return id
  }
  const gift = async (more: Record<string, unknown>) => {
    const texts = { donor_name: canary('gift'), message: canary('gift'), tribute_kind: 'memory', tribute_name: canary('gift') }
    const shared = { share_chapter_id: chapterId, share_amount: 500 }
    const row = { ...texts, ...shared, amount: 5_000, method: 'cash', source: 'office', ...more }
    return together('gifts', row, 'gift_allocations', { org_id: orgId, gift_id: '$id', fund_id: fundId, amount: 5_000 })
  }
  const giftId = await gift({})
  await add('payments', {
    ...{ org_id: orgId, gift_id: giftId, person_id: personId, method: 'cash', amount: 5_000, currency: 'EUR', state: 'settled' },
    ...{ received_on: '2026-01-05', settled_at: '2026-01-05', reference: canary('gift') },
  })
  await add('receipts', {
    ...{
      org_id: orgId,
      gift_id: giftId,
      person_id: personId,
      amount: 5_000,
      currency: 'EUR',
      issued_on: '2026-01-05',
      received_on: '2026-01-05',
    },
    ...{ payment_id: await paymentOf(run, giftId), number: `G-${chapterId}`, number_year: 2020, lines: '[]' },
    ...{ number_place: 1_000_000 + Number.parseInt(chapterId.slice(-6), 16), billing: '{"name":"x","lines":[]}', seller: '{}' },
  })
  await add('giving_notes', { org_id: orgId, gift_id: giftId, note: canary('giftNote') })

  const plan = (more: Record<string, unknown>) =>
    add('recurring_plans', {
      ...{ ...here, campaign_id: campaignId, person_id: personId, fund_id: fundId, amount: 1_000, currency: 'EUR', interval: 'month' },
      ...{ donor_name: canary('recurringGift'), status: 'active', started_on: '2026-01-05', next_on: '2090-01-05' },
      ...more,
    })
  const failedPlanId = await plan({
    status: 'past_due',
    next_on: '2026-02-05',
    retry_on: '2026-02-08',
    first_failed_on: '2026-02-05',
    failures: 1,
  })
  await add('payment_methods', {
    ...{ org_id: orgId, person_id: personId, plan_id: failedPlanId, provider_customer: 'cus_1', provider_method: `pm_plan_${chapterId}` },
    ...{ brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2090 },
  })
  const instalmentId = randomUUID()
  const pledgeId = await together(
    'pledges',
    { fund_id: fundId, amount: 3_000, open_amount: 3_000, pledged_on: '2026-01-05' },
    'pledge_instalments',
    { org_id: orgId, id: instalmentId, pledge_id: '$id', place: 1, due_on: '2026-02-05', amount: 3_000 },
  )
  await add('giving_notes', { org_id: orgId, pledge_id: pledgeId, note: canary('pledgeNote') })
  const payout = { ...here, amount: 100, currency: 'EUR', paid_on: '2026-01-10' }
  return {
    ...{ fundId, campaignId, draftCampaignId, giftId, failedPlanId, pledgeId, instalmentId },
    ...{ payablePledgeId: pledgeId, payableInstalmentId: instalmentId },
    thankedGiftId: await gift({ thanked_at: new Date(), thanked_how: 'call' }),
    spareFundId: await add('funds', { ...here, name: `Spare ${canary('fund')}` }),
    archivedFundId: await add('funds', { ...here, name: `Old ${canary('fund')}`, archived_at: new Date() }),
    archivedCampaignId: await campaign('old', canary('campaign'), { archived_at: new Date() }),
    planId: await plan({}),
    pausedPlanId: await plan({ status: 'paused' }),
    payoutId: await add('chapter_payouts', { ...payout, reference: canary('payout'), note: canary('payout') }),
  }
}

async function paymentOf(run: Parameters<AreaRows>[0]['run'], giftId: string): Promise<unknown> {
  const answer = await run('select id from app.payments where gift_id = $1', [giftId])
  const rows: unknown = typeof answer === 'object' && answer !== null && 'rows' in answer ? answer.rows : []
  return Array.isArray(rows) && typeof rows[0] === 'object' && rows[0] !== null && 'id' in rows[0] ? rows[0].id : null
}

/** What somebody of the cast has promised themselves: a pledge to be paid at once. */
export async function ownPledge(
  run: Parameters<AreaRows>[0]['run'],
  row: { orgId: string; chapterId: string; personId: string; fundId: string },
): Promise<{ payablePledgeId: string; payableInstalmentId: string }> {
  const [pledgeId, instalmentId] = [randomUUID(), randomUUID()]
  await run(
    `with made as (insert into app.pledges (org_id, id, chapter_id, person_id, fund_id, amount, open_amount, currency, pledged_on)
       values ($1, $2, $3, $4, $5, 3000, 3000, 'EUR', '2026-01-05'))
     insert into app.pledge_instalments (org_id, id, pledge_id, place, due_on, amount) values ($1, $6, $2, 1, '2026-02-05', 3000)`,
    [row.orgId, pledgeId, row.chapterId, row.personId, row.fundId, instalmentId],
  )
  return { payablePledgeId: pledgeId, payableInstalmentId: instalmentId }
}

const period = { since: '2026-01-01', until: '2026-01-31' }
const five = { amount: 500, currency: 'EUR' }
const byHand = { method: 'cash', receivedOn: '2026-01-06', campaignId: '$campaignId' }

type Contract = typeof fundraisingCampaigns & {
  funds: typeof fundraisingFunds
  settings: typeof fundraisingSettings
  gifts: typeof fundraisingGiftsData
  donors: typeof fundraisingDonorsData
  plans: typeof fundraisingPlansData
  pledges: typeof fundraisingPledgesData
}
export const fundraisingPolicy: PolicyOf<Contract> = {
  list: may(rights.account, { shows: ['campaign', 'draftCampaign'] }),
  figures: may(seeCampaigns),
  create: may(manageCampaigns, { send: { name: 'New', chapterId: '$chapterId' } }),
  get: may(seeCampaigns, { shows: ['campaign'] }),
  overview: may(seeCampaigns, { shows: ['campaign'] }),
  update: may(manageCampaigns, { send: { goal: 100 } }),
  move: may(manageCampaigns, { send: { status: 'paused' } }),
  copy: may(manageCampaigns, { ids: { campaignId: 'draftCampaignId' }, send: { name: 'Copy' } }),
  archive: may(manageCampaigns),
  restore: may(manageCampaigns, { ids: { campaignId: 'archivedCampaignId' } }),
  funds: {
    list: may(rights.account, { shows: ['fund'] }),
    create: may(manageCampaigns, { send: { name: 'New fund', chapterId: '$chapterId' } }),
    update: may(manageCampaigns, { send: { code: '1' } }),
    // The other one is needed by a campaign that runs.
    archive: may(manageCampaigns, { ids: { fundId: 'spareFundId' } }),
    restore: may(manageCampaigns, { ids: { fundId: 'archivedFundId' } }),
  },
  settings: { get: may(seeCampaigns), update: may(setGifts, { ids: { version: 'none' }, send: { feeBps: 140 } }) },
  gifts: {
    list: may(rights.account, { shows: ['gift'] }),
    totals: may(rights.account),
    get: may(seeGifts, { shows: ['gift', 'giftNote'] }),
    record: may(recordGifts, { send: { ...byHand, donorName: 'Bakery', money: five } }),
    recordBatch: may(recordGifts, { send: { ...byHand, currency: 'EUR', rows: [{ donorName: 'Bakery', amount: 500 }] } }),
    update: may(manageGifts, { send: { isAnonymous: true } }),
    thanks: {
      list: may(rights.account),
      note: may(manageGifts, { send: { how: 'call' } }),
      undo: may(manageGifts, { ids: { giftId: 'thankedGiftId' } }),
      mail: may(manageGifts, { send: { subject: 'Thank you', body: 'Thank you.' } }),
    },
  },
  donors: {
    list: may(rights.account),
    giving: may(seeGifts),
    statement: may(seeGifts),
    runs: may(rights.account),
    runPreview: may(mailGivingStatements),
    shares: may(rights.account),
    payouts: may(rights.account, { shows: ['payout'] }),
    recordPayout: may(payChapters, { send: { chapterId: '$chapterId', money: { amount: 100, currency: 'EUR' }, paidOn: '2026-01-10' } }),
    reversePayout: may(payChapters, { send: { reason: 'Twice' } }),
  },
  plans: {
    list: may(rights.account, { shows: ['recurringGift'] }),
    get: may(seeGifts, { shows: ['recurringGift'] }),
    change: may(manageGifts, { send: { money: five } }),
    pause: may(manageGifts, { send: {} }),
    resume: may(manageGifts, { ids: { planId: 'pausedPlanId' } }),
    stop: may(manageGifts, { send: {} }),
    retry: may(manageGifts, { ids: { planId: 'failedPlanId' } }),
  },
  pledges: {
    list: may(rights.account, { shows: ['pledgeNote'] }),
    get: may(seeGifts, { shows: ['pledgeNote'] }),
    create: may(manageGifts, {
      send: { personId: '$personId', campaignId: '$campaignId', money: five, pledgedOn: '2026-01-05', firstDueOn: '2026-02-05' },
    }),
    waive: may(manageGifts, { ids: { version: 'pledgeId' }, send: { waived: true } }),
    cancel: may(manageGifts, { send: {} }),
    remind: may(manageGifts),
  },
}

type Actions = {
  gifts: typeof fundraisingGiftsActions
  donors: typeof fundraisingDonorsActions
  pledges: typeof fundraisingPledgesActions
}
export const fundraisingActionsPolicy: PolicyOf<Actions> = {
  gifts: {
    // An account that belongs to nobody in the directory cannot give.
    give: may(giveByCard, { send: { campaignId: '$campaignId', money: five, attempt: randomUUID() }, refusedWith: [409] }),
    receipt: may(manageGifts),
    code: may(seeCampaigns, { changesNothing: true }),
  },
  donors: {
    printStatement: may(seeGifts, { send: period, changesNothing: true }),
    mailStatements: may(mailGivingStatements, { send: period }),
  },
  // Beside the one of the place, whose note nobody is shown of their own.
  pledges: { pay: may(payInstalments, { ids: { pledgeId: 'payablePledgeId', instalmentId: 'payableInstalmentId' } }) },
}
