import { Document, Font, Page, Path, StyleSheet, Svg, Text, View } from '@react-pdf/renderer'
import type { DocumentProps } from '@react-pdf/renderer'
import { createElement as h } from 'react'
import type { ReactElement } from 'react'
import { encode } from 'uqr'
import * as z from 'zod'
import { fontsFor } from './fonts.ts'

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
export const PdfDocument = z.discriminatedUnion('kind', [TableDocument, CardDocument])
export type PdfDocument = z.infer<typeof PdfDocument>

/** The document as React elements, with the fonts that its texts need. */
export function elementOf(document: PdfDocument): ReactElement<DocumentProps> {
  // Hyphens within names and addresses would look as if they were part of them.
  Font.registerHyphenationCallback((word) => [word])
  return document.kind === 'table' ? tableOf(document) : cardOf(document)
}

const table = StyleSheet.create({
  page: { paddingVertical: 36, paddingHorizontal: 32, fontSize: 9 },
  title: { fontSize: 16, fontWeight: 700, marginBottom: 4 },
  facts: { color: '#50575f', marginBottom: 12 },
  head: { flexDirection: 'row', borderBottomWidth: 1, borderBottomColor: '#1a1d21', paddingBottom: 3 },
  row: { flexDirection: 'row', borderBottomWidth: 0.5, borderBottomColor: '#d5dae0', paddingVertical: 3 },
  cell: { paddingRight: 6 },
  bold: { fontWeight: 700 },
  footer: { position: 'absolute', bottom: 16, left: 32, right: 32, textAlign: 'center', color: '#50575f', fontSize: 8 },
})

function tableOf({ language, title, facts, footer, columns, rows }: z.infer<typeof TableDocument>) {
  const fontFamily = fontsFor([title, footer, ...facts, ...columns, ...rows.flat(), '0123456789'])
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

function qrCode(content: string, width: number) {
  const { size, data } = encode(content, { ecc: 'M', border: 1 })
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return h(Svg, { viewBox: `0 0 ${size} ${size}`, width, height: width }, h(Path, { d: squares, fill: '#000000' }))
}
