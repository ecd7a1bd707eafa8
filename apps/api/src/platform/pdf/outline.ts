import { Document, Page, StyleSheet, Text, View } from '@react-pdf/renderer'
import { createElement as h } from 'react'
import * as z from 'zod'
import { fontsFor } from './fonts.ts'

const text = z.string().max(10_000)

/** Who stands below whom, indented, on as many pages as it takes. `footer` names the page with {page} and {pages}. */
export const OutlineDocument = z.strictObject({
  kind: z.literal('outline'),
  language: text,
  title: text,
  facts: z.array(text).max(10),
  footer: text,
  entries: z.array(z.strictObject({ depth: z.int().min(0), text, detail: text })).max(5_000),
})

const style = StyleSheet.create({
  page: { paddingVertical: 36, paddingHorizontal: 32, fontSize: 9 },
  title: { fontSize: 16, fontWeight: 700, marginBottom: 4 },
  facts: { color: '#50575f', marginBottom: 12 },
  entry: { flexDirection: 'row', paddingVertical: 1.5 },
  rule: { borderLeftWidth: 0.5, borderLeftColor: '#d5dae0', paddingLeft: 4, flexGrow: 1, flexBasis: 0 },
  detail: { color: '#50575f', textAlign: 'right', paddingLeft: 8, maxWidth: 220 },
  footer: { position: 'absolute', bottom: 16, left: 32, right: 32, textAlign: 'center', color: '#50575f', fontSize: 8 },
})
const indent = 11
/** Deeper levels stand below each other, so that names keep their room. */
const deepestIndent = 24

export function outlineOf({ language, title, facts, footer, entries }: z.infer<typeof OutlineDocument>) {
  const texts = entries.flatMap((entry) => [entry.text, entry.detail])
  const fontFamily = fontsFor([title, footer, ...facts, ...texts, '0123456789'])
  return h(
    Document,
    { title, language },
    h(
      Page,
      { size: 'A4', style: [style.page, { fontFamily }] },
      h(Text, { style: style.title }, title),
      h(Text, { style: style.facts }, facts.join('  ·  ')),
      entries.map((entry, at) =>
        h(
          View,
          { key: at, style: [style.entry, { marginLeft: Math.min(entry.depth, deepestIndent) * indent }], wrap: false },
          h(Text, { style: style.rule }, entry.text),
          h(Text, { style: style.detail }, entry.detail),
        ),
      ),
      h(Text, {
        style: style.footer,
        fixed: true,
        render: ({ pageNumber, totalPages }) => footer.replace('{page}', String(pageNumber)).replace('{pages}', String(totalPages)),
      }),
    ),
  )
}
