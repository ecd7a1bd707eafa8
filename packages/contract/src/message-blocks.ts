import type { FormattedDocument } from './formatted-document.ts'
import { safeLink, withInlines } from './formatted-document.ts'

// What the body of a message is made of. Free of zod: the editor and the renderer share it.

export type PictureWidth = 'full' | 'half' | 'third'
export type SimpleBlock =
  | { type: 'text'; text: FormattedDocument }
  | { type: 'button'; label: string; href: string }
  | { type: 'picture'; fileId: string; alt: string; decorative: boolean; href: string | null; width: PictureWidth }
  | { type: 'event'; eventId: string }
  | { type: 'divider' }
export type MessageBlock = SimpleBlock | { type: 'columns'; left: SimpleBlock[]; right: SimpleBlock[] }
export type MessageBody = { blocks: MessageBlock[] }
export type MessageContent = { subject: string; preheader: string; body: MessageBody }

export const blockLimit = 100
export const noBody: MessageBody = { blocks: [] }

/** Where a block stands, counted from 0; `inner` and `column` are those of a block within columns. */
export type BlockPlace = { block: number; column?: 'left' | 'right'; inner?: number }

/** Every simple block with its place, in the order in which it is read. */
export const simpleBlocksOf = ({ blocks }: MessageBody): (BlockPlace & { simple: SimpleBlock })[] =>
  blocks.flatMap((one, block) =>
    one.type === 'columns'
      ? (['left', 'right'] as const).flatMap((column) => one[column].map((simple, inner) => ({ block, column, inner, simple })))
      : [{ block, simple: one }],
  )

export const countBlocks = (body: MessageBody): number =>
  body.blocks.reduce((sum, block) => sum + 1 + (block.type === 'columns' ? block.left.length + block.right.length : 0), 0)

const distinct = (ids: readonly string[]) => [...new Set(ids)]
export const picturesIn = (body: MessageBody): string[] =>
  distinct(simpleBlocksOf(body).flatMap(({ simple }) => (simple.type === 'picture' ? [simple.fileId] : [])))
export const eventsIn = (body: MessageBody): string[] =>
  distinct(simpleBlocksOf(body).flatMap(({ simple }) => (simple.type === 'event' ? [simple.eventId] : [])))

/** A path of this application, such as /events: never the address of another host. */
export const isAppPath = (href: string): boolean => /^\/(?![/\\])[^\s<>"'`\\]*$/.test(href)

/** The whole address of a link in a message; undefined for what is none. */
export function hrefOf(href: string, publicUrl: string): string | undefined {
  if (isAppPath(href)) return new URL(href, publicUrl).href
  return safeLink(href)
}

/** The texts of a formatted text, one for each run of the same marks. */
export function runsOf(document: FormattedDocument): string[] {
  const runs: string[] = []
  withInlines(document, (node) => {
    if (node.type === 'text') runs.push(node.text)
    return node
  })
  return runs
}
