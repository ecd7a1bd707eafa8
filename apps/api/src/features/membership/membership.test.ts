import { describe, expect } from 'vitest'
import { constantFrom, integer, record, sample } from 'fast-check'
import { test } from '../../testing.ts'
import type { Client, TestPerson } from '../../testing.ts'
import { termSettlement } from './membership.public.ts'
import { termEnds, termStarts } from './membership.rules.ts'
import type { TermRules } from './membership.rules.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
type Made = {
  person: { id: string }
  id: string
  version: number
  status: string
  startsOn: string | null
  endsOn: string | null
  terms: { id: string; status: string }[]
}
const free = { name: 'Friend', period: 'rolling', months: 12, price: { amount: 0, currency: 'EUR' }, needsApproval: false }
const paid = { ...free, name: 'Full member', price: { amount: 6000, currency: 'EUR' } }
const makeType = async (client: Client, type: Record<string, unknown>) => (await client.post('/data/membership-types', type)).body as Made
const apply = (client: Client, typeId: string, chapterId: string | null = null) =>
  client.post('/data/memberships/applications', { typeId, chapterId })
const act = (client: Client, held: Made, what: string, body: Record<string, unknown> = {}) =>
  client.post(`/data/memberships/${held.id}/${what}`, body, match(held.version))
const held = (answer: { body: unknown }) => answer.body as Made

describe('types', () => {
  test('are kept by administrators: created, changed, archived and restored', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const type = await makeType(boss, free)
    expect(await boss.patch(`/data/membership-types/${type.id}`, { graceDays: 14 }, match(1))).toMatchObject({
      body: { graceDays: 14, version: 2 },
    })
    expect(await boss.patch(`/data/membership-types/${type.id}`, { graceDays: 15 }, match(1))).toMatchObject({ status: 412 })
    expect(await boss.post('/data/membership-types', free)).toMatchObject({ status: 409, body: { reason: 'membership_type_name_taken' } })
    expect(await boss.post('/data/membership-types', { ...free, name: 'B', months: null })).toMatchObject({
      status: 422,
      body: { reason: 'membership_months_needed' },
    })
    expect(await boss.post(`/data/membership-types/${type.id}/archive`, {}, match(2))).toMatchObject({ status: 200 })
    expect(await boss.get('/data/membership-types')).toMatchObject({ body: { items: [] } })
    expect(await boss.get('/data/membership-types?archived=true')).toMatchObject({ body: { items: [{ name: 'Friend' }] } })
    const officer = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] }))
    expect(await officer.post('/data/membership-types', { ...free, name: 'Mine' })).toMatchObject({ status: 403 })
  })

  test('a new price leaves terms alone that were offered before', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const type = await makeType(boss, paid)
    const mine = held(await apply(api.as(await person({ org })), type.id))
    await boss.patch(`/data/membership-types/${type.id}`, { price: { amount: 9900, currency: 'EUR' } }, match(1))
    expect(await boss.get(`/data/memberships/${mine.id}`)).toMatchObject({
      body: { owed: { amount: 6000 }, terms: [{ status: 'open', price: { amount: 6000 } }] },
    })
  })
})

describe('joining', () => {
  test('a guest applies and has a person then; a free type without approval counts at once and puts them into the chapter', async ({
    api,
    organisation,
    person,
    chapter,
  }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const type = await makeType(boss, free)
    const guest = await person({ org, chapterId: null })
    const joined = await apply(api.as(guest), type.id, west)
    expect(joined).toMatchObject({ status: 201, body: { status: 'active', chapter: { name: 'West' }, terms: [{ status: 'settled' }] } })
    const { person: who } = joined.body as { person: { id: string } }
    expect(await boss.get(`/data/people/${who.id}/memberships`)).toMatchObject({
      body: { items: [{ chapter: { name: 'West' }, kind: 'member' }] },
    })
    expect(await apply(api.as(guest), type.id, west)).toMatchObject({ status: 409, body: { reason: 'membership_held' } })
  })

  test('an application is approved by an officer of the chapter, then awaits its payment; nobody else sees it', async ({
    api,
    organisation,
    person,
    chapter,
  }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const east = await chapter(org, 'East')
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const officer = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: west }] }))
    const other = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: east }] }))
    const type = await makeType(boss, { ...paid, needsApproval: true, questions: ['Why?'] })
    const answers = [{ question: 'Why?', answer: 'To sing' }]
    const applicant = api.as(await person({ org }))
    const applied = held(await applicant.post('/data/memberships/applications', { typeId: type.id, chapterId: west, answers }))
    expect(applied).toMatchObject({ status: 'awaiting_approval', answers, terms: [] })
    expect(await other.get(`/data/memberships/${applied.id}`)).toMatchObject({ status: 404 })
    expect(await act(applicant, applied, 'approve')).toMatchObject({ status: 403 })
    expect(await officer.get('/data/memberships?mineToDecide=true')).toMatchObject({
      body: { items: [{ id: applied.id, may: { decide: true } }], total: 1 },
    })
    expect(await act(officer, applied, 'approve')).toMatchObject({
      status: 200,
      body: { status: 'awaiting_payment', owed: { amount: 6000 }, startsOn: null },
    })
    expect(await act(officer, applied, 'approve')).toMatchObject({ status: 409, body: { reason: 'membership_move' } })
    expect(await officer.get('/data/memberships?mineToDecide=true')).toMatchObject({ body: { items: [] } })
  })

  test('what an officer of a chapter applies for is decided above, and nobody decides their own', async ({
    api,
    organisation,
    person,
    chapter,
    admin,
  }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const boss = await person({ org, idpRoles: ['org-admin'] })
    const type = await makeType(api.as(boss), { ...free, needsApproval: true })
    const inOffice = async (chapterId: string) => {
      const made = await person({ org, chapterId })
      await hold(admin, made, chapterId)
      return made
    }
    const one = api.as(await inOffice(west))
    const two = api.as(await inOffice(west))
    const above = api.as(await inOffice(org.rootChapterId))
    const applied = held(await apply(one, type.id, west))
    expect(await act(one, applied, 'approve')).toMatchObject({ status: 403 })
    expect(await act(two, applied, 'approve')).toMatchObject({ status: 403, body: { reason: 'membership_decided_above' } })
    expect(await act(above, applied, 'approve')).toMatchObject({ status: 200, body: { status: 'active' } })
    const own = held(await apply(api.as(boss), type.id))
    expect(await act(api.as(boss), own, 'approve')).toMatchObject({ status: 403 })
  })

  test('an affiliation that was ended stays so when the membership changes otherwise', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const type = await makeType(boss, free)
    const guest = api.as(await person({ org, chapterId: null }))
    const joined = held(await apply(guest, type.id, org.rootChapterId))
    const { person: who } = joined
    const affiliations = async () => {
      const { items } = (await boss.get(`/data/people/${who.id}/memberships`)).body as { items: { id: string; version: number }[] }
      return items
    }
    const [first] = await affiliations()
    await boss.del(`/data/people/${who.id}/memberships/${first?.id ?? ''}`)
    expect(await guest.patch(`/data/memberships/${joined.id}`, { autoRenew: false }, match(joined.version))).toMatchObject({ status: 200 })
    expect(await affiliations()).toEqual([])
  })

  test('types for officers cannot be chosen by others', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const type = await makeType(boss, { ...free, openTo: 'officers' })
    const me = await person({ org })
    expect(await api.as(me).get('/data/memberships/mine')).toMatchObject({ body: { types: [] } })
    expect(await apply(api.as(me), type.id)).toMatchObject({ status: 422, body: { reason: 'membership_type_closed' } })
    expect(await boss.post('/data/memberships', { personId: me.personId, typeId: type.id, chapterId: null })).toMatchObject({
      status: 201,
      body: { status: 'active' },
    })
  })
})

describe('terms', () => {
  test('a term that costs something has no dates until its money is there', async ({ api, organisation, person, admin }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const type = await makeType(boss, paid)
    const mine = held(await apply(api.as(await person({ org })), type.id))
    expect(mine).toMatchObject({ status: 'awaiting_payment', startsOn: null, endsOn: null })
    await expect(admin.query('select app.settle_membership_term($1, $2, current_date)', [org.id, mine.terms[0]?.id])).rejects.toThrow(
      'has not been paid',
    )
  })

  test('its invoice is issued once, at the price of the day; paid it gives the term its dates, and money that goes back takes them', async ({
    api,
    organisation,
    person,
    admin,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const type = await makeType(boss, paid)
    const me = api.as(await person({ org }))
    const mine = held(await apply(me, type.id, org.rootChapterId))
    expect(await me.post(`/data/memberships/${mine.id}/renew`)).toMatchObject({ status: 200, body: { status: 'awaiting_payment' } })
    const { rows } = await admin.query<{ id: string; state: string; total: number }>(
      `select i.id, i.state, i.total_amount::int as total from app.invoices i join app.invoice_lines l on l.org_id = i.org_id and l.invoice_id = i.id
       where i.org_id = $1 and l.subject_type = 'membership_term' and l.subject_id = $2`,
      [org.id, mine.terms[0]?.id],
    )
    expect(rows).toMatchObject([{ state: 'issued', total: 6000 }])
    const settled = { orgId: org.id, subjectId: mine.terms[0]?.id ?? '', invoiceId: rows[0]?.id ?? '', paidOn: '2026-11-02' }
    const { database } = api.services
    await expect(database.withoutActor((db) => termSettlement.paid(db, settled))).rejects.toThrow('has not been paid')
    await admin.query(`update app.invoices set state = 'paid', paid_on = '2026-11-02', paid_amount = total_amount where id = $1`, [
      rows[0]?.id,
    ])
    await database.withoutActor((db) => termSettlement.paid(db, settled))
    await database.withoutActor((db) => termSettlement.paid(db, settled))
    expect(await me.get(`/data/memberships/${mine.id}`)).toMatchObject({
      body: { startsOn: '2026-11-02', endsOn: '2027-11-01', terms: [{ status: 'settled' }] },
    })
    await expect(database.withoutActor((db) => termSettlement.unpaid(db, settled))).rejects.toThrow('is paid')
    await admin.query(`update app.invoices set state = 'issued', paid_on = null, paid_amount = 0 where id = $1`, [rows[0]?.id])
    await database.withoutActor((db) => termSettlement.unpaid(db, settled))
    expect(await me.get(`/data/memberships/${mine.id}`)).toMatchObject({
      body: { status: 'awaiting_payment', startsOn: null, terms: [{ status: 'open' }] },
    })
    const now = held(await me.get(`/data/memberships/${mine.id}`))
    expect(await act(me, now, 'withdraw')).toMatchObject({ status: 200, body: { status: 'withdrawn' } })
    expect((await admin.query(`select state from app.invoices where id = $1`, [rows[0]?.id])).rows).toEqual([{ state: 'void' }])
  })

  test('is paused, resumed and cancelled; an override counts until its day and needs a reason', async ({
    api,
    organisation,
    person,
    admin,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const type = await makeType(boss, free)
    const me = api.as(await person({ org }))
    const mine = held(await apply(me, type.id))
    const paused = held(await act(boss, mine, 'suspend', { reason: 'On leave' }))
    expect(paused).toMatchObject({ status: 'suspended', reason: 'On leave' })
    expect(await act(me, paused, 'cancel', { reason: '' })).toMatchObject({ status: 403 })
    const back = held(await act(boss, paused, 'resume'))
    expect(back.status).toBe('active')
    expect(await act(boss, back, 'override', { override: { status: 'lapsed', until: '2020-01-01', reason: 'x' } })).toMatchObject({
      status: 422,
    })
    expect(await act(boss, back, 'override', { override: { status: 'lapsed', until: '2099-01-01', reason: '' } })).toMatchObject({
      status: 422,
    })
    const overridden = held(await act(boss, back, 'override', { override: { status: 'lapsed', until: '2099-01-01', reason: 'Board' } }))
    expect(overridden).toMatchObject({ status: 'active', counts: 'lapsed' })
    await admin.query('select app.run_memberships($1, $2)', [org.id, '2099-01-02'])
    const after = held(await boss.get(`/data/memberships/${mine.id}`))
    expect(after).toMatchObject({ override: null, counts: after.status })
  })

  test('is cancelled by its member, who cannot renew it then but apply anew', async ({ api, organisation, person }) => {
    const org = await organisation()
    const type = await makeType(api.as(await person({ org, idpRoles: ['org-admin'] })), free)
    const me = api.as(await person({ org }))
    const cancelled = held(await act(me, held(await apply(me, type.id)), 'cancel', { reason: 'Moved' }))
    expect(cancelled).toMatchObject({ status: 'cancelled', reason: 'Moved' })
    expect(await me.post(`/data/memberships/${cancelled.id}/renew`)).toMatchObject({
      status: 422,
      body: { reason: 'membership_no_renewal' },
    })
    expect(await apply(me, type.id)).toMatchObject({ status: 201, body: { status: 'active' } })
  })

  test('renewing before the window is refused to members; officers may, and the new term goes on from the end', async ({
    api,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const type = await makeType(boss, free)
    const me = api.as(await person({ org }))
    const mine = held(await apply(me, type.id))
    expect(await me.post(`/data/memberships/${mine.id}/renew`)).toMatchObject({ status: 422, body: { reason: 'membership_too_early' } })
    const renewed = await boss.post(`/data/memberships/${mine.id}/renew`)
    expect(renewed).toMatchObject({ status: 200, body: { startsOn: mine.startsOn, terms: [{ status: 'settled' }, { status: 'settled' }] } })
    expect(held(renewed).endsOn).toBe(
      termEnds({ ...rolling, months: 12 }, termStarts(String(mine.startsOn), { endsOn: mine.endsOn, graceUntil: mine.endsOn })),
    )
  })
})

describe('the daily run', () => {
  test('moves terms into grace and out of it, opens renewals, and changes nothing the second time', async ({
    api,
    organisation,
    person,
    admin,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const type = await makeType(boss, paid)
    const mine = held(await apply(api.as(await person({ org })), type.id))
    await pretendPaid(admin, org.id, mine, '2026-01-01', '2026-12-31')
    const run = async (on: string) => {
      const { rows } = await admin.query<{ done: Record<string, number> }>('select app.run_memberships($1, $2) as done', [org.id, on])
      return rows[0]?.done
    }
    const none = { overridesEnded: 0, toGrace: 0, lapsed: 0, renewalsOpened: 0, renewedFree: 0 }
    expect(await run('2026-11-30')).toEqual(none)
    expect(await run('2026-12-01')).toEqual({ ...none, renewalsOpened: 1 })
    expect(await run('2026-12-01')).toEqual(none)
    expect(await run('2027-01-01')).toEqual({ ...none, toGrace: 1 })
    expect(await run('2027-01-30')).toEqual(none)
    expect(await run('2027-01-31')).toEqual({ ...none, lapsed: 1 })
    expect(await run('2027-01-31')).toEqual(none)
    // A renewal that nobody paid has left the dates alone.
    expect(await boss.get(`/data/memberships/${mine.id}`)).toMatchObject({
      body: { status: 'lapsed', endsOn: '2026-12-31', terms: [{ status: 'open' }, {}] },
    })
    expect(await boss.post('/data/memberships/run')).toMatchObject({ status: 200 })
    const officer = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] }))
    expect(await officer.post('/data/memberships/run')).toMatchObject({ status: 403, body: { reason: 'memberships_administrators' } })
  })

  test('the database gives terms the same dates as the rules', async ({ admin }) => {
    const cases = sample(anyTerm, 1_500)
    const { rows } = await admin.query<{ starts: string; ends: string | null }>(
      `select s.starts::text, app.term_ends(c.period, c.months, c."startsMonth", c."startsDay", c."rolloverDays", s.starts)::text as ends
       from jsonb_to_recordset($1) c (n int, period text, months int, "startsMonth" int, "startsDay" int, "rolloverDays" int, paid date, "end" date, grace date)
       cross join lateral (select app.term_starts(c.paid, c."end", c.grace) as starts) s order by c.n`,
      [JSON.stringify(cases.map((one, n) => ({ ...one, n })))],
    )
    const expected = cases.map(({ paid: paidOn, end, grace, ...rules }) => {
      const starts = termStarts(paidOn, { endsOn: end, graceUntil: grace })
      return { starts, ends: termEnds(rules, starts) }
    })
    expect(rows).toEqual(expected)
  })
})

const rolling: TermRules = { period: 'rolling', months: 12, startsMonth: null, startsDay: null, rolloverDays: 0, graceDays: 30 }
const day = integer({ min: 0, max: 3_000 }).map((days) => new Date(Date.UTC(2024, 0, 1) + days * 86_400_000).toISOString().slice(0, 10))
const anyTerm = record({
  period: constantFrom('rolling' as const, 'fixed' as const, 'lifetime' as const),
  months: integer({ min: 1, max: 120 }),
  startsMonth: integer({ min: 1, max: 12 }),
  startsDay: integer({ min: 1, max: 28 }),
  rolloverDays: integer({ min: 0, max: 366 }),
  paid: day,
  end: day,
  graceDays: integer({ min: 0, max: 180 }),
}).map((one) => ({ ...one, grace: new Date(Date.parse(one.end) + one.graceDays * 86_400_000).toISOString().slice(0, 10) }))

async function hold(admin: { query(text: string, values: unknown[]): Promise<unknown> }, who: TestPerson, chapterId: string) {
  await admin.query(
    `with s as (insert into app.positions (org_id, chapter_id, title, role_id, max_holders)
       select $1, $2, $4, r.id, 5 from app.roles r where r.org_id = $1 and r.key = 'chapter-admin' returning id)
     insert into app.position_holders (org_id, position_id, person_id, starts_on) select $1, s.id, $3, '2020-01-01' from s`,
    [who.orgId, chapterId, who.personId, `Chair ${who.accountId}`],
  )
}

async function pretendPaid(
  admin: { query(text: string, values: unknown[]): Promise<unknown> },
  org: string,
  membership: Made,
  from: string,
  to: string,
) {
  await admin.query(
    `update app.membership_terms set status = 'settled', settled_on = $3, starts_on = $3, ends_on = $4 where org_id = $1 and membership_id = $2`,
    [org, membership.id, from, to],
  )
  await admin.query(
    `update app.memberships set status = 'active', starts_on = $3, ends_on = $4, grace_until = $4::date + 30, paid_on = $3 where org_id = $1 and id = $2`,
    [org, membership.id, from, to],
  )
}
