import { renderFormattedText } from '@guildhall/contract/formatted-document'
import type { FormattedDocument, FormattedTarget } from '@guildhall/contract/formatted-document'
import { createElement as h } from 'react'
import type { ReactNode } from 'react'

const tags = { bold: 'strong', italic: 'em', strike: 's', code: 'code' } as const

/** `nobody` stands for people who are mentioned: a public page names none of them. */
const target = (nobody: string): FormattedTarget<ReactNode> => ({
  text: (value) => value,
  lineBreak: (key) => h('br', { key }),
  mention: () => nobody,
  mark: (kind, inner, key) => h(tags[kind], { key }, inner),
  link: (href, inner, key) => h('a', { key, href, rel: 'noreferrer noopener' }, inner),
  paragraph: (inner, key) => h('p', { key }, ...inner),
  heading: (level, inner, key) => h(`h${level + 1}`, { key }, ...inner),
  rule: (key) => h('hr', { key }),
  list: (items, key, start) => (start === undefined ? h('ul', { key }, ...items) : h('ol', { key, start }, ...items)),
  item: (inner, key) => h('li', { key }, ...inner),
  quote: (inner, key) => h('blockquote', { key }, ...inner),
})

/** A formatted text on a public page, its headings one level below those of the page. */
export const formattedView = (document: FormattedDocument, nobody: string): ReactNode[] => renderFormattedText(document, target(nobody))
