import type { Message, PreflightFinding } from '@guildhall/contract/features/communication.messages'
import { plainTextOf } from '@guildhall/contract/formatted-document'
import { isMergeField, mergeFindings } from '@guildhall/contract/merge-fields'
import type { MergeField } from '@guildhall/contract/merge-fields'
import { hrefOf, simpleBlocksOf } from '@guildhall/contract/message-blocks'
import type { MessageBody } from '@guildhall/contract/message-blocks'

type Content = Pick<Message, 'subject' | 'preheader' | 'body' | 'topic'>
const order = { error: 0, warning: 1, info: 2 }

export const sorted = (findings: readonly PreflightFinding[]): PreflightFinding[] =>
  findings.toSorted((one, other) => order[one.severity] - order[other.severity])

export const finding = (
  code: PreflightFinding['code'],
  severity: PreflightFinding['severity'],
  params: PreflightFinding['params'] = {},
): PreflightFinding => ({ code, severity, params })

/** What its content alone tells. `block` and `position` count from 1, as people do. */
export function contentFindings({ subject, preheader, body, topic }: Content): PreflightFinding[] {
  const simple = simpleBlocksOf(body).map((one) => one.simple)
  const says = simple.some(
    (block) => block.type === 'event' || block.type === 'button' || (block.type === 'text' && plainTextOf(block.text).trim() !== ''),
  )
  const shows = simple.some(({ type }) => type === 'picture')
  const marks = mergeFindings({ subject, preheader, body })
  return [
    ...(topic ? [] : [finding('no_topic', 'error')]),
    ...(subject.trim() === '' ? [finding('no_subject', 'error')] : []),
    ...(says ? [] : [shows ? finding('image_only', 'warning') : finding('no_text', 'error')]),
    ...marks
      .filter(({ problem }) => problem !== 'no_fallback')
      .map((mark) =>
        finding(mark.problem === 'unknown' ? 'unknown_field' : 'broken_field', 'error', {
          field: mark.name,
          part: mark.part,
          block: mark.part === 'body' ? mark.block + 1 : 0,
          position: mark.start + 1,
        }),
      ),
  ]
}

/** Fields without a fallback that some people lack a value for. */
export const unsureFields = (content: Content): MergeField[] => [
  ...new Set(mergeFindings(content).flatMap(({ problem, name }) => (problem === 'no_fallback' && isMergeField(name) ? [name] : []))),
]

/** Addresses to try: of the web, each once. */
export function linksToCheck(body: MessageBody, publicUrl: string): string[] {
  const found = simpleBlocksOf(body).flatMap(({ simple }): string[] => {
    if (simple.type === 'button') return [simple.href]
    if (simple.type === 'picture') return simple.href === null ? [] : [simple.href]
    return simple.type === 'text' ? linksIn(simple.text) : []
  })
  const own = new URL(publicUrl).origin
  return [
    ...new Set(found.map((href) => hrefOf(href, publicUrl) ?? '').filter((url) => /^https?:/.test(url) && new URL(url).origin !== own)),
  ]
}

function linksIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(linksIn)
  if (typeof node !== 'object' || node === null) return []
  const href =
    'type' in node &&
    node.type === 'link' &&
    'attrs' in node &&
    typeof node.attrs === 'object' &&
    node.attrs !== null &&
    'href' in node.attrs
      ? node.attrs.href
      : undefined
  return [...(typeof href === 'string' ? [href] : []), ...Object.values(node).flatMap(linksIn)]
}
