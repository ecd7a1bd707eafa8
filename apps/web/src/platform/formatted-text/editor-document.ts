import { renderFormattedText } from '@guildhall/contract/formatted-document'
import type {
  FormattedBlock,
  FormattedDocument,
  FormattedInline,
  FormattedItem,
  FormattedMark,
  FormattedTarget,
} from '@guildhall/contract/formatted-document'
import type { JSONContent } from '@tiptap/core'

/** What the editor holds as a document of ours; the server's rules look at it once more. */
export const fromEditor = ({ content }: JSONContent): FormattedDocument => ({ type: 'doc', content: blocksOf(content) })

const editorTarget: FormattedTarget<JSONContent> = {
  text: (text) => ({ type: 'text', text }),
  lineBreak: () => ({ type: 'hardBreak' }),
  mention: ({ id, name }) => ({ type: 'mention', attrs: { id, label: name } }),
  mark: (type, inner) => ({ ...inner, marks: [...(inner.marks ?? []), { type }] }),
  link: (href, inner) => ({ ...inner, marks: [...(inner.marks ?? []), { type: 'link', attrs: { href } }] }),
  paragraph: (content) => ({ type: 'paragraph', content }),
  heading: (level, content) => ({ type: 'heading', attrs: { level }, content }),
  rule: () => ({ type: 'horizontalRule' }),
  list: (content, _key, start) =>
    start === undefined ? { type: 'bulletList', content } : { type: 'orderedList', attrs: { start }, content },
  item: (content) => ({ type: 'listItem', content }),
  quote: (content) => ({ type: 'blockquote', content }),
}

/** What the editor begins with: it wants a paragraph at least. */
export const toEditor = (document: FormattedDocument | undefined): JSONContent => ({
  type: 'doc',
  content: document && document.content.length > 0 ? renderFormattedText(document, editorTarget) : [{ type: 'paragraph' }],
})

const blocksOf = (content: readonly JSONContent[] = []): FormattedBlock[] => content.flatMap(blockOf)

function blockOf({ type, attrs, content }: JSONContent): FormattedBlock[] {
  const line = content ? { content: content.flatMap(inlineOf) } : {}
  switch (type) {
    case 'paragraph':
      return [{ type, ...line }]
    case 'heading':
      return [{ type, attrs: { level: Number(attrs?.['level']) }, ...line }]
    case 'horizontalRule':
      return [{ type }]
    case 'bulletList':
      return [{ type, content: itemsOf(content) }]
    case 'orderedList':
      return [{ type, attrs: { start: Number(attrs?.['start'] ?? 1) }, content: itemsOf(content) }]
    case 'blockquote':
      return [{ type, content: blocksOf(content) }]
    default:
      return []
  }
}

const itemsOf = (content: readonly JSONContent[] = []): FormattedItem[] =>
  content.map((item) => ({ type: 'listItem', content: blocksOf(item.content) }))

function inlineOf({ type, text, attrs, marks }: JSONContent): FormattedInline[] {
  const marked = marks && marks.length > 0 ? { marks: marks.flatMap(markOf) } : {}
  switch (type) {
    case 'text':
      return text ? [{ type, text, ...marked }] : []
    case 'hardBreak':
      return [{ type, ...marked }]
    case 'mention': {
      const label: unknown = attrs?.['label']
      return [{ type, attrs: { personId: String(attrs?.['id']), label: typeof label === 'string' ? label : null }, ...marked }]
    }
    default:
      return []
  }
}

function markOf({ type, attrs }: { type: string; attrs?: Record<string, unknown> }): FormattedMark[] {
  switch (type) {
    case 'bold':
    case 'italic':
    case 'strike':
    case 'code':
      return [{ type }]
    case 'link':
      return [{ type, attrs: { href: String(attrs?.['href']) } }]
    default:
      return []
  }
}
