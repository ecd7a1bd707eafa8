import { describe, expect } from 'vitest'
import { constantFrom, integer, record, sample } from 'fast-check'
import { sql } from 'kysely'
import type pg from 'pg'
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

describe('what would happen', () => {
  test('with another price, period and share is worked out before saving, and changes nothing', async ({
    api,
    organisation,
    person,
    admin,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const type = await makeType(boss, { ...paid, chapterShareBps: 5000 })
    const end = new Date(Date.now() + 100 * 86_400_000).toISOString().slice(0, 10)
    for (const chapterId of [org.rootChapterId, null]) {
      const mine = held(await apply(api.as(await person({ org })), type.id, chapterId))
      await pretendPaid(admin, org.id, mine, '2026-01-01', end)
    }
    const unpaid = await apply(api.as(await person({ org })), type.id)
    expect(unpaid.status).toBe(201)
    const preview = (change: Record<string, unknown>) => boss.post(`/data/membership-types/${type.id}/preview`, change)
    const change = { price: { amount: 9000, currency: 'EUR' }, months: 6, graceDays: 10 }
    const { body } = await boss.post(`/data/membership-types/${type.id}/preview`, change, { 'idempotency-key': 'preview-of-a-type' })
    expect(body).toMatchObject({
      before: { total: 2, amount: 12_000, chapters: 3_000 },
      after: { total: 2, amount: 18_000, chapters: 4_500 },
      offered: 1,
      waiting: 0,
    })
    // The same dates that the run then gives.
    const { after } = body as { after: { first: { endsOn: string; opensOn: string }[] } }
    const starts = termStarts(end, { endsOn: end, graceUntil: end })
    expect(after.first[0]).toMatchObject({ amount: 9_000, endsOn: termEnds({ ...rolling, months: 6 }, starts) })
    expect(await preview({ period: 'lifetime', months: null })).toMatchObject({ body: { after: { total: 0, amount: 0, first: [] } } })
    expect(await preview({ months: null })).toMatchObject({ status: 422, body: { reason: 'membership_months_needed' } })
    expect(await boss.get('/data/membership-types')).toMatchObject({
      body: { items: [{ price: { amount: 6000 }, months: 12, version: 1 }] },
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

  test('whom five clicks at once make a member has one membership; without the index they have more (control)', async ({
    api,
    admin,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const type = await makeType(boss, paid)
    const addAtOnce = async () => {
      const who = await person({ org })
      const facts = { personId: who.personId, typeId: type.id, chapterId: null }
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => boss.post('/data/memberships', facts)))
      const { rows } = await admin.query<{ live: number; invoices: number }>(
        `select (select count(*)::int from app.memberships where person_id = $1) as live,
           (select count(*)::int from app.invoices where person_id = $1) as invoices`,
        [who.personId],
      )
      return { ...rows[0], refused: answers.filter(({ status }) => status === 409).length }
    }
    expect(await addAtOnce()).toEqual({ live: 1, invoices: 1, refused: 4 })
    const { rows } = await admin.query<{ text: string }>(`select pg_get_indexdef('app.memberships_open'::regclass) as text`)
    await admin.query('drop index app.memberships_open')
    try {
      const { live = 0, invoices = 0 } = await addAtOnce()
      expect(Math.min(live, invoices)).toBeGreaterThan(1)
    } finally {
      await admin.query('delete from app.memberships where org_id = $1', [org.id])
      await admin.query(rows[0]?.text ?? '')
    }
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

  test('counts again when money that went back comes back, although a renewal was open meanwhile', async ({
    api,
    organisation,
    person,
    admin,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const type = await makeType(boss, paid)
    const mine = held(await apply(api.as(await person({ org })), type.id))
    const [term] = mine.terms
    const { database } = api.services
    const settled = { orgId: org.id, subjectId: term?.id ?? '', invoiceId: mine.id, paidOn: '2026-11-02' }
    const invoiceBecomes = (state: string, amount: number) =>
      admin.query(
        `update app.invoices i set state = $2, paid_on = case when $3 > 0 then date '2026-11-02' end, paid_amount = $3 from app.invoice_lines l
         where l.org_id = i.org_id and l.invoice_id = i.id and l.subject_id = $1`,
        [term?.id, state, amount],
      )
    const found = async () =>
      (
        await admin.query<{ status: string; ends: string | null }>(
          'select status, ends_on::text as ends from app.membership_terms where id = $1',
          [term?.id],
        )
      ).rows
    await invoiceBecomes('paid', 6000)
    await database.withoutActor((db) => termSettlement.paid(db, settled))
    expect(await boss.post(`/data/memberships/${mine.id}/renew`)).toMatchObject({ status: 200 })
    await invoiceBecomes('issued', 0)
    await database.withoutActor((db) => termSettlement.unpaid(db, settled))
    expect(await found()).toEqual([{ status: 'void', ends: null }])
    await database.withoutActor((db) => termSettlement.paid(db, settled))
    expect(await found()).toEqual([{ status: 'void', ends: null }])
    await invoiceBecomes('paid', 6000)
    await database.withoutActor((db) => termSettlement.paid(db, settled))
    expect(await found()).toEqual([{ status: 'settled', ends: '2027-11-01' }])
    expect(await boss.get(`/data/memberships/${mine.id}`)).toMatchObject({ body: { endsOn: '2027-11-01', owed: { amount: 6000 } } })
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

describe('a pause', () => {
  test('is not ended by its member: neither by cancelling, nor by another type that needs no approval', async ({
    api,
    organisation,
    person,
    admin,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const type = await makeType(boss, free)
    const other = await makeType(boss, { ...free, name: 'Supporter' })
    const who = await person({ org })
    const me = api.as(who)
    const paused = held(await act(boss, held(await apply(me, type.id)), 'suspend', { reason: 'Under review' }))
    expect(await act(me, paused, 'cancel', { reason: '' })).toMatchObject({ status: 403 })
    expect(await me.get(`/data/memberships/${paused.id}`)).toMatchObject({ body: { may: { cancel: false } } })
    const second = held(await apply(me, other.id))
    expect(second).toMatchObject({ status: 'awaiting_approval', terms: [] })
    // The database holds both by itself.
    const tries = (statement: string) =>
      api.services.database
        .asActor(actorOf(who), (db) => sql.raw(statement).execute(db))
        .then(
          () => 'done',
          (refused: unknown) => (refused as { constraint?: string }).constraint,
        )
    await admin.query(`update app.memberships set status = 'withdrawn' where id = $1`, [second.id])
    const anew = (status: string) =>
      `insert into app.memberships (org_id, person_id, type_id, status) values ('${org.id}', '${who.personId ?? ''}', '${other.id}', '${status}')`
    expect(await tries(anew('awaiting_payment'))).toBe('membership_paused')
    expect(await tries(`update app.memberships set status = 'cancelled' where id = '${paused.id}'`)).toBe('membership_decided_above')
    expect(await tries(anew('awaiting_approval'))).toBe('done')
    expect(await act(boss, paused, 'cancel', { reason: 'Left' })).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  })
})

describe('what is ended', () => {
  test('owes nothing any more: the unpaid renewal is void with its invoice, and its money does not bring it back', async ({
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
    await pretendPaid(admin, org.id, mine, '2026-01-01', '2026-12-31')
    const renewed = held(await boss.post(`/data/memberships/${mine.id}/renew`))
    const term = renewed.terms.find(({ status }) => status === 'open')?.id ?? ''
    const cancelled = held(await act(me, renewed, 'cancel', { reason: '' }))
    expect(cancelled).toMatchObject({ status: 'cancelled', owed: null, terms: [{ status: 'void' }, { status: 'settled' }] })
    const [invoice] = await invoicesFor(admin, org.id, term)
    expect(invoice).toMatchObject({ state: 'void' })
    await api.services.database.withoutActor((db) =>
      termSettlement.paid(db, { orgId: org.id, subjectId: term, invoiceId: invoice?.id ?? '', paidOn: '2026-11-02' }),
    )
    expect(await me.get(`/data/memberships/${mine.id}`)).toMatchObject({ body: { status: 'cancelled' } })
  })

  test('what was paid in part stays paid, and the rest is credited', async ({ api, organisation, person, admin }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const me = api.as(await person({ org }))
    const mine = held(await apply(me, (await makeType(boss, paid)).id))
    await pretendPaid(admin, org.id, mine, '2026-01-01', '2026-12-31')
    const renewed = held(await boss.post(`/data/memberships/${mine.id}/renew`))
    const term = renewed.terms.find(({ status }) => status === 'open')?.id ?? ''
    const [invoice] = await invoicesFor(admin, org.id, term)
    await admin.query(
      `with p as (insert into app.payments (org_id, person_id, method, state, amount, currency, settled_at) select org_id, person_id, 'cash', 'settled', 2000, currency, now() from app.invoices where id = $1 returning org_id, id)
       insert into app.payment_allocations (org_id, payment_id, invoice_id, amount) select org_id, id, $1, 2000 from p`,
      [invoice?.id],
    )
    await admin.query(`update app.invoices set state = 'partly_paid', paid_amount = 2000 where id = $1`, [invoice?.id])
    await act(me, renewed, 'cancel', { reason: '' })
    const { rows } = await admin.query(
      `select kind, total_amount::int as total, credited_amount::int as credited, balance_amount::int as balance from app.invoices where id = $1 or credits_id = $1 order by kind`,
      [invoice?.id],
    )
    expect(rows).toEqual([
      { kind: 'credit_note', total: -4000, credited: 0, balance: 0 },
      { kind: 'invoice', total: 6000, credited: 4000, balance: 0 },
    ])
  })

  test('is left at the end of its term: the renewal is void at once, it can be kept until then, and the treasurer is told', async ({
    api,
    organisation,
    person,
    admin,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const treasurer = api.as(await person({ org, grants: [{ role: 'finance' }] }))
    const me = api.as(await person({ org }))
    const mine = held(await apply(me, (await makeType(boss, { ...paid, leaving: 'end_of_term' })).id))
    const end = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
    await pretendPaid(admin, org.id, mine, '2026-01-01', end)
    const renewed = held(await me.post(`/data/memberships/${mine.id}/renew`))
    expect(renewed).toMatchObject({ owed: { amount: 6000 }, may: { cancel: true, leaveNow: false } })
    expect(await act(me, renewed, 'cancel', { reason: '' })).toMatchObject({ status: 403, body: { reason: 'membership_leaves_at_end' } })
    expect(await act(me, renewed, 'cancel', { reason: '', lastDay: '2020-01-01' })).toMatchObject({ status: 403 })
    const leaving = held(await act(me, renewed, 'cancel', { reason: 'Moved', lastDay: end }))
    expect(leaving).toMatchObject({ status: 'active', leavesOn: end, autoRenew: false, owed: null, may: { keep: true, renew: false } })
    expect(await invoicesFor(admin, org.id, renewed.terms.find(({ status }) => status === 'open')?.id ?? '')).toMatchObject([
      { state: 'void' },
    ])
    expect(await treasurer.get('/data/notifications')).toMatchObject({
      body: { items: [{ kind: 'membership-ended', params: { on: end } }] },
    })
    expect(await me.post(`/data/memberships/${mine.id}/renew`)).toMatchObject({ status: 409, body: { reason: 'membership_leaving' } })
    const kept = held(await act(me, leaving, 'keep'))
    expect(kept).toMatchObject({ leavesOn: null, reason: '', may: { renew: true } })
    await act(boss, kept, 'cancel', { reason: 'Left', lastDay: end })
    const run = async (days: number) => {
      const on = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
      return (await admin.query<{ ended: number }>('select app.end_memberships($1, $2) as ended', [org.id, on])).rows[0]?.ended
    }
    expect([await run(20), await run(21), await run(21)]).toEqual([0, 1, 0])
    expect(await me.get(`/data/memberships/${mine.id}`)).toMatchObject({
      body: { status: 'cancelled', reason: 'Left', may: { renew: false } },
    })
    // They come back with a new term, opened by an officer.
    const back = await boss.post(`/data/memberships/${mine.id}/renew`)
    expect(back).toMatchObject({ status: 200, body: { status: 'cancelled', owed: { amount: 6000 } } })
    const count = await boss.get('/data/memberships/figures')
    expect(count).toMatchObject({ status: 200, body: { ending: 0, grace: 0, lapsed: 0 } })
  })

  test('a void invoice is drafted anew when somebody renews, not by the calendar', async ({ api, organisation, person, admin }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-owner'] }))
    const me = api.as(await person({ org }))
    const mine = held(await apply(me, (await makeType(boss, paid)).id))
    const term = mine.terms[0]?.id ?? ''
    const [first] = await invoicesFor(admin, org.id, term)
    expect(
      await boss.post(`/data/invoices/${first?.id ?? ''}/void`, { reason: 'Wrong address' }, match(first?.version ?? 0)),
    ).toMatchObject({ status: 200 })
    await boss.post('/data/memberships/run')
    expect(await invoicesFor(admin, org.id, term)).toMatchObject([{ state: 'void' }])
    expect(await me.post(`/data/memberships/${mine.id}/renew`)).toMatchObject({ status: 200 })
    await me.post(`/data/memberships/${mine.id}/renew`)
    expect(await invoicesFor(admin, org.id, term)).toMatchObject([{ state: 'void' }, { state: 'issued', total: 6000 }])
  })
})

describe('another type or chapter', () => {
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
  const late = new Date(Date.now() + 200 * 86_400_000).toISOString().slice(0, 10)
  const family = { ...paid, name: 'Family', price: { amount: 9000, currency: 'EUR' }, chapterShareBps: 5000 }
  const openTermOf = (made: Made) => made.terms.find(({ status }) => status === 'open')?.id ?? ''

  test('an unpaid renewal is void and charged anew; what would happen is said first and changes nothing', async ({
    api,
    organisation,
    person,
    admin,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const full = await makeType(boss, paid)
    const other = await makeType(boss, family)
    const me = api.as(await person({ org }))
    const mine = held(await apply(me, full.id, org.rootChapterId))
    await pretendPaid(admin, org.id, mine, '2026-01-01', soon)
    const renewed = held(await boss.post(`/data/memberships/${mine.id}/renew`))
    const preview = await boss.post(
      `/data/memberships/${mine.id}/preview`,
      { typeId: other.id },
      { 'idempotency-key': 'preview-of-a-membership' },
    )
    const following = new Date(Date.parse(soon) + 86_400_000).toISOString().slice(0, 10)
    expect(preview).toMatchObject({
      status: 200,
      body: {
        before: { status: 'active', endsOn: soon, next: { amount: 6000, chapterShare: 0, startsOn: following } },
        after: { status: 'active', endsOn: soon, next: { amount: 9000, currency: 'EUR', chapterShare: 4500, startsOn: following } },
        invoices: [{ total: { amount: 6000, currency: 'EUR' }, paid: 0, effect: 'void' }],
      },
    })
    expect(await boss.get(`/data/memberships/${mine.id}`)).toMatchObject({
      body: { type: { name: 'Full member' }, owed: { amount: 6000 } },
    })
    expect(await invoicesFor(admin, org.id, openTermOf(renewed))).toMatchObject([{ state: 'issued' }])
    const changed = held(await boss.patch(`/data/memberships/${mine.id}`, { typeId: other.id }, match(renewed.version)))
    expect(changed).toMatchObject({ status: 'active', endsOn: soon, type: { name: 'Family' }, owed: { amount: 9000 } })
    expect(await invoicesFor(admin, org.id, openTermOf(renewed))).toMatchObject([{ state: 'void' }])
    expect(await invoicesFor(admin, org.id, openTermOf(changed))).toMatchObject([{ state: 'issued', total: 9000 }])
    // Another chapter leaves what is charged alone.
    const away = held(await boss.patch(`/data/memberships/${mine.id}`, { chapterId: null }, match(changed.version)))
    expect(away).toMatchObject({ chapter: null, owed: { amount: 9000 } })
    expect(await invoicesFor(admin, org.id, openTermOf(changed))).toMatchObject([{ state: 'issued' }])
  })

  test('a draft is void as well; what has been paid in part, or is being paid, stays', async ({ api, organisation, person, admin }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const full = await makeType(boss, paid)
    const other = await makeType(boss, family)
    const start = async () => held(await apply(api.as(await person({ org })), full.id))
    const switched = async (made: Made) => {
      const { body } = await boss.post(`/data/memberships/${made.id}/preview`, { typeId: other.id })
      const after = held(await boss.patch(`/data/memberships/${made.id}`, { typeId: other.id }, match(made.version)))
      return { effects: (body as { invoices: { effect: string }[] }).invoices.map(({ effect }) => effect), after }
    }
    const pay = async (made: Made, state: 'pending' | 'settled') => {
      const [invoice] = await invoicesFor(admin, org.id, openTermOf(made))
      await admin.query(
        `with p as (insert into app.payments (org_id, person_id, method, state, amount, currency, settled_at)
           select org_id, person_id, 'cash', $2, 2000, currency, case when $2 = 'settled' then now() end from app.invoices where id = $1 returning org_id, id)
         insert into app.payment_allocations (org_id, payment_id, invoice_id, amount) select org_id, id, $1, 2000 from p`,
        [invoice?.id, state],
      )
      if (state === 'settled')
        await admin.query(`update app.invoices set state = 'partly_paid', paid_amount = 2000 where id = $1`, [invoice?.id])
    }

    const drafted = await start()
    await admin.query(`delete from app.membership_terms where org_id = $1 and membership_id = $2`, [org.id, drafted.id])
    const { rows } = await admin.query<{ id: string }>(
      `insert into app.membership_terms (org_id, membership_id, person_id, period, months, price_amount, price_currency) values ($1, $2, $3, 'rolling', 12, 6000, 'EUR') returning id`,
      [org.id, drafted.id, drafted.person.id],
    )
    const term = rows[0]?.id ?? ''
    await admin.query(
      `select app.draft_invoices($1, jsonb_build_array(jsonb_build_object('personId', $2::uuid, 'currency', 'EUR', 'reason', 'Full member',
        'lines', jsonb_build_array(jsonb_build_object('text', 'Full member', 'amount', 6000, 'subjectType', 'membership_term', 'subjectId', $3::uuid)))))`,
      [org.id, drafted.person.id, term],
    )
    expect(await invoicesFor(admin, org.id, term)).toMatchObject([{ state: 'draft' }])
    expect(await switched(drafted)).toMatchObject({ effects: ['void'], after: { status: 'awaiting_payment', owed: { amount: 9000 } } })
    expect(await invoicesFor(admin, org.id, term)).toMatchObject([{ state: 'void' }])

    for (const state of ['settled', 'pending'] as const) {
      const begun = await start()
      await pay(begun, state)
      const { effects, after } = await switched(begun)
      expect([effects, after]).toMatchObject([['stays'], { type: { name: 'Family' }, owed: { amount: 6000 }, terms: [{ status: 'open' }] }])
    }
  })

  test('members change the type themselves once the next term is due, to one that needs no approval', async ({
    api,
    organisation,
    person,
    admin,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const full = await makeType(boss, paid)
    const other = await makeType(boss, family)
    const closed = await makeType(boss, { ...paid, name: 'Patron', needsApproval: true })
    const nothing = await makeType(boss, free)
    const me = api.as(await person({ org }))
    const mine = held(await apply(me, full.id))
    const change = (typeId: string, version: number) => me.patch(`/data/memberships/${mine.id}`, { typeId }, match(version))
    const awaited = held(await change(other.id, mine.version))
    expect(awaited).toMatchObject({ status: 'awaiting_payment', owed: { amount: 9000 }, may: { changeType: true, change: false } })
    expect(await change(closed.id, awaited.version)).toMatchObject({ status: 422, body: { reason: 'membership_type_closed' } })
    expect(await me.patch(`/data/memberships/${mine.id}`, { chapterId: org.rootChapterId }, match(awaited.version))).toMatchObject({
      status: 403,
    })
    await pretendPaid(admin, org.id, mine, '2026-01-01', late)
    const running = held(await me.get(`/data/memberships/${mine.id}`))
    expect(running).toMatchObject({ may: { changeType: false } })
    expect(await change(full.id, running.version)).toMatchObject({ status: 403 })
    await pretendPaid(admin, org.id, mine, '2026-01-01', soon)
    const due = held(await me.get(`/data/memberships/${mine.id}`))
    // What nobody has charged yet is charged by the calendar.
    const renamed = held(await change(full.id, due.version))
    expect(renamed).toMatchObject({ type: { name: 'Full member' }, owed: null, endsOn: soon })
    await me.post(`/data/memberships/${mine.id}/renew`)
    const open = held(await me.get(`/data/memberships/${mine.id}`))
    // A free term follows the running one at once.
    const following = await change(nothing.id, open.version)
    expect(following).toMatchObject({ status: 200, body: { status: 'active', owed: null, type: { name: 'Friend' } } })
    expect(held(following).endsOn?.slice(0, 4)).toBe(String(Number(soon.slice(0, 4)) + 1))
  })
})

describe('minors', () => {
  test('have memberships that only they themselves see, and who may see the records of minors', async ({
    api,
    organisation,
    person,
    chapter,
    admin,
  }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const officer = await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] })
    const guardian = api.as(
      await person({
        org,
        chapterId: west,
        grants: [
          { role: 'chapter-admin', chapterId: west },
          { role: 'safeguarding', chapterId: west },
        ],
      }),
    )
    const type = await makeType(boss, { ...free, needsApproval: true })
    const child = await person({ org, chapterId: west })
    await admin.query(
      `insert into app.person_private (org_id, person_id, birth_date) values ($1, $2, current_date - interval '12 years')`,
      [org.id, child.personId],
    )
    const applied = held(await apply(api.as(child), type.id, west))
    const asOfficer = api.as(officer)
    expect(await asOfficer.get('/data/memberships?mineToDecide=true')).toMatchObject({ body: { items: [], total: 0 } })
    expect(await asOfficer.get(`/data/memberships/${applied.id}`)).toMatchObject({ status: 404 })
    expect(await act(asOfficer, applied, 'approve')).toMatchObject({ status: 404 })
    expect(await asOfficer.post('/data/memberships', { personId: child.personId, typeId: type.id, chapterId: west })).toMatchObject({
      status: 422,
      body: { reason: 'person_not_found' },
    })
    const counted = await api.services.database.asActor(actorOf(officer), (db) =>
      sql<{ rows: number }>`select count(*)::int as rows from app.memberships where id = ${applied.id}`.execute(db),
    )
    expect(counted.rows).toEqual([{ rows: 0 }])
    await expect(
      api.services.database.asActor(actorOf(officer), (db) => sql`select app.open_membership_term(${applied.id})`.execute(db)),
    ).rejects.toThrow('not yours to renew')
    expect(await guardian.get('/data/memberships?mineToDecide=true')).toMatchObject({ body: { total: 1 } })
    expect(await act(guardian, applied, 'approve')).toMatchObject({ status: 200, body: { status: 'active' } })
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
      const { after: _, ...done } = rows[0]?.done ?? {}
      return done
    }
    const none = { overridesEnded: 0, toGrace: 0, lapsed: 0, renewalsOpened: 0, renewedFree: 0, invoices: 0, isLast: true }
    expect(await run('2026-11-30')).toEqual(none)
    expect(await run('2026-12-01')).toEqual({ ...none, renewalsOpened: 1, invoices: 1 })
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

const actorOf = ({ orgId, accountId }: TestPerson) => ({ orgId, accountId, idpRoles: [] })

async function invoicesFor(admin: pg.Pool, org: string, term: string) {
  const { rows } = await admin.query<{ id: string; state: string; total: number; version: number }>(
    `select i.id, i.state, i.total_amount::int as total, i.version from app.invoices i join app.invoice_lines l on l.org_id = i.org_id and l.invoice_id = i.id
     where i.org_id = $1 and l.subject_type = 'membership_term' and l.subject_id = $2 order by i.id`,
    [org, term],
  )
  return rows
}

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
