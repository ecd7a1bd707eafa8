import { safeLink } from '@guildhall/contract/formatted-document'
import { withoutHidden } from '@guildhall/contract/text-rules'
import { Extension, mergeAttributes } from '@tiptap/core'
import type { AnyExtension } from '@tiptap/core'
import { Mention } from '@tiptap/extension-mention'
import type { MentionOptions } from '@tiptap/extension-mention'
import { Plugin } from '@tiptap/pm/state'
import { StarterKit } from '@tiptap/starter-kit'

export type MentionSuggestion = Required<Pick<MentionOptions['suggestion'], 'render'>>

/** Parts from one sign up to the other; one that never ends reaches to the end. */
function without(text: string, from: string, to: string): string {
  const lower = text.toLowerCase()
  let kept = ''
  let at = 0
  for (;;) {
    const start = lower.indexOf(from, at)
    if (start === -1) return kept + text.slice(at)
    kept += text.slice(at, start)
    const end = lower.indexOf(to, start)
    if (end === -1) return kept
    at = end + to.length
  }
}

/** Without the style sheets and comments that others put on the clipboard, which would arrive as words; their headings fit into a page. */
export function cleanedHtml(html: string): string {
  const blocks = ['style', 'script', 'title', 'xml'].reduce(
    (rest, name) => without(rest, `<${name}`, `</${name}>`),
    without(html, '<!--', '-->'),
  )
  return withoutHidden(
    without(blocks, '<![', ']>')
      .replace(/<(\/?)h1\b/gi, '<$1h2')
      .replace(/<(\/?)h[56]\b/gi, '<$1h4'),
  )
}

const Cleaned = Extension.create({
  name: 'cleaned',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: { transformPastedHTML: cleanedHtml, transformPastedText: (text) => withoutHidden(text.replaceAll('\r', '')) },
    }),
  ],
})

/** Nothing but what the contract knows: whatever else is pasted falls away here. */
export const extensions = (mentions: MentionSuggestion | null, someone: string, className: string): AnyExtension[] => {
  const shown = (label: unknown) => (typeof label === 'string' ? `@${label}` : someone)
  return [
    Cleaned,
    StarterKit.configure({
      heading: { levels: [2, 3, 4] },
      codeBlock: false,
      underline: false,
      trailingNode: false,
      link: {
        openOnClick: false,
        autolink: true,
        defaultProtocol: 'https',
        isAllowedUri: (href) => safeLink(href) !== undefined,
        shouldAutoLink: (href) => safeLink(href) !== undefined,
        HTMLAttributes: { target: null, rel: null },
      },
    }),
    ...(mentions === null
      ? []
      : [
          Mention.configure({
            HTMLAttributes: { class: className },
            renderText: ({ node }) => shown(node.attrs['label']),
            renderHTML: ({ options, node }) => ['span', mergeAttributes(options.HTMLAttributes), shown(node.attrs['label'])],
            suggestion: {
              char: '@',
              items: () => [],
              ...mentions,
              command: ({ editor, range, props: { id, label } }) => {
                editor
                  .chain()
                  .focus()
                  .insertContentAt(range, [
                    { type: 'mention', attrs: { id, label } },
                    { type: 'text', text: ' ' },
                  ])
                  .run()
              },
            },
          }),
        ]),
  ]
}
