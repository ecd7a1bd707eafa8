import { describe, expect } from 'vitest'
import { sql } from 'kysely'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
type Made = { id: string; version: number; state: string; person: { displayName: string }; may: Record<string, boolean> }
const made = (answer: { body: unknown }) => answer.body as Made
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const ask = (client: Client, toChapterId: string, more: Record<string, unknown> = {}) =>
  client.post('/data/transfers', { toChapterId, movesOn: day(0), ...more })
const act = (client: Client, transfer: Made, what: string, body: Record<string, unknown> = {}) =>
  client.post(`/data/transfers/${transfer.id}/${what}`, body, match(transfer.version))
const open = async (client: Client) => ((await client.get('/data/transfers?mineToDecide=true')).body as { items: Made[] }).items
const inbox = async (client: Client) =>
  ((await client.get('/data/notifications')).body as { items: { kind: string; params: { outcome?: string } }[] }).items.map(
    ({ kind, params }) => [kind, params.outcome].filter(Boolean).join(' '),
  )
const officerOf = (chapterId: string) => [{ role: 'chapter-admin', chapterId }]

describe('a transfer', () => {
  test('is asked for by the member and approved by both chapters; then home chapter, affiliation and membership move, with their dates', async ({
    api,
    organisation,
    person,
    chapter,
    admin,
  }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const source = api.as(await person({ org, chapterId: west, grants: officerOf(west) }))
    const target = api.as(await person({ org, chapterId: east, grants: officerOf(east) }))
    const who = await person({ org, chapterId: west })
    const me = api.as(who)
    const type = (
      await boss.post('/data/membership-types', {
        name: 'Full',
        period: 'rolling',
        months: 12,
        price: { amount: 0, currency: 'EUR' },
        needsApproval: false,
        chapterShareBps: 5000,
      })
    ).body as { id: string }
    const held = (await me.post('/data/memberships/applications', { typeId: type.id, chapterId: west })).body as { id: string }
    const asked = await ask(me, east, { note: 'New job' })
    expect(asked).toMatchObject({
      status: 201,
      body: { state: 'requested', note: 'New job', may: { approve: false, reject: false, withdraw: true } },
    })
    expect(await ask(me, east)).toMatchObject({ status: 409, body: { reason: 'transfers_open' } })
    expect(await inbox(source)).toEqual(['transfer-request'])
    expect(await inbox(target)).toEqual(['transfer-request'])
    expect(await act(me, made(asked), 'approve')).toMatchObject({ status: 403 })
    const half = await act(source, made(asked), 'approve')
    expect(half).toMatchObject({ status: 200, body: { state: 'source_ok', may: { approve: false, reject: true } } })
    expect(await act(source, made(half), 'approve')).toMatchObject({ status: 409, body: { reason: 'transfers_answered' } })
    expect(await act(target, made(asked), 'approve')).toMatchObject({ status: 412 })
    expect(await open(source)).toEqual([])
    expect(await open(target)).toMatchObject([{ id: made(asked).id }])
    expect(await act(target, made(half), 'approve')).toMatchObject({ status: 200, body: { state: 'completed', completedOn: day(0) } })
    const { rows } = await admin.query(
      `select c.name, a.ends_on is null as runs, a.is_primary from app.affiliations a join app.chapters c on c.org_id = a.org_id and c.id = a.chapter_id
       where a.person_id = $1 order by c.name`,
      [who.personId],
    )
    expect(rows).toEqual([
      { name: 'East', runs: true, is_primary: true },
      { name: 'West', runs: false, is_primary: false },
    ])
    expect(await me.get(`/data/memberships/${held.id}`)).toMatchObject({ body: { chapter: { name: 'East' }, status: 'active' } })
    expect(await boss.get(`/data/people/${who.personId}`)).toMatchObject({ body: { homeChapter: { name: 'East' } } })
    expect(await inbox(me)).toEqual(['transfer-answer completed'])
    expect(await inbox(source)).toContain('transfer-answer completed')
    expect(await boss.get(`/data/people/${who.personId}/transfers`)).toMatchObject({
      body: { items: [{ state: 'completed' }], may: { request: true } },
    })
    expect(
      (await admin.query(`select from app.audit_entries where entity = 'transfers' and person_id = $1`, [who.personId])).rowCount,
    ).toBeGreaterThan(2)
  })

  test('that was approved takes place on its day and not before, and once', async ({ api, organisation, person, chapter, admin }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const who = await person({ org, chapterId: west })
    const asked = made(await ask(boss, east, { personId: who.personId, movesOn: day(10) }))
    expect(asked.state).toBe('approved')
    const home = async () =>
      (
        await admin.query<{ name: string }>(
          `select c.name from app.people p join app.chapters c on c.id = p.home_chapter_id where p.id = $1`,
          [who.personId],
        )
      ).rows
    const run = async (on: string) => (await admin.query<{ moved: number }>(`select app.run_transfers($1, $2, '{"kind": "transfer-answer", "mail": "off", "essential": false}') as moved`, [org.id, on])).rows[0]?.moved // prettier-ignore
    expect(await run(day(9))).toBe(0)
    expect(await home()).toEqual([{ name: 'West' }])
    expect(await run(day(10))).toBe(1)
    expect(await run(day(10))).toBe(0)
    const { rows } = await admin.query(
      `select to_char(starts_on, 'YYYY-MM-DD') as first from app.affiliations where person_id = $1 and chapter_id = $2`,
      [who.personId, east],
    )
    expect(rows).toEqual([{ first: day(10) }])
    expect(await inbox(api.as(who))).toEqual(['transfer-answer completed', 'transfer-answer approved'])
  })

  test('of an officer is answered by the tier above, and nobody approves their own', async ({ api, organisation, person, chapter }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const above = api.as(await person({ org, grants: officerOf(org.rootChapterId) }))
    const colleague = api.as(await person({ org, chapterId: west, grants: officerOf(west) }))
    const chair = api.as(await person({ org, chapterId: west, grants: [...officerOf(west), ...officerOf(east)] }))
    const asked = made(await ask(chair, east))
    expect(asked).toMatchObject({ state: 'requested', may: { approve: false } })
    expect(await act(chair, asked, 'approve')).toMatchObject({ status: 403, body: { reason: 'membership_decided_above' } })
    expect(await act(colleague, asked, 'approve')).toMatchObject({ status: 403, body: { reason: 'membership_decided_above' } })
    expect(await inbox(colleague)).toEqual([])
    expect(await inbox(above)).toEqual(['transfer-request'])
    expect(await act(above, asked, 'approve')).toMatchObject({ status: 200, body: { state: 'completed' } })
  })

  test('is withdrawn by who asked for it, or rejected with a reason by either chapter, also once approved', async ({
    api,
    organisation,
    person,
    chapter,
  }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const source = api.as(await person({ org, chapterId: west, grants: officerOf(west) }))
    const target = api.as(await person({ org, chapterId: east, grants: officerOf(east) }))
    const me = api.as(await person({ org, chapterId: west }))
    const first = made(await ask(me, east))
    expect(await act(source, first, 'withdraw')).toMatchObject({ status: 403 })
    expect(await act(me, first, 'withdraw')).toMatchObject({ status: 200, body: { state: 'withdrawn' } })
    const second = made(await ask(me, east, { movesOn: day(30) }))
    const half = made(await act(target, second, 'approve'))
    const approved = made(await act(source, half, 'approve'))
    expect(approved.state).toBe('approved')
    expect(await act(source, approved, 'reject', { reason: '' })).toMatchObject({ status: 422 })
    const rejected = await act(source, approved, 'reject', { reason: 'Keys are not returned' })
    expect(rejected).toMatchObject({ status: 200, body: { state: 'rejected', reason: 'Keys are not returned' } })
    expect(await act(target, made(rejected), 'approve')).toMatchObject({ status: 409, body: { reason: 'transfers_over' } })
    expect(await inbox(me)).toEqual(['transfer-answer rejected', 'transfer-answer approved'])
  })

  test('is refused to the same chapter, to a closed one, on a day that is past, and to who belongs nowhere', async ({
    api,
    organisation,
    person,
    chapter,
    admin,
  }) => {
    const org = await organisation()
    const [west, closed] = [await chapter(org, 'West'), await chapter(org, 'Closed')]
    await admin.query(`update app.chapters set status = 'closed', closed_on = current_date where id = $1`, [closed])
    const me = api.as(await person({ org, chapterId: west }))
    expect(await ask(me, west)).toMatchObject({ status: 422, body: { reason: 'transfers_elsewhere' } })
    expect(await ask(me, closed)).toMatchObject({ status: 422, body: { reason: 'chapter_closed' } })
    expect(await ask(me, org.rootChapterId, { movesOn: '2020-01-01' })).toMatchObject({ status: 422, body: { reason: 'transfers_day' } })
    expect(await ask(me, org.rootChapterId, { movesOn: day(400) })).toMatchObject({ status: 422, body: { reason: 'transfers_day' } })
    expect(await ask(api.as(await person({ org, chapterId: null })), west)).toMatchObject({ status: 404 })
  })

  test('shows the chapter that is asked the name of somebody it sees nothing else of, and of minors not even that', async ({
    api,
    organisation,
    person,
    chapter,
    admin,
  }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    await admin.query(`update app.organisations set directory_reach = 'chapter' where org_id = $1`, [org.id])
    const officer = await person({ org, chapterId: east, grants: officerOf(east) })
    const target = api.as(officer)
    const stranger = api.as(await person({ org, chapterId: east }))
    const who = await person({ org, chapterId: west })
    const asked = made(await ask(api.as(who), east))
    expect(await target.get(`/data/people/${who.personId}`)).toMatchObject({ status: 404 })
    const [seen] = await open(target)
    expect(seen).toMatchObject({ id: asked.id, person: { displayName: asked.person.displayName }, may: { approve: true } })
    expect(await stranger.get('/data/transfers')).toMatchObject({ body: { items: [] } })
    expect(await act(target, asked, 'reject', { reason: 'Full' })).toMatchObject({ status: 200, body: { state: 'rejected' } })
    expect(await target.get('/data/transfers')).toMatchObject({ body: { items: [] } })
    const child = await person({ org, chapterId: west })
    await admin.query(
      `insert into app.person_private (org_id, person_id, birth_date) values ($1, $2, current_date - interval '12 years')`,
      [org.id, child.personId],
    )
    const theirs = made(await ask(api.as(child), east))
    expect(await open(target)).toEqual([])
    expect(await act(target, theirs, 'approve')).toMatchObject({ status: 404 })
    const { orgId, accountId } = officer
    await expect(
      api.services.database.asActor({ orgId, accountId, idpRoles: [] }, (db) =>
        sql`select app.answer_transfer(${theirs.id}, true, '', ${theirs.version})`.execute(db),
      ),
    ).rejects.toThrow('decided by another officer')
  })
})
