import type { FormattedTarget } from '@guildhall/contract/formatted-document'

export const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
export const attribute = (text: string): string => escape(text).replaceAll('"', '&quot;')

const tags = { bold: 'strong', italic: 'em', strike: 's', code: 'code' } as const

/** A formatted text in the HTML of a mail; `nobody` stands for people whom its reader may not see. */
export const htmlTarget = (nobody: string): FormattedTarget<string> => ({
  text: (value) => escape(value),
  lineBreak: () => '<br>',
  mention: ({ name }) => escape(name ?? nobody),
  mark: (kind, inner) => `<${tags[kind]}>${inner}</${tags[kind]}>`,
  link: (href, inner) => `<a href="${attribute(href)}">${inner}</a>`,
  paragraph: (inner) => `<p style="margin:0 0 12px">${inner.join('')}</p>`,
  heading: (level, inner) => `<h${level} style="margin:16px 0 8px">${inner.join('')}</h${level}>`,
  rule: () => '<hr>',
  list: (items, _key, start) => (start === undefined ? `<ul>${items.join('')}</ul>` : `<ol start="${start}">${items.join('')}</ol>`),
  item: (inner) => `<li>${inner.join('')}</li>`,
  quote: (inner) => `<blockquote>${inner.join('')}</blockquote>`,
})

/** The same in its plain text: links with their address, lists with dashes or numbers. */
export const textTarget = (nobody: string): FormattedTarget<string> => ({
  text: (value) => value,
  lineBreak: () => '\n',
  mention: ({ name }) => name ?? nobody,
  mark: (_kind, inner) => inner,
  link: (href, inner) => (inner === href ? href : `${inner} (${href})`),
  paragraph: (inner) => `${inner.join('')}\n`,
  heading: (_level, inner) => `${inner.join('')}\n`,
  rule: () => '---\n',
  list: (items) => `${items.join('\n')}\n`,
  item: (inner, _key, place) => `${place === undefined ? '-' : `${place}.`} ${inner.join('').trim().replaceAll('\n', '\n  ')}`,
  quote: (inner) => inner.join('').trim().replace(/^/gm, '> '),
})
