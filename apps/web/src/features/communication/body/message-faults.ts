import { safeLink, textLength } from '@guildhall/contract/formatted-document'
import { isAppPath, simpleBlocksOf } from '@guildhall/contract/message-blocks'
import type { BlockPlace, MessageBlock, MessageBody, SimpleBlock } from '@guildhall/contract/message-blocks'

/** What keeps a block from being saved. */
export type BlockFault = 'label' | 'link' | 'picture' | 'alt' | 'event' | 'long'

/** Characters of one text. */
export const textLimit = 20_000

export const isLink = (href: string) => isAppPath(href) || safeLink(href) !== undefined

export function faultsOf(block: SimpleBlock): BlockFault[] {
  switch (block.type) {
    case 'text':
      return textLength(block.text) > textLimit ? ['long'] : []
    case 'button':
      return [...(block.label.trim() === '' ? (['label'] as const) : []), ...(isLink(block.href) ? [] : (['link'] as const))]
    case 'picture':
      return [
        ...(block.fileId === '' ? (['picture'] as const) : []),
        ...(!block.decorative && block.alt.trim() === '' ? (['alt'] as const) : []),
        ...(block.href === null || isLink(block.href) ? [] : (['link'] as const)),
      ]
    case 'event':
      return block.eventId === '' ? ['event'] : []
    case 'divider':
      return []
  }
}

/** Every fault with its place; nothing is saved while there is one. */
export const blockFaults = (body: MessageBody): (BlockPlace & { fault: BlockFault })[] =>
  simpleBlocksOf(body).flatMap(({ simple, ...place }) => faultsOf(simple).map((fault) => ({ ...place, fault })))

/** Without the blocks that somebody is still at, for the preview. */
export function finishedPart({ blocks }: MessageBody): MessageBody {
  const finished = (block: SimpleBlock) => faultsOf(block).length === 0
  return {
    blocks: blocks.flatMap((block): MessageBlock[] => {
      if (block.type === 'columns') return [{ ...block, left: block.left.filter(finished), right: block.right.filter(finished) }]
      return finished(block) ? [block] : []
    }),
  }
}
