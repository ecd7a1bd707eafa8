import type { BillDocument } from '../../../platform/pdf/documents.ts'
import type { Texts } from '../../../platform/texts/texts.ts'

export type Address = { name: string; lines: string[] }
export type Seller = {
  name?: string | undefined
  email?: string | undefined
  address?: string | undefined
  taxId?: string | undefined
  /** At the foot of invoices and credit notes. */
  footer?: string | undefined
}
type Account = { holder: string; number: string; code: string; bank: string; note: string }

/** What an issued invoice or credit note says; amounts in minor units. */
export type InvoicePaper = {
  kind: 'invoice' | 'credit_note'
  state: string
  number: string
  issuedOn: string
  dueOn: string
  paidOn: string | null
  currency: string
  billing: Address
  seller: Seller
  reason: string
  note: string
  total: number
  paid: number
  credited: number
  balance: number
  corrects: string | null
  /** Where it can be paid to now, while something of it is open: an account that is closed by then takes no money. */
  account: Account | null
  lines: { text: string; net: number; taxBps: number; taxNote: string; tax: number }[]
}
export type ReceiptPaper = {
  state: 'issued' | 'replaced' | 'void'
  number: string
  issuedOn: string
  receivedOn: string
  currency: string
  amount: number
  billing: Address
  seller: Seller
  lines: { invoice: string | null; text: string; amount: number }[]
  replaces: string | null
}

/** A number may hold slashes and spaces; the name of a file had better not. */
export const fileOf = ({ number }: { number: string }): string => `${number.replaceAll(/[^\w.-]+/g, '-')}.pdf`

export const pages = (i18n: Texts) => i18n._('Page {page} of {pages}', { page: '{page}', pages: '{pages}' })
export const sender = (i18n: Texts, { name, email, address, taxId }: Seller) =>
  [
    name ?? '',
    ...(address ?? '').split('\n').slice(0, 6),
    email ?? '',
    taxId === undefined ? '' : i18n._('Tax number: {number}', { number: taxId }),
  ].filter(Boolean)
const footOf = ({ footer }: Seller) => (footer ?? '').split('\n').filter(Boolean).slice(0, 5)
export const recipient = ({ name, lines }: Address) => [name, ...lines].slice(0, 10)

export const invoiceTitle = (i18n: Texts, { kind, number }: Pick<InvoicePaper, 'kind' | 'number'>): string =>
  kind === 'credit_note' ? i18n._('Credit note {number}', { number }) : i18n._('Invoice {number}', { number })

export function invoiceDocument(i18n: Texts, paper: InvoicePaper): BillDocument {
  const money = (amount: number) => i18n.money(amount, paper.currency)
  const isInvoice = paper.kind === 'invoice'
  const taxed = paper.lines.some(({ tax }) => tax !== 0)
  const net = paper.lines.reduce((sum, line) => sum + line.net, 0)
  const percent = (bps: number) => `${(bps / 100).toLocaleString(i18n.locale)} %`
  const taxes = new Map<string, number>()
  for (const { taxBps, taxNote, tax } of paper.lines) {
    const rate = `${taxNote === '' ? i18n._('Tax') : taxNote} ${percent(taxBps)}`
    if (tax !== 0) taxes.set(rate, (taxes.get(rate) ?? 0) + tax)
  }
  return {
    kind: 'bill',
    language: i18n.language,
    title: invoiceTitle(i18n, paper),
    from: sender(i18n, paper.seller),
    to: recipient(paper.billing),
    facts: [
      { term: i18n._('Date'), value: i18n.date(paper.issuedOn) },
      ...(paper.corrects === null ? [] : [{ term: i18n._('Corrects invoice'), value: paper.corrects }]),
      ...(isInvoice && paper.state !== 'void' ? [{ term: i18n._('Due on'), value: i18n.date(paper.dueOn) }] : []),
      ...(paper.reason === '' ? [] : [{ term: i18n._('For'), value: paper.reason }]),
    ],
    columns: [i18n._('Description'), i18n._('Amount')],
    rows: paper.lines.map((line) => [line.text, money(line.net)]),
    totals: [
      ...(taxed ? [{ term: i18n._('Net'), value: money(net), strong: false }] : []),
      ...[...taxes].slice(0, 5).map(([term, amount]) => ({ term, value: money(amount), strong: false })),
      { term: i18n._('Total'), value: money(paper.total), strong: true },
      ...(paper.paid === 0 ? [] : [{ term: i18n._('Paid'), value: money(-paper.paid), strong: false }]),
      ...(paper.credited === 0 ? [] : [{ term: i18n._('Credited'), value: money(-paper.credited), strong: false }]),
      ...(isInvoice && paper.paid + paper.credited !== 0
        ? [{ term: i18n._('Amount due'), value: money(paper.balance), strong: true }]
        : []),
    ],
    notes: [
      ...(paper.state === 'void' ? [i18n._('This invoice is void.')] : []),
      ...(paper.note === '' ? [] : paper.note.split('\n').slice(0, 8)),
      ...transferLines(i18n, paper),
    ],
    foot: footOf(paper.seller),
    footer: pages(i18n),
  }
}

function transferLines(i18n: Texts, { account, number }: InvoicePaper): string[] {
  if (!account) return []
  return [
    ['', i18n._('By bank transfer:')],
    [i18n._('Account holder'), account.holder],
    [i18n._('Account number'), account.number],
    [i18n._('Bank code'), account.code],
    [i18n._('Bank'), account.bank],
    [i18n._('Reference'), number],
    ['', account.note.replaceAll('\n', ' ')],
  ]
    .filter(([, value]) => value)
    .map((parts) => parts.filter(Boolean).join(': '))
}

export const receiptTitle = (i18n: Texts, { number }: Pick<ReceiptPaper, 'number'>): string => i18n._('Receipt {number}', { number })

export function receiptDocument(i18n: Texts, paper: ReceiptPaper): BillDocument {
  const money = (amount: number) => i18n.money(amount, paper.currency)
  const rest = paper.amount - paper.lines.reduce((sum, { amount }) => sum + amount, 0)
  return {
    kind: 'bill',
    language: i18n.language,
    title: receiptTitle(i18n, paper),
    from: sender(i18n, paper.seller),
    to: recipient(paper.billing),
    facts: [
      { term: i18n._('Date'), value: i18n.date(paper.issuedOn) },
      { term: i18n._('Payment received on'), value: i18n.date(paper.receivedOn) },
      ...(paper.replaces === null ? [] : [{ term: i18n._('Replaces receipt'), value: paper.replaces }]),
    ],
    columns: [i18n._('Description'), i18n._('Amount')],
    rows: [
      ...paper.lines
        .slice(0, 199)
        .map(({ invoice, text, amount }) => [
          [invoice === null ? '' : i18n._('Invoice {number}', { number: invoice }), text].filter(Boolean).join(' · '),
          money(amount),
        ]),
      ...(rest > 0 ? [[i18n._('Credit on account'), money(rest)]] : []),
    ],
    totals: [{ term: i18n._('Amount received'), value: money(paper.amount), strong: true }],
    notes: [
      ...(paper.state === 'void' ? [i18n._('This receipt is void: the payment was given back or cancelled.')] : []),
      ...(paper.state === 'replaced' ? [i18n._('Another receipt has replaced this one.')] : []),
    ],
    foot: [],
    footer: pages(i18n),
  }
}
