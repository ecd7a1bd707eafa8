import { Document, Font, Page, Path, StyleSheet, Svg, Text, View } from '@react-pdf/renderer'
import type { DocumentProps } from '@react-pdf/renderer'
import { createElement as h } from 'react'
import type { ReactElement } from 'react'
import { encode } from 'uqr'
import * as z from 'zod'
import { fontsFor } from './fonts.ts'
import { OutlineDocument, outlineOf } from './outline.ts'

const color = z.string().regex(/^#[0-9a-f]{6}$/)
const text = z.string().max(10_000)

/** A list on as many pages as it takes. `footer` names the page with {page} and {pages}. */
const TableDocument = z.strictObject({
  kind: z.literal('table'),
  language: text,
  title: text,
  facts: z.array(text).max(10),
  footer: text,
  columns: z.array(text).min(1).max(20),
  rows: z.array(z.array(text)).max(5_000),
  notes: z.array(text).max(40).optional().describe('Below the rows'),
})
/** A card of the size of a bank card, with a code that leads to where it can be checked. */
const CardDocument = z.strictObject({
  kind: z.literal('card'),
  language: text,
  organisation: text,
  color,
  onColor: color,
  title: text,
  name: text,
  facts: z.array(z.strictObject({ term: text, value: text })).max(6),
  address: z.url(),
  note: text,
})
/** An invoice, a credit note or a receipt: who writes to whom, what about, lines with amounts and what they come to. */
const BillDocument = z.strictObject({
  kind: z.literal('bill'),
  language: text,
  title: text,
  from: z.array(text).max(10),
  to: z.array(text).max(10),
  facts: z.array(z.strictObject({ term: text, value: text })).max(10),
  columns: z.array(text).min(2).max(5),
  rows: z.array(z.array(text)).max(510),
  totals: z.array(z.strictObject({ term: text, value: text, strong: z.boolean() })).max(10),
  notes: z.array(text).max(20),
  foot: z.array(text).max(5).describe('On every page, above the footer'),
  footer: text,
})
export type BillDocument = z.infer<typeof BillDocument>
/** Tickets, a page each, to fold or to show on a phone: what for, whose, and a code large enough for any camera. */
const TicketDocument = z.strictObject({
  kind: z.literal('ticket'),
  language: text,
  organisation: text,
  color,
  onColor: color,
  title: text,
  facts: z.array(z.strictObject({ term: text, value: text })).max(6),
  tickets: z
    .array(z.strictObject({ name: text, code: z.string().min(1).max(500) }))
    .min(1)
    .max(50),
  note: text,
})
export type TicketDocument = z.infer<typeof TicketDocument>
export const PdfDocument = z.discriminatedUnion('kind', [TableDocument, OutlineDocument, CardDocument, BillDocument, TicketDocument])
export type PdfDocument = z.infer<typeof PdfDocument>

/** The document as React elements, with the fonts that its texts need. */
export function elementOf(document: PdfDocument): ReactElement<DocumentProps> {
  // Hyphens within names and addresses would look as if they were part of them.
  Font.registerHyphenationCallback((word) => [word])
  if (document.kind === 'bill') return billOf(document)
  if (document.kind === 'ticket') return ticketOf(document)
  if (document.kind === 'outline') return outlineOf(document)
  return document.kind === 'table' ? tableOf(document) : cardOf(document)
}

const table = StyleSheet.create({
  page: { paddingVertical: 36, paddingHorizontal: 32, fontSize: 9 },
  title: { fontSize: 16, fontWeight: 700, marginBottom: 4 },
  facts: { color: '#50575f', marginBottom: 12 },
  head: { flexDirection: 'row', borderBottomWidth: 1, borderBottomColor: '#1a1d21', paddingBottom: 3 },
  row: { flexDirection: 'row', borderBottomWidth: 0.5, borderBottomColor: '#d5dae0', paddingVertical: 3 },
  cell: { paddingRight: 6 },
  notes: { marginTop: 14, color: '#50575f' },
  bold: { fontWeight: 700 },
  footer: { position: 'absolute', bottom: 16, left: 32, right: 32, textAlign: 'center', color: '#50575f', fontSize: 8 },
})

function tableOf({ language, title, facts, footer, columns, rows, notes = [] }: z.infer<typeof TableDocument>) {
  const fontFamily = fontsFor([title, footer, ...facts, ...columns, ...rows.flat(), ...notes, '0123456789'])
  const widths = widthsOf(columns, rows)
  const cells = (values: readonly string[], isHead: boolean) =>
    columns.map((_, at) =>
      h(
        View,
        { key: at, style: [table.cell, { width: `${widths[at] ?? 0}%` }] },
        h(Text, isHead ? { style: table.bold } : {}, values[at] ?? ''),
      ),
    )
  return h(
    Document,
    { title, language },
    h(
      Page,
      { size: 'A4', orientation: columns.length > 4 ? 'landscape' : 'portrait', style: [table.page, { fontFamily }] },
      h(Text, { style: table.title }, title),
      h(Text, { style: table.facts }, facts.join('  ·  ')),
      h(View, { style: table.head, fixed: true }, cells(columns, true)),
      rows.map((row, at) => h(View, { key: at, style: table.row, wrap: false }, cells(row, false))),
      h(
        View,
        { style: table.notes },
        notes.map((note, at) => h(Text, { key: at }, note)),
      ),
      h(Text, {
        style: table.footer,
        fixed: true,
        render: ({ pageNumber, totalPages }) => footer.replace('{page}', String(pageNumber)).replace('{pages}', String(totalPages)),
      }),
    ),
  )
}

/** Columns as wide as their longer texts want, in percent; none takes all and none vanishes. */
function widthsOf(columns: readonly string[], rows: readonly (readonly string[])[]): number[] {
  const wanted = columns.map((header, at) => {
    const lengths = rows.map((row) => row[at]?.length ?? 0).sort((one, other) => one - other)
    return Math.min(40, Math.max(6, header.length, lengths[Math.floor(lengths.length * 0.95)] ?? 0))
  })
  const all = wanted.reduce((sum, one) => sum + one, 0)
  return wanted.map((one) => (one / all) * 100)
}

const bill = StyleSheet.create({
  page: { paddingTop: 48, paddingBottom: 56, paddingHorizontal: 56, fontSize: 10, lineHeight: 1.4 },
  from: { textAlign: 'right', color: '#50575f', marginBottom: 28 },
  to: { marginBottom: 28 },
  title: { fontSize: 16, fontWeight: 700, marginBottom: 10 },
  fact: { flexDirection: 'row' },
  term: { width: 130, color: '#50575f' },
  head: { flexDirection: 'row', borderBottomWidth: 1, borderBottomColor: '#1a1d21', paddingBottom: 3, marginTop: 18 },
  row: { flexDirection: 'row', borderBottomWidth: 0.5, borderBottomColor: '#d5dae0', paddingVertical: 4 },
  text: { flexGrow: 1, flexBasis: 0, paddingRight: 8 },
  amount: { width: 84, textAlign: 'right' },
  total: { flexDirection: 'row', justifyContent: 'flex-end', paddingTop: 4 },
  totalTerm: { width: 140, textAlign: 'right', paddingRight: 12 },
  notes: { marginTop: 22 },
  foot: { position: 'absolute', bottom: 32, left: 56, right: 56, textAlign: 'center', color: '#50575f', fontSize: 8 },
})

function billOf({ language, title, from, to, facts, columns, rows, totals, notes, foot, footer }: BillDocument) {
  const amounts = [...facts, ...totals].flatMap(({ term, value }) => [term, value])
  const fontFamily = fontsFor([title, footer, ...from, ...to, ...columns, ...rows.flat(), ...notes, ...foot, ...amounts, '0123456789'])
  const cells = (values: readonly string[]) =>
    columns.map((_, at) => h(Text, { key: at, style: at === 0 ? bill.text : bill.amount }, values[at] ?? ''))
  const lines = (values: readonly string[]) => values.map((line, at) => h(Text, { key: at }, line))
  return h(
    Document,
    { title, language },
    h(
      Page,
      { size: 'A4', style: [bill.page, { fontFamily, paddingBottom: 56 + foot.length * 12 }] },
      h(View, { style: bill.from }, lines(from)),
      h(View, { style: bill.to }, lines(to)),
      h(Text, { style: bill.title }, title),
      facts.map(({ term, value }, at) => h(View, { key: at, style: bill.fact }, h(Text, { style: bill.term }, term), h(Text, null, value))),
      h(View, { style: bill.head, fixed: true }, cells(columns)),
      rows.map((row, at) => h(View, { key: at, style: bill.row, wrap: false }, cells(row))),
      totals.map(({ term, value, strong }, at) =>
        h(
          View,
          { key: at, style: strong ? [bill.total, table.bold] : bill.total, wrap: false },
          h(Text, { style: bill.totalTerm }, term),
          h(Text, { style: bill.amount }, value),
        ),
      ),
      h(View, { style: bill.notes }, lines(notes)),
      h(View, { style: bill.foot, fixed: true }, lines(foot)),
      h(Text, {
        style: table.footer,
        fixed: true,
        render: ({ pageNumber, totalPages }) => footer.replace('{page}', String(pageNumber)).replace('{pages}', String(totalPages)),
      }),
    ),
  )
}

const millimetre = 72 / 25.4
const card = StyleSheet.create({
  page: { fontSize: 7, flexDirection: 'column' },
  band: { paddingVertical: 6, paddingHorizontal: 10, flexDirection: 'row', justifyContent: 'space-between' },
  bold: { fontWeight: 700 },
  body: { flexGrow: 1, flexDirection: 'row', padding: 10 },
  left: { flexGrow: 1, flexBasis: 0, paddingRight: 8 },
  name: { fontSize: 12, fontWeight: 700, marginBottom: 5 },
  fact: { flexDirection: 'row', marginBottom: 2 },
  term: { width: 52, color: '#50575f' },
  value: { flexGrow: 1, flexBasis: 0 },
  note: { fontSize: 5, color: '#50575f', marginTop: 3, textAlign: 'center' },
})

function cardOf({ language, organisation, color: band, onColor, title, name, facts, address, note }: z.infer<typeof CardDocument>) {
  const fontFamily = fontsFor([organisation, title, name, note, ...facts.flatMap(({ term, value }) => [term, value])])
  return h(
    Document,
    { title: `${title} – ${organisation}`, language },
    h(
      Page,
      { size: [85.6 * millimetre, 54 * millimetre], style: [card.page, { fontFamily }] },
      h(
        View,
        { style: [card.band, { backgroundColor: band, color: onColor }] },
        h(Text, { style: card.bold }, organisation),
        h(Text, null, title),
      ),
      h(
        View,
        { style: card.body },
        h(
          View,
          { style: card.left },
          h(Text, { style: card.name }, name),
          facts.map(({ term, value }, at) =>
            h(View, { key: at, style: card.fact }, h(Text, { style: card.term }, term), h(Text, { style: card.value }, value)),
          ),
        ),
        h(View, { style: { width: 74 } }, qrCode(address, 74), h(Text, { style: card.note }, note)),
      ),
    ),
  )
}

const ticket = StyleSheet.create({
  page: { fontSize: 10, lineHeight: 1.4 },
  band: { paddingVertical: 12, paddingHorizontal: 28, fontWeight: 700 },
  body: { padding: 28, flexGrow: 1 },
  title: { fontSize: 20, fontWeight: 700, lineHeight: 1.25, marginBottom: 14 },
  fact: { marginBottom: 8 },
  term: { color: '#50575f', fontSize: 8 },
  code: { marginTop: 14, alignItems: 'center' },
  name: { fontSize: 14, fontWeight: 700, marginTop: 10, textAlign: 'center' },
  note: { color: '#50575f', textAlign: 'center' },
})

function ticketOf({ language, organisation, color: band, onColor, title, facts, tickets, note }: TicketDocument) {
  const names = tickets.map(({ name }) => name)
  const fontFamily = fontsFor([organisation, title, ...names, note, ...facts.flatMap(({ term, value }) => [term, value])])
  return h(
    Document,
    { title: `${title} – ${names.join(', ')}`, language },
    tickets.map(({ name, code }, at) =>
      h(
        Page,
        { key: at, size: 'A5', style: [ticket.page, { fontFamily }] },
        h(View, { style: [ticket.band, { backgroundColor: band, color: onColor }] }, h(Text, null, organisation)),
        h(
          View,
          { style: ticket.body },
          h(Text, { style: ticket.title }, title),
          facts.map(({ term, value }, nth) =>
            h(View, { key: nth, style: ticket.fact }, h(Text, { style: ticket.term }, term), h(Text, null, value)),
          ),
          h(
            View,
            { style: ticket.code, wrap: false },
            qrCode(code, 200),
            h(Text, { style: ticket.name }, name),
            h(Text, { style: ticket.note }, note),
          ),
        ),
      ),
    ),
  )
}

function qrCode(content: string, width: number) {
  const { size, data } = encode(content, { ecc: 'M', border: 1 })
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return h(Svg, { viewBox: `0 0 ${size} ${size}`, width, height: width }, h(Path, { d: squares, fill: '#000000' }))
}
