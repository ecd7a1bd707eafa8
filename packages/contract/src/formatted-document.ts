// What a formatted text is made of, and the one walk that draws it. Free of zod: it is part of pages that show a text.

export type FormattedMark =
  { type: 'bold' } | { type: 'italic' } | { type: 'strike' } | { type: 'code' } | { type: 'link'; attrs: { href: string } }
export type FormattedInline =
  | { type: 'text'; text: string; marks?: FormattedMark[] | undefined }
  | { type: 'mention'; attrs: { personId: string; label?: string | null | undefined }; marks?: FormattedMark[] | undefined }
  | { type: 'hardBreak'; marks?: FormattedMark[] | undefined }
export type FormattedItem = { type: 'listItem'; content: FormattedBlock[] }
export type FormattedBlock =
  | { type: 'paragraph'; content?: FormattedInline[] | undefined }
  | { type: 'heading'; attrs: { level: number }; content?: FormattedInline[] | undefined }
  | { type: 'horizontalRule' }
  | { type: 'bulletList'; content: FormattedItem[] }
  | { type: 'orderedList'; attrs?: { start: number } | undefined; content: FormattedItem[] }
  | { type: 'blockquote'; content: FormattedBlock[] }
export type FormattedDocument = { type: 'doc'; content: FormattedBlock[] }

/** How many lists and quotes may be within each other. */
export const nestingLimit = 5
export const noText: FormattedDocument = { type: 'doc', content: [] }

/** The address when it leads to a page or a mail, undefined for everything else: no script, no file, no data. */
export function safeLink(href: string): string | undefined {
  if (!/^(?:https?:\/\/|mailto:)[^\s<>"'`\\]+$/i.test(href) || !URL.canParse(href)) return undefined
  return ['http:', 'https:', 'mailto:'].includes(new URL(href).protocol) ? href : undefined
}

/** How one medium writes each part. `Out` is text, an element, whatever it is made of; `key` tells neighbours apart. */
export type FormattedTarget<Out> = {
  text: (value: string, key: number) => Out
  lineBreak: (key: number) => Out
  /** The name is null where the reader may not see who it is. */
  mention: (person: { id: string; name: string | null }, key: number) => Out
  mark: (kind: 'bold' | 'italic' | 'strike' | 'code', inner: Out, key: number) => Out
  link: (href: string, inner: Out, key: number) => Out
  paragraph: (inner: Out[], key: number) => Out
  heading: (level: 2 | 3 | 4, inner: Out[], key: number) => Out
  rule: (key: number) => Out
  list: (items: Out[], key: number, start: number | undefined) => Out
  /** `place` is its number in an ordered list. */
  item: (inner: Out[], key: number, place: number | undefined) => Out
  quote: (inner: Out[], key: number) => Out
}

/** Draws a document for a medium: the only way a formatted text becomes something to read. What it does not know, it leaves out. */
export const renderFormattedText = <Out>({ content }: FormattedDocument, target: FormattedTarget<Out>): Out[] =>
  drawBlocks(content, target, 0)

function drawBlocks<Out>(content: readonly FormattedBlock[], target: FormattedTarget<Out>, depth: number): Out[] {
  if (depth > nestingLimit) return []
  const within = (inner: readonly FormattedBlock[]) => drawBlocks(inner, target, depth + 1)
  const items = (list: readonly FormattedItem[], start?: number) =>
    list.map((item, at) => target.item(within(item.content), at, start === undefined ? undefined : start + at))
  return content.flatMap((block, key) => {
    switch (block.type) {
      case 'paragraph':
        return [target.paragraph(drawInlines(block.content, target), key)]
      case 'heading':
        return [target.heading(block.attrs.level === 2 ? 2 : block.attrs.level === 3 ? 3 : 4, drawInlines(block.content, target), key)]
      case 'horizontalRule':
        return [target.rule(key)]
      case 'bulletList':
        return [target.list(items(block.content), key, undefined)]
      case 'orderedList':
        return [target.list(items(block.content, block.attrs?.start ?? 1), key, block.attrs?.start ?? 1)]
      case 'blockquote':
        return [target.quote(within(block.content), key)]
      default:
        return []
    }
  })
}

function drawInlines<Out>(content: readonly FormattedInline[] | undefined, target: FormattedTarget<Out>): Out[] {
  const line: Out[] = []
  for (const [key, node] of (content ?? []).entries()) {
    let drawn = drawInline(node, target, key)
    if (drawn === undefined) continue
    for (const mark of node.marks ?? []) drawn = drawMark(mark, drawn, target, key)
    line.push(drawn)
  }
  return line
}

function drawInline<Out>(node: FormattedInline, target: FormattedTarget<Out>, key: number): Out | undefined {
  switch (node.type) {
    case 'text':
      return typeof node.text === 'string' ? target.text(node.text, key) : undefined
    case 'hardBreak':
      return target.lineBreak(key)
    case 'mention':
      return target.mention({ id: node.attrs.personId, name: node.attrs.label ?? null }, key)
    default:
      return undefined
  }
}

function drawMark<Out>(mark: FormattedMark, inner: Out, target: FormattedTarget<Out>, key: number): Out {
  switch (mark.type) {
    case 'link': {
      const href = safeLink(mark.attrs.href)
      return href === undefined ? inner : target.link(href, inner, key)
    }
    case 'bold':
    case 'italic':
    case 'strike':
    case 'code':
      return target.mark(mark.type, inner, key)
    default:
      return inner
  }
}

// Plain text and HTML ----------------------------------------------------------------------------------------------------------------

const indented = (text: string, first: string) => first + text.replaceAll('\n', `\n${' '.repeat(first.length)}`)

/** For plain mails, search, exports and notifications. */
export const plainTarget: FormattedTarget<string> = {
  text: (value) => value,
  lineBreak: () => '\n',
  mention: ({ name }) => `@${name ?? 'someone'}`,
  mark: (_kind, inner) => inner,
  link: (href, inner) => (inner === href || `mailto:${inner}` === href ? inner : `${inner} (${href})`),
  paragraph: (inner) => inner.join(''),
  heading: (_level, inner) => inner.join(''),
  rule: () => '---',
  list: (items) => items.join('\n'),
  item: (inner, _key, place) => indented(inner.join('\n'), place === undefined ? '- ' : `${place}. `),
  quote: (inner) => indented(inner.join('\n'), '> '),
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? '')
const tags = { bold: 'strong', italic: 'em', strike: 's', code: 'code' } as const

/** For mails: every text is escaped, every tag stands here. */
export const htmlTarget: FormattedTarget<string> = {
  text: escaped,
  lineBreak: () => '<br>',
  mention: ({ name }) => `@${escaped(name ?? 'someone')}`,
  mark: (kind, inner) => `<${tags[kind]}>${inner}</${tags[kind]}>`,
  link: (href, inner) => `<a href="${escaped(href)}" rel="noopener noreferrer">${inner}</a>`,
  paragraph: (inner) => `<p>${inner.join('')}</p>`,
  heading: (level, inner) => `<h${level}>${inner.join('')}</h${level}>`,
  rule: () => '<hr>',
  list: (items, _key, start) =>
    start === undefined ? `<ul>${items.join('')}</ul>` : `<ol${start === 1 ? '' : ` start="${start}"`}>${items.join('')}</ol>`,
  item: (inner) => `<li>${inner.join('')}</li>`,
  quote: (inner) => `<blockquote>${inner.join('')}</blockquote>`,
}

/** Without formatting; paragraphs have an empty line between them. */
export const plainTextOf = (document: FormattedDocument): string => renderFormattedText(document, plainTarget).join('\n\n').trim()
export const htmlOf = (document: FormattedDocument): string => renderFormattedText(document, htmlTarget).join('')

// Mentions and size --------------------------------------------------------------------------------------------------------------------

/** The document with each part of a line exchanged for another. */
export function withInlines(document: FormattedDocument, change: (node: FormattedInline) => FormattedInline): FormattedDocument {
  const inBlock = (block: FormattedBlock): FormattedBlock => {
    switch (block.type) {
      case 'paragraph':
      case 'heading':
        return block.content ? { ...block, content: block.content.map(change) } : block
      case 'bulletList':
        return { ...block, content: block.content.map(inItem) }
      case 'orderedList':
        return { ...block, content: block.content.map(inItem) }
      case 'blockquote':
        return { ...block, content: block.content.map(inBlock) }
      default:
        return block
    }
  }
  const inItem = (item: FormattedItem): FormattedItem => ({ ...item, content: item.content.map(inBlock) })
  return { ...document, content: document.content.map(inBlock) }
}

/** The people it mentions, each once. */
export function mentionedIn(document: FormattedDocument): string[] {
  const found = new Set<string>()
  withInlines(document, (node) => {
    if (node.type === 'mention') found.add(node.attrs.personId)
    return node
  })
  return [...found]
}

/** With the names of the people mentioned that the reader may see; others have none. */
export const withNames = (document: FormattedDocument, names: Readonly<Record<string, string>>): FormattedDocument =>
  withInlines(document, (node) =>
    node.type === 'mention' ? { ...node, attrs: { personId: node.attrs.personId, label: names[node.attrs.personId] ?? null } } : node,
  )

/** As it is stored: without names, which belong to whoever reads it; and one way to say that there is nothing. */
export function toStore(document: FormattedDocument): FormattedDocument {
  const nameless = withInlines(document, (node) => (node.type === 'mention' ? { ...node, attrs: { personId: node.attrs.personId } } : node))
  return holdsNothing(nameless) ? noText : nameless
}

const holdsNothing = ({ content }: FormattedDocument): boolean =>
  content.every(
    (block) =>
      block.type === 'paragraph' &&
      (block.content ?? []).every((node) => node.type === 'hardBreak' || (node.type === 'text' && node.text.trim() === '')),
  )

/** Characters that were typed; what the document adds to them does not count. */
export function textLength(document: FormattedDocument): number {
  let length = 0
  withInlines(document, (node) => {
    length += node.type === 'text' ? node.text.length : 1
    return node
  })
  return length
}

/** Plain text as a document: an empty line begins a paragraph. */
export const documentOf = (text: string): FormattedDocument => ({
  type: 'doc',
  content:
    text.trim() === ''
      ? []
      : text
          .trim()
          .split(/\n{2,}/)
          .map((paragraph) => ({
            type: 'paragraph',
            content: paragraph
              .split('\n')
              .flatMap((line, at): FormattedInline[] => [
                ...(at === 0 ? [] : [{ type: 'hardBreak' as const }]),
                ...(line === '' ? [] : [{ type: 'text' as const, text: line }]),
              ]),
          })),
})
