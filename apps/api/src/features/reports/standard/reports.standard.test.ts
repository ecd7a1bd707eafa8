import { createHash, randomInt } from 'node:crypto'
import { StandardQuestion, StandardReport, standardReports } from '@guildhall/contract/features/reports'
import { standardBy, standardMeasures, unlisted } from '@guildhall/contract/features/reports.standard'
import type { ReportAnswer, ReportRecord } from '@guildhall/contract/features/reports'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test as base } from '../../../testing.ts'
import type { TestPerson } from '../../../testing.ts'
import type { Figure } from '../reports.engine.rules.ts'
import { frameFor } from '../reports.frame.queries.ts'
import { dayFrom, randomFrom, yearsFrom } from './reports.random.testing.ts'
import type { Random } from './reports.random.testing.ts'
import { tablesOf } from './reports.replay.rows.testing.ts'
import type { Replayed } from './reports.replay.rows.testing.ts'
import { addedUp, factsOf } from './reports.replay.testing.ts'
import { fill } from './reports.stage.testing.ts'
import type { Stage } from './reports.stage.writer.testing.ts'
import { standardAnswerers } from './reports.standard.queries.ts'

const today = new Date().toISOString().slice(0, 10)
type Reader = { who: TestPerson; roles: string[] }

const test = base.extend<{
  stage: Stage
  as: <T>(reader: Reader, run: (db: ActorDb) => Promise<T>) => Promise<T>
  owner: Reader
  /** Of North and what is below it, with the role. */
  northern: (role: string) => Promise<Reader>
}>({
  stage: async ({ organisation, chapter }, use) => {
    const org = await organisation()
    const north = await chapter(org, 'North')
    const below = { north1: await chapter(org, 'North one', north), north2: await chapter(org, 'North two', north) }
    await use({ org, today, chapters: { root: org.rootChapterId, north, south: await chapter(org, 'South'), ...below } })
  },
  as: async ({ api }, use) => {
    await use(({ who, roles }, run) => api.services.database.asActor({ orgId: who.orgId, accountId: who.accountId, idpRoles: roles }, run))
  },
  owner: async ({ person, stage }, use) => {
    await use({ who: await person({ org: stage.org, idpRoles: ['org-owner'] }), roles: ['org-owner'] })
  },
  northern: async ({ person, stage: { org, chapters } }, use) => {
    const grants = (role: string) => [{ role, chapterId: chapters.north }]
    await use(async (role) => ({ who: await person({ org, chapterId: chapters.north1, grants: grants(role) }), roles: [] }))
  },
})

const ask = (report: StandardReport, more: Record<string, unknown> = {}) => StandardQuestion.parse({ kind: 'standard', report, ...more })
const answerTo = async (db: ActorDb, question: StandardQuestion) =>
  standardAnswerers[question.report].answer(db, question, await frameFor(db, question))

const groupings = (report: StandardReport) => standardBy[report].map((by, nth) => (nth === 0 || by === null ? undefined : by))

function replayed(tables: Replayed['tables'], question: StandardQuestion, reach: ReadonlySet<string> | null): Replayed {
  const range = question.range && 'since' in question.range ? question.range : null
  return {
    ...{ tables, reach, today, scope: question.chapterId, by: question.by ?? standardBy[question.report][0] },
    ...{ since: range?.since ?? null, until: range?.until ?? today, day: question.asOf ?? today, isNow: question.asOf === null },
  }
}

const other = (key: string | null) => (key?.startsWith('other:') ? `other:${createHash('md5').update(key.slice(6)).digest('hex')}` : key)

/** Measures that lists add up to, of each row and of everything, as they were told row by row. */
function compare(answer: ReportAnswer, question: StandardQuestion, expected: Replayed, leaveOut: readonly string[] = []) {
  const { rows, total } = addedUp(
    factsOf(question.report, expected)
      .filter(({ keys }) => !leaveOut.includes(keys[0] ?? ''))
      .map((fact) => ({ ...fact, keys: fact.keys.map(other) })),
  )
  const told = JSON.stringify(question)
  const shown = answer.measures.flatMap(({ key, unit }, nth) =>
    ['percent', 'days', 'number'].includes(unit) || key === 'average' ? [] : [{ key, nth }],
  )
  const found = new Map(answer.rows.map((row) => [JSON.stringify(row.keys.map(({ value }) => value)), row.values]))
  for (const key of leaveOut) found.delete(JSON.stringify([key]))
  for (const at of new Set([...rows.keys(), ...found.keys()]))
    for (const { key, nth } of shown)
      if ((found.get(at) ?? []).length === 0 || found.get(at)?.[nth] !== null)
        expect({ told, at, key, value: found.get(at)?.[nth] ?? 0 }).toEqual({ told, at, key, value: rows.get(at)?.[key] ?? 0 })
  for (const { key, nth } of shown)
    if (answer.total[nth] !== null) expect({ told, key, value: answer.total[nth] }).toEqual({ told, key, value: total[key] ?? 0 })
}

/** The list behind every figure comes to the figure. */
async function reconciles(db: ActorDb, question: StandardQuestion, answer: ReportAnswer, random: Random) {
  const frame = await frameFor(db, question)
  const { behind, listTotal } = standardAnswerers[question.report]
  for (const [nth, { key: measure, unit }] of answer.measures.entries()) {
    const row = answer.rows.length > 0 ? random.one(answer.rows) : undefined
    const figures: [Figure, number | null | undefined][] = [[{ keys: [], measure }, answer.total[nth]]]
    if (row) figures.push([{ keys: row.keys.map(({ value }) => value), measure }, row.values[nth]])
    for (const [figure, value] of figures) {
      if (value === null || value === undefined || unlisted.some((none) => none === measure)) continue
      const list = behind(question, frame, figure)
      const { rows } = await sql<{ item: ReportRecord }>`select ${list.item} as item ${list.from}`.execute(db)
      const sum = await listTotal(db, question, frame, figure)
      if (sum === null) continue
      const listed = unit === 'money' ? rows.reduce((all, { item }) => all + (item.amount?.amount ?? 0), 0) : rows.length
      const told = JSON.stringify([question, figure])
      expect({ told, sum, listed }).toEqual({ told, sum: value, listed: value })
    }
  }
}

describe('standard reports', () => {
  test.for(StandardReport.options)('%s is what its rows come to, one by one', async (report, { admin, stage, as, owner }) => {
    const seed = randomInt(2 ** 31)
    const random = randomFrom(seed)
    await fill(admin, stage, random)
    const tables = await tablesOf(admin, stage.org.id)
    const { range, asOf } = standardReports[report]
    const ranges = range ? [null, { since: dayFrom(today, -500 - random.below(300)), until: dayFrom(today, -random.below(200)) }] : [null]
    await as(owner, async (db) => {
      for (const by of groupings(report))
        for (const chapterId of [null, random.one(Object.values(stage.chapters))])
          for (const within of ranges)
            for (const day of asOf ? [null, dayFrom(today, -random.below(1500))] : [null]) {
              const question = ask(report, { chapterId, range: within, asOf: day, ...(by !== undefined && { by }) })
              const answer = await answerTo(db, question)
              compare(answer, question, replayed(tables, question, null))
              await reconciles(db, question, answer, random)
            }
    })
  })

  test('of twenty random days are what a replay of that day comes to', async ({ admin, stage, as, owner }) => {
    const random = randomFrom(randomInt(2 ** 31))
    await fill(admin, stage, random)
    const tables = await tablesOf(admin, stage.org.id)
    await as(owner, async (db) => {
      for (let nth = 0; nth < 20; nth++)
        for (const report of ['membership', 'grace-and-renewal', 'members-by-chapter', 'officers', 'chapters'] as const) {
          const question = ask(report, { asOf: dayFrom(today, -1 - random.below(2400)) })
          compare(await answerTo(db, question), question, replayed(tables, question, null))
        }
    })
  })

  test('show an officer of a chapter what is there and below, and nothing else', async ({ admin, stage, as, northern }) => {
    const random = randomFrom(randomInt(2 ** 31))
    await fill(admin, stage, random)
    const { north, north1, north2, root } = stage.chapters
    const [officer, treasurer] = [await northern('chapter-admin'), await northern('finance')]
    const tables = await tablesOf(admin, stage.org.id)
    await admin.query(
      `with made as (insert into app.campaigns (org_id, chapter_id, name, slug, currency) select $1, c.id, 'Roof of ' || c.name, 'roof-' || c.id, o.currency
         from app.chapters c join app.organisations o on o.org_id = c.org_id where c.org_id = $1 and c.id = any ($2) returning id, currency)
       insert into app.campaign_days (org_id, campaign_id, day, currency, gifts, amount, refunded) select $1, m.id, $3, m.currency, 2, 5000, 1500 from made m`,
      [stage.org.id, [north1, root], dayFrom(today, -9)],
    )
    const reach = new Set([north, north1, north2])
    const theirs = StandardReport.options.filter((report) => standardReports[report].category !== 'giving' && report !== 'chapters')
    const giving = StandardReport.options.filter((report) => standardReports[report].category === 'giving')
    await as(officer, async (db) => {
      for (const report of theirs)
        for (const by of groupings(report).filter((grouping) => grouping !== 'region')) {
          const question = ask(report, by === undefined ? {} : { by })
          const answer = await answerTo(db, question)
          compare(answer, question, replayed(tables, question, reach), ['duplicates', 'withoutBirthDate'])
          await reconciles(db, question, answer, random)
          // Asked about the chapter above theirs, it is the same.
          if (report !== 'retention') expect((await answerTo(db, { ...question, chapterId: root })).total).toEqual(answer.total)
        }
      // Of gifts, what campaigns came to; nothing of single ones, and no error.
      const totals = await answerTo(db, ask('giving'))
      expect(totals.total).toEqual([3500, null, null, null, 0])
      expect(totals.rows.map(({ values }) => values[0])).toEqual([3500])
      await reconciles(db, ask('giving'), totals, random)
      for (const report of giving.filter((one) => one !== 'giving')) {
        const { rows, total } = await answerTo(db, ask(report))
        expect([report, rows, total.filter((value) => value !== 0 && value !== null)]).toEqual([report, [], []])
      }
    })
    await as(treasurer, async (db) => {
      for (const report of giving) {
        const question = ask(report)
        const answer = await answerTo(db, question)
        compare(answer, question, replayed(tables, question, reach))
        await reconciles(db, question, answer, random)
      }
    })
  })

  test('answer without rows where there is nothing to count', async ({ stage, as, owner }) => {
    await as(owner, async (db) => {
      for (const report of StandardReport.options)
        for (const by of groupings(report)) {
          const answer = await answerTo(db, ask(report, { chapterId: stage.chapters.south, ...(by !== undefined && { by }) }))
          expect(answer.measures.map(({ key, unit }) => [key, unit])).toEqual(Object.entries(standardMeasures[report]))
          expect([report, answer.rows.length]).toEqual([report, report === 'chapters' ? 1 : 0])
          expect(answer.total.filter((value) => value !== 0 && value !== null)).toEqual([])
        }
    })
  })

  test('compare with the year before, month beside month', async ({ admin, stage, as, owner }) => {
    await fill(admin, stage, randomFrom(randomInt(2 ** 31)))
    const [since, until] = [dayFrom(today, -200), dayFrom(today, -20)]
    const before = { since: yearsFrom(since, -1), until: yearsFrom(until, -1) }
    await as(owner, async (db) => {
      for (const report of ['joins-and-leaves', 'giving', 'events'] as const) {
        const now = await answerTo(db, ask(report, { range: { since, until }, compare: true }))
        const then = await answerTo(db, ask(report, { range: before }))
        expect(now.previousTotal).toEqual(then.total)
        const earlier = new Map(then.rows.map((row) => [yearsFrom(row.keys[0]?.value ?? '', 1), row.values]))
        for (const { keys, previous } of now.rows) {
          const values = earlier.get(keys[0]?.value ?? '')
          if (values) expect(previous).toEqual(values)
        }
      }
      const now = await answerTo(db, ask('membership', { compare: true }))
      expect(now.previousTotal).toEqual((await answerTo(db, ask('membership', { asOf: yearsFrom(today, -1) }))).total)
      expect(await answerTo(db, ask('giving', { range: { span: 'all' }, compare: true }))).toMatchObject({ previousTotal: null })
    })
  })

  test('know a membership that was cancelled today as the active one it was yesterday', async ({ admin, stage, as, owner }) => {
    await fill(admin, stage, randomFrom(3))
    const answers = () =>
      as(owner, async (db) => {
        const [yesterday, now] = [ask('membership', { asOf: dayFrom(today, -1) }), ask('membership')]
        return { yesterday: (await answerTo(db, yesterday)).total.slice(0, 6), now: (await answerTo(db, now)).total.slice(0, 6) }
      })
    const before = await answers()
    const { rows } = await admin.query<{ id: string }>(
      `update app.memberships set status = 'cancelled' where id = (select m.id from app.memberships m
         where m.org_id = $1 and m.status = 'active' and m.starts_on < current_date - 1 and m.cancelled_on is null order by m.id limit 1) returning id`,
      [stage.org.id],
    )
    const after = await answers()
    expect(after.yesterday).toEqual(before.yesterday)
    const difference = (nth: number) => (after.now[nth] ?? 0) - (before.now[nth] ?? 0)
    expect([difference(0), difference(5)]).toEqual([-1, 1])
    await admin.query(`update app.memberships set status = 'active' where id = $1`, [rows[0]?.id])
    expect(await answers()).toEqual(before)
  })

  test('refuse a list of what has none', async ({ stage, as, owner }) => {
    expect(stage.today).toBe(today)
    await as(owner, async (db) => {
      const question = ask('joins-and-leaves')
      const frame = await frameFor(db, question)
      for (const measure of ['net', 'nothing'])
        expect(() => standardAnswerers['joins-and-leaves'].behind(question, frame, { keys: [], measure })).toThrow()
    })
  })
})
