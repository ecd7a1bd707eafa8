import { readFilter } from '../../../platform/lists/filters.ts'
import { listPage } from '../../../platform/lists/list-page.ts'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { newId } from '../../../platform/records/new-id.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { mustSeeFunds, mustSeePeople, todayOf } from '../fundraising.references.queries.ts'
import { thanksData } from '../thanks/fundraising.thanks.data.ts'
import { atRow, faultInBatch } from './fundraising.batch.rules.ts'
import { giftsList, totalsQuery } from './fundraising.gifts.list.queries.ts'
import { findGift, giftQuery } from './fundraising.gifts.queries.ts'
import { correctionOf, faultOfAllocations, faultOfCampaign, faultOfGift, ownPaths, rowsOf } from './fundraising.gifts.rules.ts'
import { correctGift, mustBeDue, mustHoldGift, mustSeeCampaign, recordGift } from './fundraising.gifts.writes.queries.ts'

const { gifts } = data.fundraising

export const giftsData = gifts.router({
  list: gifts.list.handler(({ input, context }) => listPage(context, giftsList({ ...input, filter: readFilter(input.filter) }), input)),
  totals: gifts.totals.handler(async ({ input, context }) => ({
    items: (await context.read(totalsQuery({ ...input, filter: readFilter(input.filter) }))).map(({ item }) => item),
  })),
  get: gifts.get.handler(async ({ input, context }) => (await readOne(context, giftQuery(input.giftId))).item),

  record: gifts.record.handler(({ input: { money, ...said }, context }) =>
    context.inTx(async (db) => {
      const campaign = await mustSeeCampaign(db, said.campaignId)
      const wrong = faultOfGift({ ...said, ...money }, campaign, await todayOf(db), ownPaths)
      if (wrong) throw problem('UNPROCESSABLE_CONTENT', wrong)
      await mustSeePeople(db, [{ personId: said.personId, path: 'personId' }])
      await mustSeeFunds(db, pathsOf(said.allocations))
      await mustBeDue(db, said.instalmentId)
      const giftId = await recordGift(db, {
        ...{ person_id: said.personId, donor_name: said.personId ? '' : said.donorName, donor_email: said.personId ? '' : said.donorEmail },
        ...{ campaign_id: said.campaignId, ...money, method: said.method, received_on: said.receivedOn, reference: said.reference },
        ...{ note: said.note, allocations: rowsOf(said.allocations), is_anonymous: said.isAnonymous },
        ...{ tribute_kind: said.tribute?.kind ?? null, tribute_name: said.tribute?.name ?? '', wants_receipt_mail: said.sendReceipt },
        ...{ instalment_id: said.instalmentId, batch_id: null },
      })
      return mustFind(await findGift(db, giftId))
    }),
  ),

  recordBatch: gifts.recordBatch.handler(({ input: { rows, ...batch }, context }) =>
    context.inTx(async (db) => {
      const campaign = await mustSeeCampaign(db, batch.campaignId)
      const wrong = faultInBatch({ ...batch, rows }, campaign, await todayOf(db))
      if (wrong) throw problem('UNPROCESSABLE_CONTENT', wrong)
      await mustSeePeople(
        db,
        rows.map(({ personId }, nth) => ({ personId, path: `rows.${nth}.personId` })),
      )
      await mustSeeFunds(
        db,
        rows.map(({ fundId }, nth) => ({ fundId, path: `rows.${nth}.fundId` })),
      )
      const batchId = newId()
      const giftIds: string[] = []
      for (const [nth, { personId, donorName, amount, reference, fundId, note }] of rows.entries()) {
        const made = recordGift(db, {
          ...{ person_id: personId, donor_name: personId ? '' : donorName, donor_email: '', campaign_id: batch.campaignId },
          ...{ amount, currency: batch.currency, method: batch.method, received_on: batch.receivedOn, reference, note },
          ...{ allocations: fundId ? [{ fund_id: fundId, amount }] : [], is_anonymous: false },
          ...{ tribute_kind: null, tribute_name: '', wants_receipt_mail: batch.sendReceipts, instalment_id: null, batch_id: batchId },
        })
        giftIds.push(await atRow(nth, made))
      }
      const amount = rows.reduce((sum, row) => sum + row.amount, 0)
      return { gifts: giftIds.length, total: { amount, currency: batch.currency }, giftIds }
    }),
  ),

  update: gifts.update.handler(({ input: { giftId, ...change }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findGift(db, giftId))
      if (!before.may.edit) throw problem('FORBIDDEN')
      await mustHoldGift(db, giftId, context.ifMatch)
      const moved = change.campaignId !== undefined && change.campaignId !== (before.campaign?.id ?? null)
      const campaign = moved ? await mustSeeCampaign(db, change.campaignId) : null
      const wrong =
        faultOfCampaign(before.money.currency, campaign, ownPaths) ??
        (change.allocations && faultOfAllocations({ amount: before.money.amount, allocations: change.allocations }, null, 'allocations'))
      if (wrong) throw problem('UNPROCESSABLE_CONTENT', wrong)
      await mustSeePeople(db, change.personId === before.donor?.id ? [] : [{ personId: change.personId, path: 'personId' }])
      // A fund that it goes to already may be archived by now.
      const had = new Set(before.allocations.map(({ fund }) => fund.id))
      await mustSeeFunds(
        db,
        pathsOf(change.allocations ?? []).filter(({ fundId }) => !had.has(fundId)),
      )
      await correctGift(db, giftId, correctionOf(change))
      return mustFind(await findGift(db, giftId))
    }),
  ),

  thanks: thanksData,
})

const pathsOf = (allocations: readonly { fundId: string }[]) =>
  allocations.map(({ fundId }, nth) => ({ fundId, path: `allocations.${nth}.fundId` }))
