import { randomUUID } from 'node:crypto'
import type { InvoiceDetail } from '@guildhall/contract/features/finance'
import type { ActorDb } from '@guildhall/db'
import { readFilter } from '../../platform/lists/filters.ts'
import { listPage } from '../../platform/lists/list-page.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { mustTouch } from '../../platform/records/update-record.ts'
import { readOne } from '../../platform/records/statement.ts'
import {
  archiveRate,
  changeDraft,
  chapterFiguresQuery,
  chapterThere,
  countRates,
  figuresQuery,
  findInvoice,
  findRate,
  holdInvoice,
  insertRate,
  invoiceQuery,
  isOverridden,
  mayManageQuery,
  personThere,
  ratesLimit,
  ratesQuery,
  receiptsList,
  updateRate,
} from './finance.queries.ts'
import { invoicesList, totalsQuery } from './finance.list.queries.ts'
import { readAsked } from './finance.runs.public.ts'
import { findRun, mayCharge, previewRun, runsList, undoPreview } from './finance.runs.queries.ts'
import { creditLines } from './finance.rules.ts'
import { mailIssued } from './papers/finance.papers.queries.ts'
import { findStatement, mailStatement } from './papers/finance.statements.queries.ts'
import { settingsQuery, updateSettings } from './finance.settings.queries.ts'
import { creditInvoice, draftInvoice, issueInvoice, voidInvoice } from './finance.public.ts'

const { finance } = data

const invoices = finance.invoices.router({
  list: finance.invoices.list.handler(({ input, context }) =>
    listPage(context, invoicesList({ ...input, filter: readFilter(input.filter) }), input),
  ),
  totals: finance.invoices.totals.handler(async ({ input, context }) => ({
    items: (await context.read(totalsQuery({ ...input, filter: readFilter(input.filter) }))).map(({ item }) => item),
  })),
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

  update: finance.invoices.update.handler(({ input: { invoiceId, lines, ...texts }, context }) =>
    context.inTx(async (db) => {
      const invoice = await held(db, context, invoiceId)
      const strange = lines?.findIndex(({ lineId }) => lineId !== undefined && !invoice.lines.some(({ id }) => id === lineId)) ?? -1
      if (strange >= 0) throw noLine(`lines.${strange}.lineId`)
      await changeDraft(db, context.actor.orgId, invoiceId, { ...texts, lines })
      return mustFind(await findInvoice(db, invoiceId))
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
      const { lines } = await held(db, context, input.invoiceId)
      const strange = input.lines?.findIndex(({ lineId }) => !lines.some(({ id }) => id === lineId)) ?? -1
      if (strange >= 0) throw noLine(`lines.${strange}.lineId`)
      const credited = creditLines(lines, input.lines, 'Rounding')
      if (!credited) throw problem('CONFLICT', { reason: 'credit_too_high', detail: 'More cannot be credited than was charged.' })
      await creditInvoice(db, context.actor.orgId, input.invoiceId, {
        reason: input.reason,
        // Without any left it is the database that says why nothing can be credited.
        lines: credited.length > 0 ? credited : undefined,
        settlements: context.settlements,
      })
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

const noLine = (path: string) => problem('UNPROCESSABLE_CONTENT', fault(path, 'invoice_line_unknown', 'This invoice has no such line.'))

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
  statement: finance.statement.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const { billing: _, seller: __, mayMail, ...statement } = mustFind(await findStatement(db, context.actor.orgId, input))
      return { ...statement, may: { mail: mayMail } }
    }),
  ),
  mailStatement: finance.mailStatement.handler(({ input, context }) =>
    context.inTx(async (db) => {
      mustFind(await findStatement(db, context.actor.orgId, input))
      const mails = await mailStatement(db, context.actor.orgId, input)
      if (mails === 0)
        throw problem('CONFLICT', {
          reason: 'statement_not_mailed',
          detail: 'Only a person, or a chapter with a contact address, can be mailed.',
        })
      return { mails }
    }),
  ),
  settings: {
    get: finance.settings.get.handler(async ({ context }) => (await readOne(context, settingsQuery())).item),
    update: finance.settings.update.handler(({ input, context }) => context.inTx((db) => updateSettings(db, context.ifMatch, input))),
  },
  summary: finance.summary.handler(async ({ input, context }) => ({
    items: (await context.read(figuresQuery(input.chapterId))).map(({ item }) => item),
    chapters: input.chapterId ? (await context.read(chapterFiguresQuery(input.chapterId))).map(({ item }) => item) : [],
    may: await readOne(context, mayManageQuery(input.chapterId)),
  })),
  invoices,
  mailInvoice: finance.mailInvoice.handler(({ input: { invoiceId }, context }) =>
    context.inTx(async (db) => {
      mustFind(await findInvoice(db, invoiceId))
      const mails = await mailIssued(db, context.actor.orgId, [invoiceId], randomUUID())
      if (mails === 0)
        throw problem('CONFLICT', {
          reason: 'invoice_not_mailed',
          detail: 'Only issued invoices can be mailed, and only to a person or to a chapter with a contact address.',
        })
      return { mails }
    }),
  ),
  rates,
  runs: {
    list: finance.runs.list.handler(({ input, context }) => listPage(context, runsList(input), input)),
    preview: finance.runs.preview.handler(({ input, context }) =>
      context.inTx(async (db) => {
        const asked = await readAsked(db, input)
        return { period: asked.period, ...(await previewRun(db, asked)) }
      }),
    ),
    undoPreview: finance.runs.undoPreview.handler(({ input, context }) =>
      context.inTx(async (db) => {
        const { chapter: of } = mustFind(await findRun(db, input.runId))
        if (!(await mayCharge(db, of?.id ?? null))) throw problem('FORBIDDEN')
        return undoPreview(db, input.runId)
      }),
    ),
  },
  receipts: { list: finance.receipts.list.handler(({ input, context }) => listPage(context, receiptsList(input), input)) },
})
