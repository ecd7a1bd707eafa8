import * as z from 'zod'
import type { Member } from './integrations.mailchimp.rules.ts'

// How a pass over an audience goes on. Mailchimp pages by position, and members that change or leave during a pass move the others. Each part therefore asks
// for what changed after the part before it: none is missed, and a member that changes during the pass comes again at its end.

/** Members of a part; the most that Mailchimp gives. */
export const partSize = 1_000

const Pass = z.object({
  /** Every member is asked for, not only those that changed since the last pass. */
  isWhole: z.boolean(),
  /** Moment after which is asked; null for the beginning. */
  since: z.string().nullable(),
  /** Members to skip, where more than one part changed within the same second. */
  skip: z.int(),
  /** When the pass began, by our clock. */
  began: z.number(),
  /** All up to this moment were read. */
  done: z.number(),
  /** How many Mailchimp said there are, while members are skipped. */
  total: z.int().nullable(),
})
type Pass = z.infer<typeof Pass>
const Mark = z.object({ day: z.string(), since: z.string() })

const moment = (at: number) => new Date(at).toISOString().replace('.000Z', '+00:00')
const parse = (text: string | null): unknown => {
  try {
    const read: unknown = JSON.parse(text ?? 'null')
    return read
  } catch {
    return null
  }
}

/** A pass of what changed, and once a day a whole one: tags, and members that were deleted, do not count as changes there. */
export function startPass(mark: string | null, { today, now }: { today: string; now: number }): Pass {
  const { data } = Mark.safeParse(parse(mark))
  const isWhole = data?.day !== today
  return { isWhole, since: isWhole ? null : data.since, skip: 0, began: now, done: 0, total: null }
}
/** The audience and its pass, as a cursor. */
export const writePass = (listId: string, pass: Pass): string => `${listId} ${JSON.stringify(pass)}`
export function readPass(cursor: string): { listId: string; pass: Pass } {
  const at = cursor.indexOf(' ')
  return { listId: cursor.slice(0, at), pass: Pass.parse(parse(cursor.slice(at))) }
}

type Part = { rows: Member[]; next: Pass | null; isWhole: boolean; mark: string | null }

/** What a part brings, and how the pass goes on; `next` is null after the last part, and `mark` where the next pass begins. */
export function endPart(pass: Pass, members: readonly Member[], total: number, today: string): Part {
  const at = (member: Member) => Date.parse(member.last_changed)
  const isNew = (member: Member) => at(member) > pass.done
  const newest = members.reduce((latest, member) => Math.max(latest, at(member)), pass.done)
  // Somebody left while members were skipped: one may have been passed over, which the next whole pass finds.
  const isWhole = pass.isWhole && (pass.total === null || total >= pass.total)
  if (members.length < partSize) {
    // Who changed during the pass is looked at once more, and a little back, for what Mailchimp writes down late.
    const since = Math.min(newest - 60_000, pass.began - 300_000)
    const mark = newest > 0 ? JSON.stringify({ day: today, since: moment(Math.floor(since / 1_000) * 1_000) }) : null
    return { rows: members.filter(isNew), next: null, isWhole, mark }
  }
  const before = members.filter((member) => at(member) < newest)
  if (before.length === 0) {
    return { rows: members.filter(isNew), next: { ...pass, isWhole, skip: pass.skip + members.length, total }, isWhole, mark: null }
  }
  const done = before.reduce((latest, member) => Math.max(latest, at(member)), pass.done)
  return {
    rows: before.filter(isNew),
    next: { ...pass, isWhole, since: moment(newest - 1_000), skip: 0, done, total: null },
    isWhole,
    mark: null,
  }
}
