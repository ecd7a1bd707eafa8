import { afterAll, beforeAll, expect, test } from 'vitest'
import { setStage } from './stage.ts'
import type { Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.end())

const one = async (text: string, values: unknown[]) => (await stage.admin.query<{ value: string }>(text, values)).rows[0]?.value ?? ''

/** Members that a chapter says it has, beside a count of everybody anew. */
async function counts(chapter: string) {
  const { rows } = await stage.admin.query<{ kept: number; real: number }>(
    `select coalesce((select n.people from app.chapter_counts n where n.chapter_id = $1 and n.kind = 'member'), 0) as kept,
      (select count(distinct a.person_id)::int from app.affiliations a where a.chapter_id = $1 and a.kind = 'member'
        and a.starts_on <= current_date and (a.ends_on is null or a.ends_on >= current_date)) as real`,
    [chapter],
  )
  return rows[0]
}

test('a chapter wins and loses each person once, whatever becomes of their affiliations', async () => {
  const { orgId, chapter } = stage.west
  const start = (await counts(chapter))?.kept ?? 0
  const person = await one(`insert into app.people (org_id, given_name) values ($1, 'Counted') returning id as value`, [orgId])
  const join = (startsOn: string, kind = 'member') =>
    one(
      `insert into app.affiliations (org_id, person_id, chapter_id, kind, starts_on) values ($1, $2, $3, $4, $5::date) returning id as value`,
      [orgId, person, chapter, kind, startsOn],
    )
  const change = (set: string, id: string) => stage.admin.query(`update app.affiliations set ${set} where id = $1`, [id])
  const isNow = async (more: number) => expect(await counts(chapter)).toEqual({ kept: start + more, real: start + more })

  const first = await join('2020-01-01')
  await isNow(1)
  const second = await join('2021-01-01')
  await isNow(1)
  await join('2999-01-01')
  await isNow(1)
  await change('ends_on = current_date - 1', first)
  await isNow(1)
  await change('ends_on = current_date - 1', second)
  await isNow(0)
  await change('ends_on = null', second)
  await isNow(1)
  await change(`kind = 'alumni'`, second)
  await isNow(0)
  await change(`kind = 'member'`, second)
  await isNow(1)
  await stage.admin.query('delete from app.affiliations where id = $1', [first])
  await isNow(1)
  await stage.admin.query('delete from app.people where id = $1', [person])
  await isNow(0)
})

test('many people at once, in one statement, are each counted', async () => {
  const { orgId, chapter } = stage.east
  const start = (await counts(chapter))?.kept ?? 0
  await stage.admin.query(
    `with p as (insert into app.people (org_id, given_name) select $1, 'Many ' || n from generate_series(1, 300) n returning id)
     select count(*) from p`,
    [orgId],
  )
  await stage.admin.query(
    `insert into app.affiliations (org_id, person_id, chapter_id, starts_on) select $1, p.id, $2, '2020-01-01' from app.people p where p.org_id = $1 and p.given_name like 'Many %'`,
    [orgId, chapter],
  )
  expect(await counts(chapter)).toEqual({ kept: start + 300, real: start + 300 })
})
