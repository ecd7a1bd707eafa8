/** What a message says, from top to bottom: headings and paragraphs that follow each other become one text. */
export type Piece =
  | readonly [type: 'heading' | 'text', words: string]
  | readonly [type: 'button', words: string, href: string]
  | readonly [type: 'event', words: string, id: string]
  | readonly [type: 'divider', words: '']

type Part = { type: string; attrs?: object; content: { type: 'text'; text: string }[] }
type Block = { type: string; text?: { type: 'doc'; content: Part[] }; [more: string]: unknown }

/** The body of a message as message-body.ts of the contract has it. */
export function bodyOf(pieces: readonly Piece[]): { blocks: Block[] } {
  const blocks: Block[] = []
  for (const [type, words, address] of pieces) {
    if (type === 'button') blocks.push({ type, label: words, href: address })
    else if (type === 'event') blocks.push({ type, eventId: address })
    else if (type === 'divider') blocks.push({ type })
    else {
      const content: Part['content'] = [{ type: 'text', text: words }]
      const part = type === 'heading' ? { type, attrs: { level: 2 }, content } : { type: 'paragraph', content }
      const last = blocks.at(-1)
      if (last?.text) last.text.content.push(part)
      else blocks.push({ type: 'text', text: { type: 'doc', content: [part] } })
    }
  }
  return { blocks }
}

/** Addresses whose clicks are counted, each once. */
export const linksOf = (pieces: readonly Piece[]): string[] => [
  ...new Set(pieces.flatMap(([type, , href]) => (type === 'button' ? href : []))),
]

const mostBlocks = 8
const mostWords = 90
/** As the API keeps it for the list of templates. */
export const outlineOf = (pieces: readonly Piece[]) =>
  pieces.slice(0, mostBlocks).map(([type, words]) => ({ type, words: words.length <= mostWords ? words : `${words.slice(0, mostWords)}…` }))
