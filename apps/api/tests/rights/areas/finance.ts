import type { financeActions, financeData } from '@guildhall/contract/features/finance'
import { right } from '../grid.ts'
import { may } from '../line.ts'
import type { AreaRows, PolicyOf } from '../line.ts'
import { rights } from '../rights.ts'

export const financeRights = {
  seeInvoices: right(
    'See invoices, payments and receipts',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   -    -     -
     officer         x   x    x     -
     finance         .   x    x     x
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  seeBooks: right(
    'See drafts, dues rates and the figures of a chapter',
    `                west below east
     officer         x    x     -
     finance         x    x     x
     admin           x    x     x
     owner           x    x     x`,
  ),
  manageFinance: right(
    'Set dues, and draft, issue, void and credit invoices',
    `                west below east org
     finance         x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  setFinance: right(
    'Change the settings of finance',
    `                org
     finance         x
     admin           x
     owner           x`,
  ),
  seeFinanceSettings: right(
    'See the settings of finance',
    `                org
     officer         x
     finance         x
     admin           x
     owner           x`,
  ),
}
const { seeInvoices, seeBooks, manageFinance, setFinance, seeFinanceSettings } = financeRights

export const financeKinds = { invoice: seeInvoices, draftInvoice: seeBooks, duesRate: seeBooks }

export const financeRows: AreaRows = async ({ add, run, orgId, chapterId, canary, people }) => {
  const draft = async (text: string) => {
    const one = { org_id: orgId, kind: 'invoice', person_id: people.personId, books_chapter_id: chapterId, currency: 'EUR' }
    const id = await add('invoices', { ...one, reason: text, total_amount: 6000 })
    await add('invoice_lines', { org_id: orgId, invoice_id: id, place: 1, text, net_amount: 6000 })
    return id
  }
  const issuedInvoiceId = await draft(canary('invoice'))
  await run('select app.issue_invoice($1, $2)', [orgId, issuedInvoiceId])
  const receipt = async () => {
    const owed = { org_id: orgId, person_id: people.personId, books_chapter_id: chapterId, amount: 6000, currency: 'EUR' }
    const paymentId = await add('payments', { ...owed, method: 'cash', state: 'settled', settled_at: '2026-01-05' })
    return add('receipts', {
      ...owed,
      ...{ payment_id: paymentId, number: `R-${chapterId}`, number_year: 2020, number_place: Number.parseInt(chapterId.slice(-6), 16) },
      ...{ issued_on: '2026-01-05', received_on: '2026-01-05', billing: '{"name":"x","lines":[]}', seller: '{}', lines: '[]' },
    })
  }
  const rate = { org_id: orgId, chapter_id: chapterId, charged_to: 'person', period: 'year', price_amount: 6000, price_currency: 'EUR' }
  const rateId = await add('dues_rates', { ...rate, name: canary('duesRate') })
  return {
    invoiceId: issuedInvoiceId,
    draftInvoiceId: await draft(canary('draftInvoice')),
    receiptId: await receipt(),
    rateId,
    runId: await add('dues_runs', {
      org_id: orgId,
      rate_id: rateId,
      chapter_id: chapterId,
      period_start: '2026-01-01',
      period_end: '2026-12-31',
      period_label: '2026',
      state: 'done',
    }),
    archivedRateId: await add('dues_rates', { ...rate, name: `Old ${canary('duesRate')}`, archived_at: new Date() }),
  }
}

export const financePolicy: PolicyOf<typeof financeData> = {
  settings: { get: may(seeFinanceSettings), update: may(setFinance, { ids: { version: 'none' }, send: { dueDays: 14 } }) },
  statement: may(seeInvoices, { ids: { owedById: 'personId' }, send: { since: '2020-01-01', until: '2030-12-31' } }),
  mailStatement: may(manageFinance, { ids: { owedById: 'personId' }, send: { since: '2026-01-01', until: '2026-12-31' } }),
  summary: may(rights.account),
  invoices: {
    list: may(rights.account, { shows: ['invoice', 'draftInvoice'] }),
    totals: may(rights.account),
    get: may(seeInvoices, { shows: ['invoice'] }),
    create: may(manageFinance, {
      send: { owedBy: { chapterId: '$chapterId' }, reason: 'Dues', lines: [{ text: 'Dues', amount: 6000 }] },
    }),
    update: may(manageFinance, { ids: { invoiceId: 'draftInvoiceId' }, send: { dueOn: '2030-01-31' } }),
    issue: may(manageFinance, { ids: { invoiceId: 'draftInvoiceId' } }),
    void: may(manageFinance, { ids: { invoiceId: 'draftInvoiceId' }, send: { reason: 'Sent twice' } }),
    credit: may(manageFinance, { ids: { invoiceId: 'invoiceId' }, send: { reason: 'Moved away' } }),
  },
  mailInvoice: may(manageFinance),
  rates: {
    list: may(rights.account, { shows: ['duesRate'] }),
    create: may(manageFinance, {
      send: {
        name: 'Local dues',
        chargedTo: 'person',
        period: 'year',
        price: { amount: 1000, currency: 'EUR' },
        chapterId: '$chapterId',
      },
    }),
    update: may(manageFinance, { send: { dueDays: 14 } }),
    archive: may(manageFinance),
    restore: may(manageFinance, { ids: { rateId: 'archivedRateId' } }),
  },
  runs: {
    list: may(rights.account),
    preview: may(manageFinance, { send: { rateId: '$rateId', chapterId: '$chapterId', periodOn: '2027-01-01' }, changesNothing: true }),
    undoPreview: may(manageFinance),
  },
  receipts: { list: may(rights.account) },
}

export const financeActionsPolicy: PolicyOf<typeof financeActions> = {
  runs: {
    start: may(manageFinance, { send: { rateId: '$rateId', chapterId: '$chapterId', periodOn: '2027-01-01' } }),
    undo: may(manageFinance, { send: { reason: 'Wrong rate' } }),
  },
  invoices: { bulk: { preview: may(rights.account, { changesNothing: true }), run: may(rights.account, {}) } },
  papers: {
    invoice: may(seeInvoices, { changesNothing: true }),
    statement: may(seeInvoices, {
      ids: { owedById: 'personId' },
      send: { since: '2026-01-01', until: '2026-12-31' },
      changesNothing: true,
    }),
    receipt: may(seeInvoices, { changesNothing: true }),
  },
}
