import type { FormattedTarget } from '@guildhall/contract/formatted-document'
import { Link, Text, View } from '@react-pdf/renderer'
import { createElement } from 'react'
import type { ReactNode } from 'react'

const marks = {
  bold: { fontWeight: 700 },
  italic: { fontStyle: 'italic' },
  strike: { textDecoration: 'line-through' },
  code: { backgroundColor: '#eeeeee' },
} as const
const sizes = { 2: 16, 3: 14, 4: 12 } as const
const gap = { marginBottom: 6 }

/** A formatted text in a PDF: `createElement(View, {}, renderFormattedText(document, pdfTarget))`. */
export const pdfTarget: FormattedTarget<ReactNode> = {
  text: (value) => value,
  lineBreak: () => '\n',
  mention: ({ name }) => `@${name ?? 'someone'}`,
  mark: (kind, inner, key) => createElement(Text, { key, style: marks[kind] }, inner),
  link: (src, inner, key) => createElement(Link, { key, src }, inner),
  paragraph: (inner, key) => createElement(Text, { key, style: gap }, inner),
  heading: (level, inner, key) => createElement(Text, { key, style: { ...gap, fontSize: sizes[level], fontWeight: 700 } }, inner),
  rule: (key) => createElement(View, { key, style: { ...gap, borderBottomWidth: 1, borderBottomColor: '#999999' } }),
  list: (items, key) => createElement(View, { key, style: { paddingLeft: 8 } }, items),
  item: (inner, key, place) =>
    createElement(
      View,
      { key, style: { flexDirection: 'row' } },
      createElement(Text, { style: { width: 18 } }, place === undefined ? '•' : `${place}.`),
      createElement(View, { style: { flex: 1 } }, inner),
    ),
  quote: (inner, key) =>
    createElement(View, { key, style: { ...gap, paddingLeft: 8, borderLeftWidth: 2, borderLeftColor: '#999999' } }, inner),
}
