import type { InvoiceDetail } from '@guildhall/contract/features/finance'
import type { ActorDb } from '@guildhall/db'
import { listPage } from '../../platform/lists/list-page.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { mustTouch } from '../../platform/records/update-record.ts'
import { readOne } from '../../platform/records/statement.ts'
import {
  archiveRate,
  chapterThere,
  countRates,
  figuresQuery,
  findInvoice,
  findRate,
  holdInvoice,
  insertRate,
  invoiceQuery,
  invoicesList,
  isOverridden,
  mayManageQuery,
  personThere,
  ratesLimit,
  ratesQuery,
  receiptsList,
  updateRate,
} from './finance.queries.ts'
import { creditInvoice, draftInvoice, issueInvoice, voidInvoice } from './finance.public.ts'

const { finance } = data

const invoices = finance.invoices.router({
  list: finance.invoices.list.handler(({ input, context }) => listPage(context, invoicesList(input), input)),
  get: finance.invoices.get.handler(async ({ input, context }) => (await readOne(context, invoiceQuery(input.invoiceId))).item),

  create: finance.invoices.create.handler(({ input: { lines, ...wanted }, context }) =>
    context.inTx(async (db) => {
      await checkOwed(db, wanted.owedBy)
      const id = await draftInvoice(db, context.actor.orgId, {
        ...wanted,
        lines: lines.map(({ text, amount, taxBps, taxNote }) => ({ text, amount, tax: { bps: taxBps, note: taxNote } })),
      })
      return mustFind(await findInvoice(db, id))
    }),
  ),

  issue: finance.invoices.issue.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await held(db, context, input.invoiceId)
      await issueInvoice(db, context.actor.orgId, input.invoiceId, context.settlements)
      return mustFind(await findInvoice(db, input.invoiceId))
    }),
  ),

  void: finance.invoices.void.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await held(db, context, input.invoiceId)
      await voidInvoice(db, context.actor.orgId, input.invoiceId, input.reason)
      return mustFind(await findInvoice(db, input.invoiceId))
    }),
  ),

  credit: finance.invoices.credit.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await held(db, context, input.invoiceId)
      await creditInvoice(db, context.actor.orgId, input.invoiceId, { reason: input.reason, settlements: context.settlements })
      return mustFind(await findInvoice(db, input.invoiceId))
    }),
  ),
})

/** The invoice as the caller saw it; nobody changes it until this is done. */
async function held(
  db: ActorDb,
  { actor, ifMatch }: { actor: { orgId: string }; ifMatch: number },
  invoiceId: string,
): Promise<InvoiceDetail> {
  mustFind(await findInvoice(db, invoiceId))
  await holdInvoice(db, actor.orgId, invoiceId)
  const invoice = mustFind(await findInvoice(db, invoiceId))
  await mustTouch(invoice.version === ifMatch, async () => invoice, ifMatch)
  return invoice
}

async function checkOwed(db: ActorDb, owedBy: { personId: string } | { chapterId: string }): Promise<void> {
  if ('personId' in owedBy && !(await personThere(db, owedBy.personId)))
    throw problem('UNPROCESSABLE_CONTENT', fault('owedBy.personId', 'person_not_found', 'There is no such person.'))
  if ('chapterId' in owedBy && !(await chapterThere(db, owedBy.chapterId))) throw noChapter('owedBy.chapterId')
}
const noChapter = (path: string) => problem('UNPROCESSABLE_CONTENT', fault(path, 'chapter_not_found', 'There is no such chapter.'))

const rates = finance.rates.router({
  list: finance.rates.list.handler(async ({ input, context }) => ({
    items: (await context.read(ratesQuery(input))).map(({ item }) => item),
  })),

  create: finance.rates.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      if (input.chapterId && !(await chapterThere(db, input.chapterId))) throw noChapter('chapterId')
      if (input.overridesId) await checkOverride(db, input.overridesId, input.chapterId)
      if ((await countRates(db)) >= ratesLimit)
        throw problem('CONFLICT', { reason: 'dues_rates_limit', detail: `An organisation has at most ${ratesLimit} dues rates.` })
      return mustFind(await findRate(db, await insertRate(db, context.actor, input)))
    }),
  ),

  update: finance.rates.update.handler(({ input: { rateId, ...change }, context }) =>
    context.inTx((db) => updateRate(db, rateId, context.ifMatch, change)),
  ),
  archive: finance.rates.archive.handler(({ input, context }) =>
    context.inTx((db) => archiveRate(db, input.rateId, context.ifMatch, true)),
  ),
  restore: finance.rates.restore.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const rate = mustFind(await findRate(db, input.rateId))
      if (rate.archivedAt && rate.overridesId && rate.chapter && (await isOverridden(db, rate.overridesId, rate.chapter.id)))
        throw overridden()
      return archiveRate(db, input.rateId, context.ifMatch, false)
    }),
  ),
})

const overridden = () =>
  problem('CONFLICT', fault('chapterId', 'dues_rate_overridden', 'This chapter already has a rate of its own. Change that one.'))

async function checkOverride(db: ActorDb, overridesId: string, chapterId: string | null): Promise<void> {
  const rate = await findRate(db, overridesId)
  if (!rate || rate.chapter || rate.archivedAt || !chapterId)
    throw problem(
      'UNPROCESSABLE_CONTENT',
      fault('overridesId', 'dues_rate_not_national', 'Choose a rate of the whole organisation and the chapter that has another one.'),
    )
  if (await isOverridden(db, overridesId, chapterId)) throw overridden()
}

export const financeData = finance.router({
  summary: finance.summary.handler(async ({ input, context }) => ({
    items: (await context.read(figuresQuery(input.chapterId))).map(({ item }) => item),
    may: await readOne(context, mayManageQuery(input.chapterId)),
  })),
  invoices,
  rates,
  receipts: { list: finance.receipts.list.handler(({ input, context }) => listPage(context, receiptsList(input), input)) },
})
