import { reportSubjects, ReportSubject } from '@guildhall/contract/features/reports.subjects'
import type { ReportField } from '@guildhall/contract/features/reports.subjects'
import type { ReportAnswer, ReportRecord } from '@guildhall/contract/features/reports'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { TestPerson } from '../../testing.ts'
import { plantReports } from './reports.testing.ts'

/** More with REPORT_SPECIFICATIONS=2000; another seed with REPORT_SEED. */
const specifications = Number(process.env['REPORT_SPECIFICATIONS'] ?? 200)
const seed = Number(process.env['REPORT_SEED'] ?? Date.now() % 2_147_483_647)

/** mulberry32: the same questions again from the same seed. */
function dice(from: number) {
  let state = from
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (many: number) => Math.floor(next() * many)
  const one = <T>(list: readonly T[]): T => {
    const found = list[below(list.length)]
    if (found === undefined) throw new Error('nothing to choose from')
    return found
  }
  return {
    chance: (share: number) => next() < share,
    below,
    one,
    some: <T>(list: readonly T[], most: number) => [...list].sort(() => next() - 0.5).slice(0, most),
  }
}
type Dice = ReturnType<typeof dice>

const day = ({ below }: Dice) => new Date(Date.UTC(2018, 0, 1) + below(3_200) * 86_400_000).toISOString().slice(0, 10)

const usual: Record<ReportField['kind'], readonly string[]> = {
  choice: ['is', 'isNot', 'in', 'notIn'],
  day: ['is', 'before', 'after', 'between', 'empty', 'notEmpty'],
  number: ['is', 'isNot', 'before', 'after', 'between'],
  yesNo: ['is'],
  text: ['is', 'isNot', 'contains', 'startsWith', 'empty', 'notEmpty'],
  record: ['is', 'isNot', 'in', 'notIn', 'empty', 'notEmpty'],
  chapter: ['is', 'isNot', 'in', 'notIn', 'empty', 'notEmpty'],
}

function condition(d: Dice, name: string, field: ReportField, ids: readonly string[]) {
  const value = () => {
    switch (field.kind) {
      case 'choice':
        return d.chance(0.95) ? d.one(field.options ?? ['']) : 'no such option'
      case 'day':
        return day(d)
      case 'number':
        return d.chance(0.95) ? d.below(3_000) : 2.5
      case 'yesNo':
        return d.chance(0.5)
      case 'text':
        return d.one(['EN', 'card', "o'clock", '%_\\', 'ü'])
      case 'record':
      case 'chapter':
        return d.chance(0.95) ? d.one(ids) : 'not an id'
    }
  }
  const op = d.one(d.chance(0.95) ? usual[field.kind] : ['contains', 'before', 'between', 'empty'])
  const many = op === 'between' || ((op === 'in' || op === 'notIn') && d.chance(0.8))
  return { field: name, op, ...(op === 'empty' || op === 'notEmpty' ? {} : { value: many ? [value(), value()] : value() }) }
}

const rangeOf = (one: string, other: string) => (one < other ? { since: one, until: other } : { since: other, until: one })

/** Mostly what can be asked, now and then what cannot. */
function question(d: Dice, ids: readonly string[], chapters: readonly string[]) {
  const subject = d.one(ReportSubject.options)
  const known: { fields: Record<string, ReportField>; measures: Record<string, unknown>; asOf?: boolean } = reportSubjects[subject]
  const fields = Object.entries(known.fields)
  const groupBy = d.some(fields, d.below(3)).map(([field, { kind }]) => ({
    field: d.chance(0.02) ? 'nothing' : field,
    ...(kind === 'day' && d.chance(0.7) && { bucket: d.one(['day', 'week', 'month', 'quarter', 'year']) }),
    ...(kind === 'chapter' && d.chance(0.5) && { level: d.below(4) }),
  }))
  const range = d.chance(0.5)
    ? null
    : d.chance(0.5)
      ? {
          span: d.one([
            'thisMonth',
            'lastMonth',
            'thisQuarter',
            'lastQuarter',
            'thisYear',
            'lastYear',
            'last12Months',
            'last5Years',
            'all',
          ]),
        }
      : rangeOf(day(d), day(d))
  return {
    kind: 'own',
    subject,
    measures: d.some(Object.keys(known.measures), 1 + d.below(4)),
    groupBy,
    range,
    compare: d.chance(0.3),
    asOf: known.asOf && d.chance(0.4) ? day(d) : null,
    chapterId: d.chance(0.3) ? (d.chance(0.95) ? d.one(chapters) : d.one(ids)) : null,
    ...(d.chance(0.5) && {
      filter: {
        and: Array.from({ length: 1 + d.below(2) }, () => ({
          or: Array.from({ length: 1 + d.below(2) }, () => condition(d, ...d.one(fields), ids)),
        })),
      },
    }),
    picture: d.one(['table', 'bars', 'line', 'share']),
  }
}

const named = [
  ['people', 'display_name'],
  ['groups', 'name'],
  ['events', 'title'],
  ['campaigns', 'name'],
  ['tags', 'name'],
  ['messages', 'name'],
] as const

test(
  `${specifications} random questions are answered or refused in time, and none shows what its reader may not see`,
  { timeout: 60_000 + specifications * 2_000 },
  async ({ api, admin, organisation, person }) => {
    process.stdout.write(`random questions: seed ${seed}\n`)
    const org = await organisation()
    await plantReports(admin, org, 0.5)
    await admin.query('analyze')
    const regions = await admin.query<{ id: string }>(`select id from app.chapters where org_id = $1 and code = 'region-1'`, [org.id])
    const region = regions.rows[0]?.id ?? ''
    const makers: (() => Promise<TestPerson>)[] = [
      () => person({ org, idpRoles: ['org-owner'], chapterId: null }),
      () => person({ org, idpRoles: ['org-admin'] }),
      () => person({ org, chapterId: region, grants: [{ role: 'chapter-admin', chapterId: region }] }),
      () => person({ org, grants: [{ role: 'finance' }] }),
      () => person({ org, grants: [{ role: 'communications' }] }),
      () => person({ org, grants: [{ role: 'event-manager', chapterId: region }] }),
    ]
    const readers = await Promise.all(
      makers.map(async (make) => {
        const reader = await make()
        const { rows } = await admin.query<{ roles: string[] }>('select idp_roles as roles from app.accounts where id = $1', [
          reader.accountId,
        ])
        const actor = { orgId: org.id, accountId: reader.accountId, idpRoles: rows[0]?.roles ?? [] }
        // What its policies show it, read table by table: all other names of the organisation are canaries.
        const hidden = new Map<string, string>()
        const seen = new Map<string, Set<string>>()
        for (const [table, column] of named) {
          const all = await admin.query<{ id: string; name: string }>(`select id, ${column} as name from app.${table} where org_id = $1`, [
            org.id,
          ])
          const visible = await api.services.database.asActor(actor, (db) =>
            sql<{ id: string }>`select id from ${sql.table(`app.${table}`)}`.execute(db),
          )
          const ids = new Set(visible.rows.map(({ id }) => id))
          seen.set(table, ids)
          for (const { id, name } of all.rows) if (!ids.has(id)) hidden.set(name, table)
        }
        return { reader, as: api.as(reader), hidden, seen }
      }),
    )
    // Each of the readers but those who see everything has something that is hidden from them.
    expect(readers.map(({ hidden }) => hidden.size > 0)).toEqual([false, false, true, true, true, true])
    const { rows: records } = await admin.query<{ id: string }>(
      `select id from app.chapters where org_id = $1 union all select id from app.tags where org_id = $1 union all select id from app.groups where org_id = $1 union all select id from app.funds where org_id = $1
       union all select id from app.membership_types where org_id = $1 union all select id from app.campaigns where org_id = $1`,
      [org.id],
    )
    const ids = records.map(({ id }) => id)
    const chapters = (await admin.query<{ id: string }>('select id from app.chapters where org_id = $1', [org.id])).rows.map(({ id }) => id)
    const d = dice(seed)
    const statuses = new Map<number, number>()
    let slowest = 0
    let listed = 0
    for (let nth = 0; nth < specifications; nth++) {
      const { as, hidden, seen } = d.one(readers)
      const asked = question(d, ids, chapters)
      const where = JSON.stringify({ seed, nth, asked })
      const started = performance.now()
      const { status, body, text }: { status: number; body: ReportAnswer & { reason?: string }; text: string } = await as.post(
        '/data/reports/ask',
        { question: asked },
      )
      slowest = Math.max(slowest, performance.now() - started)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      expect([200, 400, 403, 404, 422], where).toContain(status)
      for (const [name, table] of hidden) expect(text.includes(JSON.stringify(name)), `${where} shows ${name} of ${table}`).toBe(false)
      if (status !== 200) continue
      expect(body.rows.length, where).toBeLessThanOrEqual(1_000)
      for (const { values, isHidden } of body.rows)
        if (isHidden)
          expect(
            values.every((value) => value === null),
            where,
          ).toBe(true)
      const row = body.rows.length > 0 && d.chance(0.5) ? d.one(body.rows) : undefined
      const figure = { question: asked, measure: d.one(asked.measures), keys: row?.keys.map(({ value }) => value) ?? [], limit: 200 }
      const behind: { status: number; body: { items: ReportRecord[] }; text: string } = await as.post('/data/reports/behind', figure)
      expect([200, 422], where).toContain(behind.status)
      if (behind.status !== 200) continue
      for (const [name, table] of hidden)
        expect(behind.text.includes(JSON.stringify(name)), `${where} lists ${name} of ${table}`).toBe(false)
      for (const { kind, id, personId } of behind.body.items) {
        listed += 1
        // A gift, an invoice or a seat names its person only to those who see them otherwise.
        if (personId !== null && kind !== 'event')
          expect(seen.get('people')?.has(personId), `${where} lists the person ${personId}`).toBe(true)
        if (kind === 'event' && asked.subject === 'events') expect(seen.get('events')?.has(id), `${where} lists the event ${id}`).toBe(true)
        if (kind === 'message') expect(seen.get('messages')?.has(id), `${where} lists the message ${id}`).toBe(true)
      }
    }
    process.stdout.write(
      `random questions: ${JSON.stringify(Object.fromEntries(statuses))}, ${listed} rows listed, slowest ${Math.round(slowest)} ms\n`,
    )
    expect(statuses.get(200) ?? 0).toBeGreaterThan(specifications / 4)
    expect(slowest).toBeLessThan(10_000)
  },
)
