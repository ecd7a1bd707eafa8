import { plainTextOf } from '@guildhall/contract/formatted-document'
import type { MessageBlock, MessageBody } from '@guildhall/contract/message-blocks'
import type { OutlineBlock } from '@guildhall/contract/features/communication.templates'

const mostBlocks = 8
const mostWords = 90

/** The first blocks of a body in short, for lists that show what a template looks like. */
export const outlineOf = ({ blocks }: MessageBody): OutlineBlock[] => blocks.flatMap(outlined).slice(0, mostBlocks)

function outlined(block: MessageBlock): OutlineBlock[] {
  switch (block.type) {
    case 'text':
      return block.text.content.slice(0, mostBlocks).flatMap((part) => {
        const words = short(plainTextOf({ type: 'doc', content: [part] }))
        return words === '' ? [] : [{ type: part.type === 'heading' ? 'heading' : 'text', words } as const]
      })
    case 'button':
      return [{ type: 'button', words: short(block.label) }]
    case 'picture':
      return [{ type: 'picture', words: short(block.alt) }]
    default:
      return [{ type: block.type, words: '' }]
  }
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  // Not in the middle of a character of two halves.
  return line.length <= mostWords ? line : `${line.slice(0, mostWords).replace(/[\ud800-\udbff]$/, '')}…`
}
