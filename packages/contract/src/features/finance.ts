import * as z from 'zod'
import { act, get, patch, post } from '../base.ts'
import { BulkResult, bulkProcedures } from '../bulk.ts'
import { isNumberFormat } from '../document-numbers.ts'
import { refusal } from '../reasons.ts'
import {
  CalendarDate,
  ChapterRef,
  Currency,
  Cursor,
  Id,
  Instant,
  Limit,
  ListInput,
  Money,
  PersonRef,
  Version,
  lines,
  page,
  text,
} from '../shapes.ts'

const tag = 'Finance'

// Invoices --------------------------------------------------------------------------------------------------------------------------

export const InvoiceState = z.enum(['draft', 'issued', 'partly_paid', 'paid', 'credited', 'void'])
export type InvoiceState = z.infer<typeof InvoiceState>

/** What somebody owes. `open` includes what is overdue; `paid`: invoices were issued, and none is open. */
export const DuesState = z.enum(['open', 'overdue', 'paid'])
export type DuesState = z.infer<typeof DuesState>
export const DuesOfRow = z.object({
  state: DuesState,
  open: z.array(Money).describe('What is still to be paid, by currency'),
  dueOn: CalendarDate.nullable().describe('The earliest day on which some of it was or is due'),
})
export type DuesOfRow = z.infer<typeof DuesOfRow>

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
  billedTo: z.string().nullable().describe('The name on the invoice, or, on a draft, of who is to owe it'),
  reason: z.string().describe('What it was drafted for, in a few words'),
  total: Money,
  paid: Money,
  credited: Money,
  balance: Money.describe('Still to be paid; below zero where more was paid than is owed'),
  issuedOn: CalendarDate.nullable(),
  dueOn: CalendarDate.nullable(),
  paidOn: CalendarDate.nullable(),
  sentAt: Instant.nullable().describe('When it was last mailed'),
  remindedAt: Instant.nullable().describe('When the debtor was last reminded'),
  createdAt: Instant,
  version: Version,
})
export type Invoice = z.infer<typeof Invoice>

export const InvoiceLine = z.object({
  id: Id,
  text: z.string(),
  net: z.int().describe('In the smallest unit of the invoice’s currency'),
  taxBps: z.int().describe('Rate of tax in hundredths of a percent'),
  taxNote: z.string(),
  tax: z.int(),
  share: z.object({ chapter: ChapterRef.nullable(), amount: z.int() }).nullable().describe('What a chapter has of the net amount'),
  credited: z.object({ net: z.int(), tax: z.int() }).describe('What credit notes took off this line'),
})
export type InvoiceLine = z.infer<typeof InvoiceLine>
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
  may: z.object({ edit: z.boolean(), issue: z.boolean(), void: z.boolean(), credit: z.boolean(), seeHistory: z.boolean() }),
})
export type InvoiceDetail = z.infer<typeof InvoiceDetail>

/** What invoices can be filtered by. Amounts are in whole units of the invoice’s currency, such as 59.5 euros. */
export const invoicesFilterFields = {
  kind: { kind: 'choice', options: ['invoice', 'credit_note'] },
  state: { kind: 'choice', options: InvoiceState.options },
  open: { kind: 'flag' },
  overdue: { kind: 'flag' },
  sent: { kind: 'flag' },
  reminded: { kind: 'flag' },
  dueOn: { kind: 'date' },
  issuedOn: { kind: 'date' },
  paidOn: { kind: 'date' },
  person: { kind: 'id', of: 'person' },
  chapter: { kind: 'id', of: 'chapter' },
  books: { kind: 'id', of: 'chapter' },
  event: { kind: 'id', of: 'event' },
  total: { kind: 'number' },
  balance: { kind: 'number' },
} as const satisfies Record<
  string,
  { kind: 'choice' | 'id' | 'text' | 'date' | 'number' | 'flag'; options?: readonly string[]; of?: string }
>

export const InvoiceSort = z.enum(['created', 'number', 'issuedOn', 'dueOn', 'total', 'balance'])
export type InvoiceSort = z.infer<typeof InvoiceSort>

const Narrowed = {
  personId: Id.optional(),
  chapterId: Id.optional().describe('In the books of this chapter and the chapters below it'),
}
export const InvoiceListInput = ListInput.extend({
  ...Narrowed,
  q: z.string().max(200).optional().describe('The beginning of a number, or the name of who owes it'),
  sort: z
    .string()
    .max(40)
    .optional()
    .describe('created, number, issuedOn, dueOn, total or balance; -created (the newest first) unless stated'),
}).meta({ examples: [{ filter: '{"and":[{"or":[{"field":"overdue","op":"is","value":true}]}]}' }] })

/** What the invoices of a filter come to, for each currency. */
export const InvoiceTotals = z.object({
  currency: z.string(),
  invoices: z.int().describe('Credit notes among them'),
  open: z.int(),
  overdue: z.int(),
  paid: z.int().describe('What settled payments paid, less what was refunded'),
})
export type InvoiceTotals = z.infer<typeof InvoiceTotals>

export const InvoiceBulkChange = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('issue') }),
  z.strictObject({ do: z.literal('send') }).describe('Mails open invoices that were not mailed yet'),
  z.strictObject({ do: z.literal('remind') }).describe('Mails the debtors of overdue invoices, none again within the pace of reminders'),
  z.strictObject({ do: z.literal('void'), reason: text(500, 1) }),
])
export type InvoiceBulkChange = z.infer<typeof InvoiceBulkChange>

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
    dueOn: CalendarDate.optional().describe('As many days after issuing as the settings say unless stated'),
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
export const InvoiceChange = z
  .strictObject({
    reason: text(200, 1).optional(),
    note: lines(1000).optional(),
    dueOn: CalendarDate.nullable().optional().describe('Null: as many days after issuing as the settings say'),
    lines: z
      .array(
        NewInvoiceLine.extend({
          lineId: Id.optional().describe('The line that this one was; it keeps what it pays for and the share of a chapter'),
        }),
      )
      .min(1)
      .max(100)
      .optional()
      .describe('All lines, in their order; those left out are removed'),
  })
  .meta({ examples: [{ dueOn: '2026-12-31' }] })
export type InvoiceChange = z.infer<typeof InvoiceChange>
const CreditedLine = z.strictObject({
  lineId: Id,
  amount: z.int().min(1).max(largestAmount).describe('Net; at most what of the line is not credited yet'),
})
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

/** Charges a rate to everybody it is for, for one period; each once, however often it is started. */
const RunAsked = {
  rateId: Id.describe('A rate that replaces no other; chapters with a rate of their own are charged that one'),
  chapterId: Id.nullable().describe('In this chapter and everything below it; null for the whole organisation'),
  periodOn: CalendarDate.describe('A day of the period'),
}
export const DuesPeriod = z.object({
  start: CalendarDate,
  end: CalendarDate,
  label: z.string().describe('2027, 2027-H1, 2027-Q2 or 2027-05'),
})
export const NewDuesRun = z
  .strictObject({
    ...RunAsked,
    issue: z.boolean().default(true).describe('Issue the invoices at once; otherwise they are drafts'),
    dueOn: CalendarDate.optional().describe('As many days after issuing as the rate says unless stated'),
  })
  .meta({ examples: [{ rateId: '01920000-0000-7000-8000-000000000031', chapterId: null, periodOn: '2027-01-01' }] })
export type NewDuesRun = z.infer<typeof NewDuesRun>
const Charge = z.object({
  id: Id.describe('Of the person or chapter'),
  name: z.string(),
  chapter: z.string(),
  quantity: z.int().describe('Members, where a chapter pays for each'),
  amount: z.int().describe('Net'),
  currency: z.string(),
  ownRate: z.boolean().describe('At the rate of a chapter of its own'),
})
export const DuesSkip = z.enum(['charged', 'free', 'gone', 'no_members'])
export const DuesRunPreview = z.object({
  period: DuesPeriod,
  charged: z.int().describe('So many would be charged'),
  totals: z.array(
    z.object({
      currency: z.string(),
      net: z.int(),
      tax: z.int(),
      total: z.int(),
      chapterShare: z.int().describe('What chapters have of the net amount'),
    }),
  ),
  sample: z.array(Charge).describe('The first 50 by name'),
  skipped: z.array(
    z.object({
      reason: DuesSkip.describe('charged: has an invoice for this rate and period; free: the rate is zero; gone: dead, merged or erased'),
      count: z.int(),
      sample: z.array(Charge).describe('The first ten by name'),
    }),
  ),
})
export type DuesRunPreview = z.infer<typeof DuesRunPreview>
export const DuesRun = z.object({
  id: Id,
  rate: z.object({ id: Id, name: z.string(), chargedTo: Rate.chargedTo }),
  chapter: ChapterRef.nullable(),
  period: DuesPeriod,
  dueOn: CalendarDate.nullable(),
  issues: z.boolean(),
  state: z.enum(['started', 'done', 'undoing', 'undone']),
  planned: z.int().describe('Whom it is to charge'),
  charged: z.int(),
  skipped: z.int(),
  voided: z.int(),
  undoReason: z.string().nullable(),
  jobId: Id.nullable().describe('The work that charges or undoes it, for the one who started that'),
  by: z.string().nullable().describe('Who started it'),
  createdAt: Instant,
  version: Version,
  may: z.object({ undo: z.boolean() }),
})
export type DuesRun = z.infer<typeof DuesRun>
const OneRun = z.strictObject({ runId: Id })

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
  paidLastYear: z.object({ invoices: z.int(), amount: z.int() }).describe('In the year before, up to the same day'),
  ages: z
    .array(
      z.object({
        from: CalendarDate.nullable().describe('Due on this day or later; null for all that is older'),
        until: CalendarDate.describe('Due on this day or before'),
        days: z.string().describe('0–30, 31–60, 61–90 or 91+'),
        invoices: z.int(),
        amount: z.int(),
      }),
    )
    .describe('What is overdue, by the days since it was due'),
  chapterShare: z.int().describe('What chapters have of the paid invoices of this year'),
})
export type FinanceFigures = z.infer<typeof FinanceFigures>

export const ChapterFigures = z.object({
  chapter: ChapterRef,
  currency: z.string(),
  open: z.int(),
  overdue: z.int(),
  paidThisYear: z.int(),
})
export type ChapterFigures = z.infer<typeof ChapterFigures>

// Statements ------------------------------------------------------------------------------------------------------------------------

export const StatementEntry = z.object({
  on: CalendarDate,
  kind: z.enum(['invoice', 'credit_note', 'void', 'payment', 'refund', 'reversal', 'dispute']),
  number: z.string().nullable(),
  text: z.string().describe('What an invoice is for, how a payment was made, or why something was refunded or reversed'),
  amount: z.int().describe('Above zero what is owed, below zero what was paid or credited'),
  balance: z.int().describe('After this entry'),
  invoiceId: Id.nullable(),
})
export const Statement = z.object({
  since: CalendarDate,
  until: CalendarDate,
  currency: z.string(),
  currencies: z.array(z.string()).describe('All currencies that the account has entries in'),
  opening: z.int().describe('Before the first day'),
  closing: z.int().describe('After the last day; below zero where more was paid than is owed'),
  entries: z.array(StatementEntry).describe('At most 500'),
  may: z.object({ mail: z.boolean() }),
})
export type Statement = z.infer<typeof Statement>
const StatementAsked = z.strictObject({
  owedById: Id.describe('The person or the chapter whose account it is'),
  since: CalendarDate,
  until: CalendarDate,
  currency: Currency.optional().describe('That of the organisation unless stated'),
})
export type StatementAsked = z.infer<typeof StatementAsked>
const statementExample = { since: '2026-01-01', until: '2026-12-31' }

// Settings --------------------------------------------------------------------------------------------------------------------------

const NumberFormat = text(60, 1)
  .refine(
    isNumberFormat,
    refusal('not_a_number_format', 'Enter a format such as {year}-{number:5}: capital letters and signs, the year, then the number.'),
  )
  .describe(
    '{year} or {yy}, then last {number}, or {number:5} with at least five digits; before and between only capital letters, space and . _ / # -',
  )
const FirstNumber = z.int().min(1).max(1_000_000).describe('The first number of this year; from then on each year begins with 1')
const SettingsFields = {
  invoiceFormat: NumberFormat,
  creditNoteFormat: NumberFormat,
  receiptFormat: NumberFormat,
  invoiceStart: FirstNumber,
  creditNoteStart: FirstNumber,
  receiptStart: FirstNumber,
  dueDays: z.int().min(0).max(365).describe('Days after issuing on which an invoice is due, where nothing else is stated'),
  reminderDays: z.array(z.int().min(1).max(120)).max(5).describe('Days after the due date on which a reminder is mailed; empty for none'),
  legalName: text(140).describe('Name of the issuer; empty where it is that of the organisation'),
  address: lines(500).describe('Address of the issuer'),
  taxId: text(60).describe('Tax number of the issuer'),
  invoiceFooter: lines(500).describe('At the foot of invoices and credit notes'),
}
export const DocumentKind = z.enum(['invoice', 'credit_note', 'receipt'])
export type DocumentKind = z.infer<typeof DocumentKind>
export const FinanceSettings = z.object({
  ...SettingsFields,
  invoiceFormat: z.string(),
  creditNoteFormat: z.string(),
  receiptFormat: z.string(),
  next: z
    .object({ year: z.int(), invoice: z.int(), creditNote: z.int(), receipt: z.int() })
    .describe('The next numbers, before they are given their format'),
  begun: z.array(DocumentKind).describe('Kinds of which a number was given this year; their start cannot be changed'),
  mayEdit: z.boolean(),
  version: Version,
})
export type FinanceSettings = z.infer<typeof FinanceSettings>
export const FinanceSettingsChange = z
  .strictObject(SettingsFields)
  .partial()
  .meta({ examples: [{ dueDays: 14, reminderDays: [7, 21] }] })
export type FinanceSettingsChange = z.infer<typeof FinanceSettingsChange>

export const financeData = {
  statement: get('/debtors/{owedById}/statement', 'getStatement', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'The account of a person or a chapter over a period: balances, invoices, credit notes, payments and refunds',
  })
    .input(StatementAsked)
    .output(Statement),
  mailStatement: post('/debtors/{owedById}/statement/mail', 'mailStatement', {
    needs: 'finance.manage',
    tag,
    status: 200,
    perHour: 300,
    summary: 'Mail a statement as PDF to whose account it is',
  })
    .input(StatementAsked.meta({ examples: [statementExample] }))
    .output(z.object({ mails: z.int() })),
  settings: {
    get: get('/finance-settings', 'getFinanceSettings', {
      needs: 'finance.read',
      tag,
      summary: 'How invoices, credit notes and receipts are numbered, when they are due, and who issues them',
    }).output(FinanceSettings),
    update: patch('/finance-settings', 'updateFinanceSettings', {
      needs: 'finance.manage',
      tag,
      summary: 'Change the settings of finance; what was issued keeps its number and its text',
    })
      .input(FinanceSettingsChange)
      .output(FinanceSettings),
  },
  summary: get('/finance/summary', 'getFinanceSummary', {
    needs: 'finance.read',
    tag,
    summary: 'What is open, overdue and paid in the books of a chapter and the chapters below it, for each currency',
  })
    .input(z.strictObject({ chapterId: Id.optional() }))
    .output(
      z.object({
        items: z.array(FinanceFigures),
        chapters: z
          .array(ChapterFigures)
          .describe('The same for each chapter right below, with all that is below it; at most 100, the most overdue first'),
        may: z.object({ manage: z.boolean() }),
      }),
    ),
  invoices: {
    list: get('/invoices', 'listInvoices', {
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'Invoices and credit notes that you may see, your own among them; the newest first',
      readsPeople: 50,
    })
      .input(InvoiceListInput)
      .output(page(Invoice)),
    totals: get('/invoices/totals', 'getInvoiceTotals', {
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'What the invoices of a list come to: open, overdue and paid, for each currency',
    })
      .input(InvoiceListInput.pick({ personId: true, chapterId: true, q: true, filter: true }))
      .output(z.object({ items: z.array(InvoiceTotals) })),
    get: get('/invoices/{invoiceId}', 'getInvoice', {
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'An invoice with its lines and payments',
      readsPeople: 1,
    })
      .input(OneInvoice)
      .output(InvoiceDetail),
    create: post('/invoices', 'createInvoice', { needs: 'finance.manage', tag, summary: 'Draft an invoice' })
      .input(NewInvoice)
      .output(InvoiceDetail),
    update: patch('/invoices/{invoiceId}', 'updateInvoice', {
      needs: 'finance.manage',
      tag,
      summary: 'Change a draft: its lines, due date and texts',
    })
      .input(InvoiceChange.extend(OneInvoice.shape))
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
      summary: 'Issue a credit note over an invoice, or a part of it',
    })
      .input(
        OneInvoice.extend({
          reason: text(200, 1),
          lines: z.array(CreditedLine).min(1).max(100).optional().describe('All that is not credited yet unless stated'),
        }).meta({ examples: [{ reason: 'Moved away' }] }),
      )
      .output(InvoiceDetail),
  },
  mailInvoice: post('/invoices/{invoiceId}/mail', 'mailInvoice', {
    needs: 'finance.manage',
    tag,
    status: 200,
    perHour: 300,
    summary: 'Mail an issued invoice to the person or chapter that owes it, with the document and a link to pay, as often as needed',
  })
    .input(OneInvoice)
    .output(z.object({ mails: z.int() })),
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
  runs: {
    list: get('/dues-runs', 'listDuesRuns', { needs: 'finance.read', tag, summary: 'Dues runs, the newest first' })
      .input(z.strictObject({ chapterId: Id.optional(), cursor: Cursor.optional(), limit: Limit.optional() }))
      .output(page(DuesRun)),
    preview: post('/dues-runs/preview', 'previewDuesRun', {
      needs: 'finance.manage',
      tag,
      status: 200,
      idempotent: false,
      summary: 'Whom a dues run would charge, how much, and whom it would skip and why; changes nothing',
      readsPeople: 60,
    })
      .input(
        z
          .strictObject(RunAsked)
          .meta({ examples: [{ rateId: '01920000-0000-7000-8000-000000000031', chapterId: null, periodOn: '2027-01-01' }] }),
      )
      .output(DuesRunPreview),
    undoPreview: get('/dues-runs/{runId}/undo', 'previewDuesRunUndo', {
      needs: 'finance.manage',
      tag,
      summary: 'How many invoices undoing a dues run would void, and how many it would keep because something was paid or credited',
    })
      .input(OneRun)
      .output(z.object({ voids: z.int(), keeps: z.int() })),
  },
  receipts: {
    list: get('/receipts', 'listReceipts', {
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'Receipts that you may see, your own among them; the newest first',
      readsPeople: 50,
    })
      .input(
        z.strictObject({
          personId: Id.optional(),
          chapterId: Id.optional(),
          invoiceId: Id.optional().describe('Of payments for this invoice'),
          cursor: Cursor.optional(),
          limit: Limit.optional(),
        }),
      )
      .output(page(Receipt)),
  },
}

const paper = { needs: 'signed-in', whileActing: true, status: 200, idempotent: false, perHour: 120, tag } as const
const RunStarted = z.object({ run: DuesRun, result: BulkResult })
export const financeActions = {
  runs: {
    start: post('/dues-runs', 'startDuesRun', {
      needs: 'finance.manage',
      tag,
      summary:
        'Charge a rate for a period: who has an invoice of this rate and period is skipped, so starting it again charges only who is missing',
    })
      .input(NewDuesRun)
      .output(RunStarted),
    undo: act('/dues-runs/{runId}/undo', 'undoDuesRun', {
      needs: 'finance.manage',
      tag,
      summary: 'Void the invoices of a dues run of which nothing was paid or credited',
    })
      .input(OneRun.extend({ reason: text(500, 1) }).meta({ examples: [{ reason: 'Wrong rate' }] }))
      .output(RunStarted),
  },
  invoices: {
    bulk: bulkProcedures({
      path: '/invoices',
      name: 'Invoices',
      tag,
      records: 'invoices',
      change: InvoiceBulkChange,
      example: { do: 'issue' },
      readsPeople: 10,
    }),
  },
  papers: {
    invoice: post('/invoices/{invoiceId}/pdf', 'printInvoice', { ...paper, summary: 'An issued invoice or credit note as PDF' })
      .input(OneInvoice)
      .output(z.file()),
    statement: post('/debtors/{owedById}/statement/pdf', 'printStatement', { ...paper, summary: 'A statement as PDF' })
      .input(StatementAsked.meta({ examples: [statementExample] }))
      .output(z.file()),
    receipt: post('/receipts/{receiptId}/pdf', 'printReceipt', { ...paper, summary: 'A receipt as PDF' })
      .input(z.strictObject({ receiptId: Id }))
      .output(z.file()),
  },
}
