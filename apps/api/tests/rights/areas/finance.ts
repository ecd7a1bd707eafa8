import type { financeData } from '@guildhall/contract/features/finance'
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
}
const { seeInvoices, seeBooks, manageFinance } = financeRights

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
  const rate = { org_id: orgId, chapter_id: chapterId, charged_to: 'person', period: 'year', price_amount: 6000, price_currency: 'EUR' }
  return {
    invoiceId: issuedInvoiceId,
    draftInvoiceId: await draft(canary('draftInvoice')),
    rateId: await add('dues_rates', { ...rate, name: canary('duesRate') }),
    archivedRateId: await add('dues_rates', { ...rate, name: `Old ${canary('duesRate')}`, archived_at: new Date() }),
  }
}

export const financePolicy: PolicyOf<typeof financeData> = {
  summary: may(rights.account),
  invoices: {
    list: may(rights.account, { shows: ['invoice', 'draftInvoice'] }),
    get: may(seeInvoices, { shows: ['invoice'] }),
    create: may(manageFinance, {
      send: { owedBy: { chapterId: '$chapterId' }, reason: 'Dues', lines: [{ text: 'Dues', amount: 6000 }] },
    }),
    issue: may(manageFinance, { ids: { invoiceId: 'draftInvoiceId' } }),
    void: may(manageFinance, { ids: { invoiceId: 'draftInvoiceId' }, send: { reason: 'Sent twice' } }),
    credit: may(manageFinance, { ids: { invoiceId: 'invoiceId' }, send: { reason: 'Moved away' } }),
  },
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
  receipts: { list: may(rights.account) },
}
