import type { BlockPlace, MessageContent } from './message-blocks.ts'
import { runsOf, simpleBlocksOf } from './message-blocks.ts'

// Merge fields: {{first_name}} or {{first_name | friend}}. Only what somebody wrote is looked through for them; what is filled in is never looked at again.

/** `sometimes` is missing with some people, so that it wants a fallback. */
export const mergeFields = {
  first_name: { sometimes: true },
  last_name: { sometimes: true },
  full_name: { sometimes: false },
  salutation: { sometimes: false },
  chapter: { sometimes: true },
  member_no: { sometimes: true },
  membership_type: { sometimes: true },
  member_since: { sometimes: true },
  term_ends: { sometimes: true },
  organisation: { sometimes: false },
} as const satisfies Record<string, { sometimes: boolean }>
export type MergeField = keyof typeof mergeFields
export type MergeValues = Partial<Record<MergeField, string>>

export const mergeFieldNames = Object.keys(mergeFields).filter(isMergeField)
export function isMergeField(name: string): name is MergeField {
  return Object.hasOwn(mergeFields, name)
}

export type MergeMark = { name: string; fallback: string | null; start: number; end: number }
export type MergePart = string | MergeMark

const marks = /\{\{([^{}|]{0,80})(?:\|([^{}]{0,200}))?\}\}/g

/** A text as words and merge fields in turn. What begins like a merge field and does not end like one is words. */
export function mergeParts(text: string): MergePart[] {
  const parts: MergePart[] = []
  let at = 0
  for (const found of text.matchAll(marks)) {
    if (found.index > at) parts.push(text.slice(at, found.index))
    at = found.index + found[0].length
    const fallback = found[2]?.trim()
    parts.push({ name: (found[1] ?? '').trim(), fallback: fallback ? fallback : null, start: found.index, end: at })
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts
}

/** What is written for a field: `{{first_name | friend}}`. */
export const mergeText = (name: MergeField, fallback = ''): string =>
  fallback.trim() === '' ? `{{${name}}}` : `{{${name} | ${fallback.trim().replace(/[{}|]/g, ' ')}}}`

/** A place of a message: its subject, its preheader, or a block of its body. `start` and `end` count characters of the text there. */
export type MergePlace = { part: 'subject' } | { part: 'preheader' } | ({ part: 'body' } & BlockPlace)
export type MergeUse = MergePlace & { name: string; fallback: string | null; start: number; end: number }
export type MergeFinding = MergePlace & { name: string; start: number; end: number; problem: 'unknown' | 'broken' | 'no_fallback' }

type Written = { place: MergePlace; runs: readonly string[] }
const writtenIn = ({ subject, preheader, body }: MessageContent): Written[] => [
  { place: { part: 'subject' }, runs: [subject] },
  { place: { part: 'preheader' }, runs: [preheader] },
  ...simpleBlocksOf(body).flatMap(({ simple, ...place }): Written[] => {
    const at = { part: 'body' as const, ...place }
    switch (simple.type) {
      case 'text':
        return [{ place: at, runs: runsOf(simple.text) }]
      case 'button':
        return [{ place: at, runs: [simple.label] }]
      case 'picture':
        return [{ place: at, runs: [simple.alt] }]
      default:
        return []
    }
  }),
]

/** Every merge field of a message with its place. */
export const mergeUses = (content: MessageContent): MergeUse[] => walk(content).uses

/** Fields that do not exist, marks that do not end (which a change of format within them does too), and fields that some people lack, without a fallback. */
export const mergeFindings = (content: MessageContent): MergeFinding[] => walk(content).findings

function walk(content: MessageContent): { uses: MergeUse[]; findings: MergeFinding[] } {
  const uses: MergeUse[] = []
  const findings: MergeFinding[] = []
  for (const { place, runs } of writtenIn(content)) {
    let before = 0
    for (const run of runs) {
      let at = before
      for (const part of mergeParts(run)) {
        if (typeof part === 'string') {
          const sign = part.search(/\{\{|\}\}/)
          if (sign !== -1) {
            const name = part.slice(sign, sign + 40)
            findings.push({ ...place, name, start: at + sign, end: at + sign + name.length, problem: 'broken' })
          }
          at += part.length
          continue
        }
        const { name, fallback } = part
        const use = { ...place, name, start: before + part.start, end: before + part.end }
        uses.push({ ...use, fallback })
        if (!isMergeField(name)) findings.push({ ...use, problem: 'unknown' })
        else if (fallback === null && mergeFields[name].sometimes) findings.push({ ...use, problem: 'no_fallback' })
        at = before + part.end
      }
      before += run.length
    }
  }
  return { uses, findings }
}
