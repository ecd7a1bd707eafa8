import type { DuesRun, NewDuesRun } from '@guildhall/contract/features/finance'
import type { Actor, ActorDb } from '@guildhall/db'
import * as z from 'zod'
import type { BulkList, Step, Steps } from '../../platform/lists/bulk.ts'
import { begin } from '../../platform/lists/bulk.ts'
import type { CallerContext } from '../../platform/procedures/context.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { draftInvoices, issueInvoices } from './finance.public.ts'
import { chapterThere, findRate } from './finance.queries.ts'
import { periodOf } from './finance.rules.ts'
import type { RunAsked, RunItem } from './finance.runs.queries.ts'
import {
  dropPlanned,
  findRun,
  insertRun,
  lockRun,
  mayCharge,
  nextItems,
  noteCharged,
  noteRun,
  planRun,
  todayOf,
  voidNext,
} from './finance.runs.queries.ts'

/** Charged while the caller waits; more is done by the worker. */
const atOnce = 200
const list = 'dues_runs'
const Request = z.object({ runId: z.uuid(), undo: z.boolean() })

/** What a run may be of: a rate in use that replaces no other, in a chapter that the rate is for. */
export async function readAsked(
  db: ActorDb,
  { rateId, chapterId, periodOn }: { rateId: string; chapterId: string | null; periodOn: string },
): Promise<RunAsked> {
  const rate = await findRate(db, rateId)
  if (!rate || rate.archivedAt || rate.overridesId)
    throw problem('UNPROCESSABLE_CONTENT', fault('rateId', 'dues_rate_unavailable', 'Choose a rate that is in use and replaces no other.'))
  if (chapterId && !(await chapterThere(db, chapterId)))
    throw problem('UNPROCESSABLE_CONTENT', fault('chapterId', 'chapter_not_found', 'There is no such chapter.'))
  const within = chapterId ?? rate.chapter?.id ?? null
  if (!(await mayCharge(db, within))) throw problem('FORBIDDEN')
  return { rateId, chapterId: within, period: periodOf(rate.period, periodOn) }
}

export const startRun = (context: CallerContext, { issue, dueOn, ...wanted }: NewDuesRun) =>
  context.inTx(async (db) => {
    const runId = await begunRun(db, context.actor, await readAsked(db, wanted), { issue, dueOn })
    const { planned } = mustFind(await findRun(db, runId))
    return work(db, context, runId, false, planned)
  })

/** A run with everybody whom it is to charge; nobody is charged yet. */
export async function begunRun(db: ActorDb, actor: Actor, asked: RunAsked, how: Pick<NewDuesRun, 'issue' | 'dueOn'>): Promise<string> {
  const runId = await insertRun(db, actor, asked, how)
  await noteRun(db, runId, await planRun(db, actor.orgId, runId, asked))
  return runId
}

export const undoRun = (context: CallerContext, { runId, reason }: { runId: string; reason: string }) =>
  context.inTx(async (db) => {
    const run = mustFind(await lockRun(db, runId))
    if (run.version !== context.ifMatch) throw problem('PRECONDITION_FAILED', { current: run })
    if (run.state === 'undoing' || run.state === 'undone')
      throw problem('CONFLICT', { reason: 'not_undoable', detail: 'This dues run has been undone.' })
    if (!run.may.undo) throw problem('FORBIDDEN')
    await dropPlanned(db, runId)
    await noteRun(db, runId, { state: 'undoing', undo_reason: reason })
    return work(db, context, runId, true, run.charged)
  })

async function work(db: ActorDb, context: CallerContext, runId: string, undo: boolean, total: number) {
  const request = { runId, undo }
  const title = undo ? 'Undo a dues run' : 'Charge dues'
  const result = await begin(db, context, stepsOf(request), { list, request, stays: true }, title, total <= atOnce, total)
  await noteRun(db, runId, { job_id: result.job.id })
  return { run: mustFind(await findRun(db, runId)), result }
}

const stepsOf = ({ runId, undo }: z.infer<typeof Request>): Steps => ({
  async change(db, actor, _jobId, _state, size) {
    const run = await lockRun(db, runId)
    if (!run || run.state !== (undo ? 'undoing' : 'started')) return { counts: counted(0, 0), after: null, last: true }
    return undo ? voidSome(db, actor, run, size) : chargeSome(db, actor, run, size)
  },
  undo: async () => ({ counts: counted(0, 0), after: null, last: true }),
})
const counted = (matched: number, changed: number): Step['counts'] => ({ matched, changed, unchanged: matched - changed, refused: 0 })

async function chargeSome(db: ActorDb, { orgId }: Actor, run: DuesRun, size: number): Promise<Step> {
  const items = await nextItems(db, run.id, size)
  const today = await todayOf(db)
  const ids = await draftInvoices(
    db,
    orgId,
    items.map((item) => invoiceOf(run, item, today)),
  )
  const own = await noteCharged(
    db,
    run.id,
    items.map(({ subjectId }, place) => ({ subjectId, invoiceId: ids[place] ?? '' })),
  )
  // Lines of dues settle nothing, so nobody has to be told.
  if (run.issues) await issueInvoices(db, orgId, own, {})
  const last = items.length < size
  await noteRun(db, run.id, { charged: run.charged + own.length, ...(last && { state: 'done' }) })
  return { counts: counted(items.length, own.length), after: null, last }
}

const invoiceOf = (run: DuesRun, item: RunItem, today: string) => {
  const text = [item.rateName, run.period.label].filter(Boolean).join(' ')
  return {
    owedBy: item.personId ? { personId: item.personId } : { chapterId: item.chapterId ?? '' },
    currency: item.currency,
    dueOn: run.dueOn ?? addDays(today, item.dueDays),
    reason: text,
    dedupeKey: `dues:${run.rate.id}:${run.period.start}:${item.subjectId}`,
    lines: [
      {
        text: item.quantity === 1 ? text : `${text}, ${item.quantity} members`,
        amount: item.net,
        tax: { bps: item.taxBps, note: item.taxNote },
        ...(item.shareChapterId && { share: { chapterId: item.shareChapterId, bps: item.shareBps } }),
      },
    ],
  }
}
const addDays = (day: string, days: number) => new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

async function voidSome(db: ActorDb, { orgId }: Actor, run: DuesRun, size: number): Promise<Step> {
  const { matched, voided } = await voidNext(db, orgId, run.id, run.undoReason ?? '', size)
  const last = matched < size
  await noteRun(db, run.id, { voided: run.voided + voided, ...(last && { state: 'undone' }) })
  return { counts: counted(matched, voided), after: null, last }
}

/** The work of dues runs, as the worker takes it up again. */
export const duesRunWork: BulkList = {
  list,
  steps(request) {
    const known = Request.safeParse(request)
    return known.success ? stepsOf(known.data) : null
  },
}
