import type { ActorDb } from '@guildhall/db'
import { connectorError, cut } from '../connectors/integrations.connector.rules.ts'
import type { Pulled, Pushed, Remote } from '../connectors/integrations.connector.rules.ts'
import { failedIn, insertErrors, settleRetried, settleUnseen } from './integrations.changes.queries.ts'
import type { FailedRow } from './integrations.changes.queries.ts'
import type { OurSide } from '../ours/integrations.ours.rules.ts'
import { workPortion } from './integrations.portion.jobs.ts'
import type { Outgo } from './integrations.portion.jobs.ts'
import { outgoesOfNews } from './integrations.news.jobs.ts'
import type { News } from './integrations.news.jobs.ts'
import { keepPushed, outgoesOfTies, planOutgoes, workMissing } from './integrations.pushing.jobs.ts'
import { ofRun } from './integrations.planning.jobs.ts'
import { nextPhase } from './integrations.runs.rules.ts'
import type { RunCursor } from './integrations.runs.rules.ts'
import type { Running } from './integrations.running.jobs.ts'
import { tiesAfter, tiesByExternalId } from './integrations.ties.queries.ts'
import type { Tie } from './integrations.ties.queries.ts'

/** Rows of one transaction, so that a kill loses a second of work and nobody waits for locks. */
const portionSize = 200

/** All phases of a run, from where its cursor stands. */
export async function runPhases(running: Running): Promise<void> {
  for (let cursor: RunCursor | null = running.cursor(); cursor; cursor = nextPhase(running.cursor())) {
    const begun = cursor
    if (begun !== running.cursor()) await running.step((_db, note) => note({ cursor: begun }))
    if (begun.phase === 'in') await readTheirs(running)
    else if (begun.phase === 'missing') await lookForMissing(running)
    else if (begun.phase === 'news') await sendNews(running)
    else await sendTies(running, begun.phase)
  }
}

// Their rows ----------------------------------------------------------------------------------------------------------------------------

async function readTheirs(running: Running): Promise<void> {
  const { pass, reach, ask, step, at } = running
  const { pull } = pass.connector
  if (!pull) return step((_db, note) => note({ cursor: { ...running.cursor(), isWhole: false } }))
  // A dry run and a retry look at everything.
  const mark = pass.claims || pass.retried ? null : pass.connection.mark
  for (;;) {
    const page: Pulled = await ask(() => pull(reach, running.cursor().at, mark))
    await at('pulled')
    mustHave(pass, page)
    const rows = wanted(running, page.rows)
    await noteBad(running, page)
    await leaveGone(
      running,
      rows.filter(({ isGone }) => isGone),
    )
    const here = rows.filter(({ isGone }) => !isGone)
    for (let from = 0; from < here.length; from += portionSize) await workRows(running, here.slice(from, from + portionSize))
    await step((_db, note) => {
      const cursor = running.cursor()
      note({
        total: page.total,
        cursor: {
          ...cursor,
          at: page.cursor,
          isWhole: cursor.isWhole && page.isWhole !== false && page.isFresh !== true,
          mark: page.mark === undefined ? cursor.mark : page.mark,
        },
      })
    })
    await at('paged')
    if (page.cursor === null) return
  }
}

/** A column under another name would leave its field as it was without a word, and rows without the key by which they are matched would be made anew. */
function mustHave({ fields }: Running['pass'], { columns }: Pulled): void {
  const lost = columns && fields.find(({ theirs }) => !columns.includes(theirs))
  if (lost)
    throw connectorError('bad_answer', { message: `The other side has no field “${cut(lost.theirs, 200)}” any more. Correct the mapping.` })
}

const wanted = ({ pass }: Running, rows: readonly Remote[]) => {
  const { retried } = pass
  return retried === null ? rows : rows.filter(({ externalId }) => retried.in.has(externalId))
}

/** Rows that the connector itself could not read. */
async function noteBad({ pass, step }: Running, { bad }: Pulled): Promise<void> {
  const { retried } = pass
  const some = retried === null ? bad : bad.filter(({ row }) => retried.in.has(row))
  if (some.length === 0) return
  await step(async (db, note) => {
    const known = await failedIn(
      db,
      pass.runId,
      some.map(({ row }) => row),
    )
    const fresh = some.filter(({ row }) => !known.has(`in ${row}`))
    const failed = fresh.map(({ row, code, message }): FailedRow => ({
      direction: 'in',
      row,
      externalId: null,
      recordId: null,
      error: { code, message },
    }))
    await insertErrors(db, ofRun(pass), failed)
    note({ in: { read: fresh.length, failed: fresh.length }, done: fresh.length })
  })
}

/** Rows that the other side says are gone. */
async function leaveGone({ pass, step, open }: Running, rows: readonly Remote[]): Promise<void> {
  for (let from = 0; from < rows.length; from += portionSize)
    await step(async (db, note) => {
      const some = rows.slice(from, from + portionSize)
      const ties = await tiesByExternalId(
        db,
        pass.connection.id,
        pass.ours.entity,
        some.map(({ externalId }) => externalId),
      )
      await workMissing(
        db,
        pass,
        await open(db),
        [...ties.values()].filter(({ state }) => state === 'tied'),
      )
      note({ in: { read: some.length, skipped: some.length }, done: some.length })
    })
}

async function workRows(running: Running, rows: readonly Remote[]): Promise<void> {
  const { pass, step, at, open, figures } = running
  let outgoes: Outgo[] = []
  let unsubscribed = 0
  await step(async (db, note) => {
    const done = await workPortion(db, pass, await open(db), rows)
    outgoes = done.outgoes
    unsubscribed = done.unsubscribed
    note({ in: done.counts, done: done.counts.read, ...(pass.claims && { out: await planOutgoes(db, pass, outgoes) }) })
  })
  figures.unsubscribed += unsubscribed
  await at('written')
  await send(running, outgoes)
}

// What goes there -----------------------------------------------------------------------------------------------------------------------

/** Hands over what was decided, and keeps what the other side answered. It may answer a part; the rest is asked for again. */
async function send(running: Running, outgoes: readonly Outgo[]): Promise<void> {
  const { pass, reach, ask, step, open, at } = running
  const { push } = pass.connector
  if (pass.claims || !push) return
  for (let left = outgoes; left.length > 0;) {
    const some = left
    const answers: Pushed[] = await ask(async () =>
      push(
        reach,
        some.map((outgo) => outgo.push),
      ),
    )
    await at('pushed')
    await step(async (db, note) => note({ out: await keepPushed(db, pass, await open(db), some, answers) }))
    await at('kept')
    const answered = new Set(answers.map(({ ourId }) => ourId))
    left = some.filter((outgo) => !answered.has(outgo.push.ourId))
    if (left.length === some.length) return
  }
}

async function lookForMissing(running: Running): Promise<void> {
  const { pass } = running
  if (!running.cursor().isWhole) return
  const { retried } = pass
  if (pass.claims === null)
    await running.step((db) => (retried ? settleRetried(db, retried.of) : settleUnseen(db, pass.connection.id, pass.passId)))
  if (retried) return
  await eachPortion(
    running,
    (db, after) => tiesAfter(db, pass.connection.id, { after, limit: portionSize, which: 'missing', pass: pass.passId }),
    async (db, side, ties): Promise<News> => {
      await workMissing(
        db,
        pass,
        side,
        ties.filter(({ id, externalId }) => externalId !== null && !pass.claims?.externalIds.has(externalId) && !pass.claims?.gone.has(id)),
      )
      return { outgoes: [], failed: 0 }
    },
  )
}

async function sendTies(running: Running, phase: 'ties' | 'creating'): Promise<void> {
  const { pass } = running
  if (!pass.givesOut || (phase === 'creating' && pass.claims)) return
  // After a whole pass everything that is tied was looked at; only those who must not be there any more are left.
  const which = phase === 'creating' ? 'creating' : running.cursor().isWhole && !pass.consent && !pass.retried ? 'erased' : 'tied'
  const isWanted = ({ recordId }: Tie) => pass.retried === null || pass.retried.out.has(recordId)
  await eachPortion(
    running,
    (db, after) => tiesAfter(db, pass.connection.id, { after, limit: portionSize, which, pass: pass.passId }),
    async (db, side, ties) => ({ outgoes: await outgoesOfTies(db, pass, side, ties.filter(isWanted)), failed: 0 }),
  )
}

async function sendNews(running: Running): Promise<void> {
  const { pass } = running
  if (!pass.givesOut) return
  await eachPortion(
    running,
    async (_db, after, side) => (await side.untied(after, portionSize)).map((id) => ({ id })),
    (db, side, some) =>
      outgoesOfNews(
        db,
        pass,
        side,
        some.flatMap(({ id }) => (pass.retried === null || pass.retried.out.has(id) ? [id] : [])),
      ),
  )
}

/** Reads what is next in the order of ids and decides what goes there, in one transaction; hands it over; then moves on. */
async function eachPortion<Item extends { id: string }>(
  running: Running,
  read: (db: ActorDb, after: string | null, side: OurSide) => Promise<Item[]>,
  decide: (db: ActorDb, side: OurSide, items: readonly Item[]) => Promise<News>,
): Promise<void> {
  const { pass, step, open, at } = running
  for (;;) {
    const found: { outgoes: Outgo[]; last: string | null; isLast: boolean } = { outgoes: [], last: null, isLast: true }
    await step(async (db, note) => {
      const side = await open(db)
      const items = await read(db, running.cursor().after, side)
      const { outgoes, failed } = await decide(db, side, items)
      Object.assign(found, { outgoes, last: items.at(-1)?.id ?? running.cursor().after, isLast: items.length < portionSize })
      if (failed > 0) note({ out: { read: failed, failed } })
      if (pass.claims) note({ out: await planOutgoes(db, pass, outgoes) })
    })
    await at('tied')
    await send(running, found.outgoes)
    await step((_db, note) => note({ cursor: { ...running.cursor(), after: found.last } }))
    if (found.isLast) return
  }
}
