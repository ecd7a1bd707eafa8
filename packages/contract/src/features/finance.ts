import * as z from 'zod'
import { act, get, patch, post } from '../base.ts'
import { CalendarDate, ChapterRef, Currency, Cursor, Id, Instant, Limit, Money, PersonRef, Version, lines, page, text } from '../shapes.ts'

const tag = 'Finance'

// Invoices --------------------------------------------------------------------------------------------------------------------------

export const InvoiceState = z.enum(['draft', 'issued', 'partly_paid', 'paid', 'credited', 'void'])
export type InvoiceState = z.infer<typeof InvoiceState>

const Owed = {
  person: PersonRef.nullable().describe('Who owes it, where that is a person you may see'),
  chapter: ChapterRef.nullable().describe('The chapter that owes it, where that is a chapter'),
}

export const Invoice = z.object({
  id: Id,
  kind: z.enum(['invoice', 'credit_note']),
  state: InvoiceState,
  overdue: z.boolean().describe('Issued, not paid, and past its due date'),
  number: z.string().nullable().describe('Null of a draft. Imported invoices keep the number they had'),
  ...Owed,
  reason: z.string().describe('What it was drafted for, in a few words'),
  total: Money,
  paid: Money,
  credited: Money,
  balance: Money.describe('Still to be paid; below zero where more was paid than is owed'),
  issuedOn: CalendarDate.nullable(),
  dueOn: CalendarDate.nullable(),
  paidOn: CalendarDate.nullable(),
  createdAt: Instant,
  version: Version,
})
export type Invoice = z.infer<typeof Invoice>

export const InvoiceLine = z.object({
  text: z.string(),
  net: z.int().describe('In the smallest unit of the invoice’s currency'),
  taxBps: z.int().describe('Rate of tax in hundredths of a percent'),
  taxNote: z.string(),
  tax: z.int(),
  share: z.object({ chapter: ChapterRef.nullable(), amount: z.int() }).nullable().describe('What a chapter has of the net amount'),
})
export const InvoicePayment = z.object({
  id: Id,
  method: z.string(),
  state: z.string(),
  amount: z.int().describe('What of the payment is for this invoice'),
  refunded: z.int(),
  settledAt: Instant.nullable(),
})
export const InvoiceDetail = Invoice.extend({
  billing: z
    .object({ name: z.string(), lines: z.array(z.string()) })
    .nullable()
    .describe('Name and address on the day of issue'),
  note: z.string(),
  lines: z.array(InvoiceLine),
  payments: z.array(InvoicePayment).describe('At most 100'),
  credits: z.array(z.object({ id: Id, number: z.string().nullable(), total: z.int(), issuedOn: CalendarDate.nullable() })),
  corrects: z.object({ id: Id, number: z.string().nullable() }).nullable().describe('Of a credit note: the invoice it corrects'),
  voidReason: z.string().nullable(),
  may: z.object({ issue: z.boolean(), void: z.boolean(), credit: z.boolean() }),
})
export type InvoiceDetail = z.infer<typeof InvoiceDetail>

export const InvoiceListInput = z
  .strictObject({
    personId: Id.optional(),
    chapterId: Id.optional().describe('In the books of this chapter and the chapters below it'),
    show: z.enum(['open', 'overdue', 'draft', 'paid', 'void']).optional(),
    cursor: Cursor.optional(),
    limit: Limit.optional(),
  })
  .meta({ examples: [{ show: 'overdue' }] })

const largestAmount = 100_000_000_000
export const NewInvoiceLine = z.strictObject({
  text: text(300, 1),
  amount: z.int().min(-largestAmount).max(largestAmount).describe('Net, in the smallest unit of the currency; below zero for a discount'),
  taxBps: z.int().min(0).max(10_000).default(0),
  taxNote: text(200).default(''),
})
export const NewInvoice = z
  .strictObject({
    owedBy: z.union([z.strictObject({ personId: Id }), z.strictObject({ chapterId: Id })]),
    currency: Currency.optional().describe('That of the organisation unless stated'),
    dueOn: CalendarDate.optional().describe('30 days after issuing unless stated'),
    reason: text(200, 1),
    note: lines(1000).default(''),
    lines: z.array(NewInvoiceLine).min(1).max(100),
  })
  .meta({
    examples: [
      {
        owedBy: { personId: '01920000-0000-7000-8000-000000000002' },
        reason: 'Dues 2027',
        lines: [{ text: 'Dues 2027', amount: 6000 }],
      },
    ],
  })
export type NewInvoice = z.infer<typeof NewInvoice>
const OneInvoice = z.strictObject({ invoiceId: Id })

// Dues ------------------------------------------------------------------------------------------------------------------------------

const Rate = {
  name: text(100, 1),
  chargedTo: z
    .enum(['person', 'chapter', 'chapter_per_member'])
    .describe('Each member pays, each chapter pays the amount once, or each chapter pays it for every member'),
  memberKind: z.enum(['member', 'alumni', 'advisor', 'friend']),
  period: z.enum(['month', 'quarter', 'half_year', 'year', 'once']),
  price: Money.refine(({ amount }) => amount >= 0),
  dueDays: z.int().min(0).max(365).describe('Days after issuing on which it is due'),
  taxBps: z.int().min(0).max(10_000).describe('Rate of tax in hundredths of a percent'),
  taxNote: text(200),
  chapterShareBps: z.int().min(0).max(10_000).describe('What the chapter has of it, in hundredths of a percent'),
}
export const DuesRate = z.object({
  id: Id,
  ...z.object(Rate).shape,
  price: Money,
  chapter: ChapterRef.nullable().describe('Where it is charged, with everything below; null for the whole organisation'),
  overridesId: Id.nullable().describe('The rate that this one replaces in its chapter'),
  archivedAt: Instant.nullable(),
  version: Version,
})
export type DuesRate = z.infer<typeof DuesRate>
export const NewDuesRate = z
  .strictObject({
    ...z.strictObject(Rate).partial().shape,
    name: Rate.name,
    chargedTo: Rate.chargedTo,
    period: Rate.period,
    price: Rate.price,
    chapterId: Id.nullable(),
    overridesId: Id.optional().describe('A rate of the whole organisation'),
  })
  .meta({
    examples: [{ name: 'National dues', chargedTo: 'person', period: 'year', price: { amount: 6000, currency: 'EUR' }, chapterId: null }],
  })
export type NewDuesRate = z.infer<typeof NewDuesRate>
export const DuesRateChange = z
  .strictObject(Rate)
  .partial()
  .meta({ examples: [{ dueDays: 14 }] })
export type DuesRateChange = z.infer<typeof DuesRateChange>
const OneRate = z.strictObject({ rateId: Id })

// Receipts and figures ----------------------------------------------------------------------------------------------------------------

export const Receipt = z.object({
  id: Id,
  number: z.string(),
  state: z.enum(['issued', 'replaced', 'void']),
  ...Owed,
  amount: Money,
  issuedOn: CalendarDate,
  receivedOn: CalendarDate,
  replacesId: Id.nullable(),
})
export type Receipt = z.infer<typeof Receipt>

export const FinanceFigures = z.object({
  currency: z.string(),
  open: z.object({ invoices: z.int(), amount: z.int() }),
  overdue: z.object({ invoices: z.int(), amount: z.int() }),
  drafts: z.object({ invoices: z.int(), amount: z.int() }),
  paidThisYear: z.object({ invoices: z.int(), amount: z.int() }),
  chapterShare: z.int().describe('What chapters have of the paid invoices of this year'),
})
export type FinanceFigures = z.infer<typeof FinanceFigures>

export const financeData = {
  summary: get('/finance/summary', 'getFinanceSummary', {
    needs: 'finance.read',
    tag,
    summary: 'What is open, overdue and paid in the books of a chapter and the chapters below it, for each currency',
  })
    .input(z.strictObject({ chapterId: Id.optional() }))
    .output(z.object({ items: z.array(FinanceFigures), may: z.object({ manage: z.boolean() }) })),
  invoices: {
    list: get('/invoices', 'listInvoices', {
      needs: 'signed-in',
      tag,
      summary: 'Invoices and credit notes that you may see, your own among them; the newest first',
      readsPeople: 50,
    })
      .input(InvoiceListInput)
      .output(page(Invoice)),
    get: get('/invoices/{invoiceId}', 'getInvoice', {
      needs: 'signed-in',
      tag,
      summary: 'An invoice with its lines and payments',
      readsPeople: 1,
    })
      .input(OneInvoice)
      .output(InvoiceDetail),
    create: post('/invoices', 'createInvoice', { needs: 'finance.manage', tag, summary: 'Draft an invoice' })
      .input(NewInvoice)
      .output(InvoiceDetail),
    issue: act('/invoices/{invoiceId}/issue', 'issueInvoice', {
      needs: 'finance.manage',
      tag,
      summary: 'Issue a draft: it gets its number and stays as it is from then on',
    })
      .input(OneInvoice)
      .output(InvoiceDetail),
    void: act('/invoices/{invoiceId}/void', 'voidInvoice', {
      needs: 'finance.manage',
      tag,
      summary: 'Void an invoice of which nothing was paid or credited; it keeps its number',
    })
      .input(OneInvoice.extend({ reason: text(500, 1) }).meta({ examples: [{ reason: 'Sent twice' }] }))
      .output(InvoiceDetail),
    credit: act('/invoices/{invoiceId}/credit', 'creditInvoice', {
      needs: 'finance.manage',
      tag,
      summary: 'Issue a credit note over all of an invoice',
    })
      .input(OneInvoice.extend({ reason: text(200, 1) }).meta({ examples: [{ reason: 'Moved away' }] }))
      .output(InvoiceDetail),
  },
  rates: {
    list: get('/dues-rates', 'listDuesRates', { needs: 'finance.read', tag, summary: 'Dues rates, those of the whole organisation first' })
      .input(z.strictObject({ chapterId: Id.optional().describe('Those charged in this chapter'), archived: z.boolean().optional() }))
      .output(z.object({ items: z.array(DuesRate).describe('At most 500') })),
    create: post('/dues-rates', 'createDuesRate', { needs: 'finance.manage', tag, summary: 'Add a dues rate' })
      .input(NewDuesRate)
      .output(DuesRate),
    update: patch('/dues-rates/{rateId}', 'updateDuesRate', {
      needs: 'finance.manage',
      tag,
      summary: 'Change a dues rate; invoices that exist stay as they are',
    })
      .input(DuesRateChange.extend(OneRate.shape))
      .output(DuesRate),
    archive: act('/dues-rates/{rateId}/archive', 'archiveDuesRate', { needs: 'finance.manage', tag, summary: 'Archive a dues rate' })
      .input(OneRate)
      .output(DuesRate),
    restore: act('/dues-rates/{rateId}/restore', 'restoreDuesRate', {
      needs: 'finance.manage',
      tag,
      summary: 'Restore an archived dues rate',
    })
      .input(OneRate)
      .output(DuesRate),
  },
  receipts: {
    list: get('/receipts', 'listReceipts', {
      needs: 'signed-in',
      tag,
      summary: 'Receipts that you may see, your own among them; the newest first',
      readsPeople: 50,
    })
      .input(z.strictObject({ personId: Id.optional(), chapterId: Id.optional(), cursor: Cursor.optional(), limit: Limit.optional() }))
      .output(page(Receipt)),
  },
}
