import type { Export } from '@guildhall/contract/features/lists'
import type { Import, ImportKind, ImportRow } from '@guildhall/contract/features/imports'
import { random } from '@guildhall/db/demo/random'
import type { Random } from '@guildhall/db/demo/random'
import { loadDemo } from '@guildhall/db/demo'
import { testDatabase } from '@guildhall/db/testing'
import { NewPerson } from '@guildhall/contract/features/people'
import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { newId } from '../../platform/records/new-id.ts'
import { insertRows } from '../../platform/records/row-changes.ts'
import type { TableShape, Values } from '../../platform/records/row-changes.ts'
import type { Client, TestPerson } from '../../testing.ts'
import { peopleTables } from '../people/people.import.queries.ts'
import { exportedColumns } from './mapping/imports.exported.rules.ts'
import { bringIn, test, uploadFile, waitFor } from './imports.testing.ts'

// What an export writes, an import reads as what is there: nothing changes and nothing is refused.

type Api = {
  as(person: TestPerson): Client
  app: { inject(options: object): Promise<{ rawPayload: Buffer; statusCode: number }> }
}
const lists = [
  'people',
  'chapters',
  'groups',
  'group_members',
  'memberships',
  'invoices',
  'registrations',
  'gifts',
  'relationships',
] as const
type List = (typeof lists)[number]
const none = { create: 0, update: 0, unchanged: 0, skip: 0, reject: 0 }

/** All columns of a list as a file. */
async function exportAll(api: Api, me: TestPerson, list: List, format: 'csv' | 'xlsx', groupId?: string) {
  const client = api.as(me)
  const { items } = (await client.get(`/data/exports/columns?list=${list}`)).body as { items: { key: string }[] }
  const asked = await client.post('/actions/exports', {
    list,
    format,
    columns: items.map(({ key }) => key),
    selection: { all: {}, except: [] },
    reason: 'Test',
    ...(groupId ? { groupId } : {}),
  })
  expect(asked.status, asked.text).toBe(202)
  const { id } = asked.body as Export
  for (;;) {
    const { status, body } = await client.get(`/data/exports/${id}`)
    // A server that is too busy says so; the export goes on.
    const { job }: Partial<Export> = status === 503 ? {} : body
    if (job?.status === 'done') break
    expect(['queued', 'running']).toContain(job?.status ?? 'running')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const file = await api.app.inject({ method: 'GET', url: `/actions/exports/${id}/file`, headers: { authorization: `Bearer ${me.token}` } })
  expect(file.statusCode).toBe(200)
  return file.rawPayload
}

/** Exports and checks the file; what the check would do. */
async function roundTrip(api: Api, me: TestPerson, list: List, format: 'csv' | 'xlsx', groupId?: string): Promise<Import> {
  const content = await exportAll(api, me, list, format, groupId)
  const uploaded = await uploadFile(api.as(me), list satisfies ImportKind, `back.${format}`, content)
  expect(uploaded.status, uploaded.text).toBe(201)
  return waitFor(api.as(me), uploaded.import.id, 'check')
}

/** The check found every row unchanged; otherwise the first rows that are not, with what would change. */
async function expectUnchanged(client: Client, checked: Import, rows: number) {
  const odd: ImportRow[] = []
  for (const outcome of ['create', 'update', 'skip', 'reject']) {
    const { body } = await client.get(`/data/imports/${checked.id}/rows?phase=check&outcome=${outcome}`)
    odd.push(...(body as { items: ImportRow[] }).items.slice(0, 5))
  }
  expect(odd).toEqual([])
  expect([checked.status, checked.error, checked.counts.check]).toEqual(['checked', null, { ...none, unchanged: rows }])
}

test('every column of every export is known by its header', async ({ api, person }) => {
  const client = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
  for (const list of lists) {
    const { items } = (await client.get(`/data/exports/columns?list=${list}`)).body as { items: { header: string }[] }
    expect([list, Object.keys(exportedColumns[list]).sort()]).toEqual([list, items.map(({ header }) => header).sort()])
  }
})

const fixtures = new URL('../../../../../e2e/fixtures/us-congress/', import.meta.url)

test('a real organisation goes out and comes back unchanged', { timeout: 240_000 }, async ({ api, organisation, person, worker: _ }) => {
  const org = await organisation()
  const me = await person({ org, idpRoles: ['org-admin'], chapterId: null })
  const client = api.as(me)
  for (const kind of ['chapters', 'people', 'positions', 'groups', 'group_members'] as const)
    await bringIn(client, kind, await readFile(new URL(`${kind}.csv`, fixtures)))
  const { items: groups } = (await client.get('/data/groups?q=appropriations')).body as { items: { id: string }[] }
  for (const format of ['csv', 'xlsx'] as const) {
    // The root chapter came with the organisation.
    await expectUnchanged(client, await roundTrip(api, me, 'chapters', format), 500)
    const people = await roundTrip(api, me, 'people', format)
    expect(people.findings).toMatchObject([{ code: 'calculated_columns', message: expect.stringContaining('Offices') }])
    await expectUnchanged(client, people, 537)
    await expectUnchanged(client, await roundTrip(api, me, 'groups', format), 230)
    const members = await roundTrip(api, me, 'group_members', format, groups[0]?.id)
    expect(members.rowsTotal).toBeGreaterThan(5)
    await expectUnchanged(client, members, members.rowsTotal ?? 0)
  }
})

test('the demo organisation goes out and comes back unchanged', { timeout: 240_000 }, async ({ api, admin, person, worker: _ }) => {
  const { adminUrl } = await testDatabase()
  const today = new Date().toISOString().slice(0, 10)
  const { orgId } = await loadDemo({ adminUrl, size: 'demo', issuer: 'https://issuer.example', today })
  await admin.query('update app.organisations set idp_org_id = org_id::text where org_id = $1', [orgId])
  const { rows: roots } = await admin.query<{ id: string }>('select id from app.chapters where org_id = $1 and parent_id is null', [orgId])
  const me = await person({ org: { id: orgId, rootChapterId: roots[0]?.id ?? '' }, idpRoles: ['org-admin'], chapterId: null })
  const client = api.as(me)
  const { items: groups } = (await client.get('/data/groups?sort=-members&limit=5')).body as { items: { id: string }[] }
  for (const format of ['csv', 'xlsx'] as const) {
    for (const list of ['people', 'chapters', 'groups'] as const) {
      const checked = await roundTrip(api, me, list, format)
      expect(checked.rowsTotal).toBeGreaterThan(20)
      await expectUnchanged(client, checked, checked.rowsTotal ?? 0)
    }
    for (const { id } of groups) {
      const checked = await roundTrip(api, me, 'group_members', format, id)
      await expectUnchanged(client, checked, checked.rowsTotal ?? 0)
    }
  }
})

test(
  'invoices, guests and registrations of every status go out and come back unchanged',
  { timeout: 120_000 },
  async ({ api, admin, organisation, person, worker: _ }) => {
    const org = await organisation()
    const me = await person({ org, idpRoles: ['org-admin'], chapterId: null })
    const client = api.as(me)
    const debtor = await person({ org, familyName: 'Lee' })
    const { rows: roots } = await admin.query<{ code: string }>('select code from app.chapters where id = $1', [org.rootChapterId])
    await admin.query(`update app.people set member_no = 'A1' where id = $1`, [debtor.personId])
    await bringIn(
      client,
      'invoices',
      'member_no,debtor_chapter,invoice_number,issued_on,due_on,text,lines,total,paid_amount,paid_on\n' +
        'A1,,R-17,2024-11-30,2024-12-30,Dues 2024,,60.00,60.00,2024-12-20\n' +
        'A1,,R-18,2025-11-30,2025-12-10,Dues,Membership: 50.00; Postage: 4.50,54.50,20,2025-12-20\n' +
        `,${roots[0]?.code},R-19,2025-11-30,2025-12-10,Levy,,900,,\n`,
    )
    // One of our own, with two lines.
    const lines = [1, 2].map((n) => ({ text: `Line ${n}`, amount: n * 1_000 }))
    const drafted = await client.post('/data/invoices', { owedBy: { personId: debtor.personId }, reason: 'Dues', lines })
    expect(drafted.status, drafted.text).toBe(201)
    const draft = drafted.body as { id: string; version: number }
    const issued = await client.post(`/data/invoices/${draft.id}/issue`, {}, { 'if-match': `"${draft.version}"` })
    expect(issued.status, issued.text).toBeLessThan(300)

    // They begin late in the evening, which is the next day elsewhere, and have titles that are the same to an import.
    const facts = { startsAt: '2025-07-05T23:30:00Z', timezone: 'Europe/Berlin', venueName: 'Park', recordsAttendance: true }
    const events: string[] = []
    for (const title of ['Late picnic', 'LATE picnic']) {
      const made = await client.post('/data/events', { ...facts, title })
      expect(made.status, made.text).toBe(201)
      const event = made.body as { id: string; version: number }
      expect((await client.post(`/data/events/${event.id}/publish`, {}, { 'if-match': `"${event.version}"` })).status).toBe(200)
      events.push(event.id)
    }
    const statuses = ['attended', 'registered', 'cancelled', 'waitlisted']
    // Somebody cancels and comes back.
    for (const rows of [
      [...statuses.map((status) => `,Kim ${status},${status}@example.org,${status}`), 'A1,,,cancelled'],
      ['A1,,,attended'],
    ])
      await bringIn(
        client,
        'registrations',
        `event_id,member_no,name,email,registration_status\n${events.flatMap((id) => rows.map((row) => `${id},${row}\n`)).join('')}`,
      )
    for (const status of ['pending_approval', 'pending_payment', 'offered', 'rejected'])
      await admin.query(
        `insert into app.registrations (org_id, event_id, name, email, status, cause, source, host_id, hold_until, offer_until, waiting_place, price_amount, price_currency)
         select org_id, event_id, $2, '', $3, case when $3 = 'rejected' then $3 else 'registered' end, 'public', case when $3 <> 'rejected' then id end,
           case when $3 = 'pending_payment' then now() + interval '1 hour' end, case when $3 = 'offered' then now() + interval '1 hour' end,
           case when $3 = 'offered' then 7 end, price_amount, price_currency
         from app.registrations where event_id = any ($1) and email = 'registered@example.org'`,
        [events, `Guest ${status}`, status],
      )
    for (const format of ['csv', 'xlsx'] as const) {
      for (const [list, rows] of [
        ['invoices', 6],
        ['registrations', 20],
      ] as const) {
        const checked = await roundTrip(api, me, list, format)
        expect(checked.findings).toMatchObject([{ code: 'calculated_columns' }])
        await expectUnchanged(client, checked, rows)
      }
    }
  },
)

test(
  'gifts of every status go out and come back unchanged',
  { timeout: 120_000 },
  async ({ api, admin, organisation, person, worker: _ }) => {
    const org = await organisation()
    const me = await person({ org, idpRoles: ['org-admin'], chapterId: null })
    const client = api.as(me)
    const donor = await person({ org, familyName: 'Lee' })
    await admin.query(`update app.people set member_no = 'A1' where id = $1`, [donor.personId])
    await admin.query(`insert into app.funds (org_id, name) select $1, n from unnest(array['General', 'Library: new; old']) n`, [org.id])
    await bringIn(
      client,
      'gifts',
      'gift_id,member_no,email,donor,amount,received_on,fund,tribute,in_honour_of,message\n' +
        'G-1,A1,,,50,2024-12-20,General,memory,"Tobias ""T"" Venn",=1+1\n' +
        'G-2,,other@example.org,Hill Bakery,30.05,2025-04-01,General,,,\n',
    )
    for (const [personId, name] of [
      [donor.personId, ''],
      [null, 'Hill Bakery'],
    ]) {
      const { rows: funds } = await admin.query<{ id: string }>('select id from app.funds where org_id = $1 order by name', [org.id])
      const made = await client.post('/data/gifts', {
        ...{
          personId,
          donorName: name,
          money: { amount: 3000, currency: 'EUR' },
          method: 'cheque',
          receivedOn: '2026-01-02',
          reference: '0017',
        },
        allocations: funds.map(({ id }, nth) => ({ fundId: id, amount: 1000 + 1000 * nth })),
      })
      expect(made.status, made.text).toBe(201)
    }
    // One that waits for its payment has no day yet.
    await admin.query(
      `with g as (insert into app.gifts (org_id, donor_name, donor_email, amount, currency, method, source) values ($1, 'Kim', 'kim@example.org', 500, 'EUR', 'card', 'page') returning id)
     insert into app.gift_allocations (org_id, gift_id, fund_id, amount) select $1, g.id, f.id, 500 from g join app.funds f on f.org_id = $1 and f.name = 'General'`,
      [org.id],
    )
    await admin.query(`update app.funds set archived_at = now() where org_id = $1 and name = 'General'`, [org.id])
    for (const format of ['csv', 'xlsx'] as const) {
      const checked = await roundTrip(api, me, 'gifts', format)
      expect(checked.findings).toMatchObject([{ code: 'calculated_columns' }])
      await expectUnchanged(client, checked, 5)
    }
  },
)

test(
  'relationships of every status go out and come back unchanged',
  { timeout: 120_000 },
  async ({ api, admin, organisation, person, worker: _ }) => {
    const org = await organisation()
    const me = await person({ org, idpRoles: ['org-admin'], chapterId: null })
    const [ann, ben] = [await person({ org, familyName: 'Lee' }), await person({ org, familyName: 'Ray' })]
    await admin.query(
      `insert into app.relationships (org_id, type_id, from_person_id, to_person_id, state, starts_on, ends_on, note)
       select t.org_id, t.id, $2, $3, s.state, '2020-02-03', case when s.state = 'ended' then date '2021-01-01' end, 'a; "b"'
       from app.relationship_types t join (values ('lineage', 'active'), ('mentor', 'ended'), ('household', 'proposed'), ('recruiter', 'rejected')) s (key, state) on s.key = t.key
       where t.org_id = $1`,
      [org.id, ann.personId, ben.personId],
    )
    for (const format of ['csv', 'xlsx'] as const) {
      const checked = await roundTrip(api, me, 'relationships', format)
      expect(checked.findings).toMatchObject([{ code: 'calculated_columns' }])
      await expectUnchanged(api.as(me), checked, 4)
    }
  },
)

const hostile = [
  ...[
    'a,b',
    'a;b',
    'say "hi"',
    '"quoted"',
    '""',
    'a|b',
    "O'Neill",
    "'tick",
    "'=1+1",
    '=1+1',
    '+49',
    '-5',
    '@SUM(A1)',
    '- ',
    '–',
    '00018',
    '1e5',
  ],
  ...[
    '1/2',
    '01/02/2020',
    '2020-01-01',
    'TRUE',
    'false',
    'NaN',
    'null',
    'NULL',
    'n/a',
    'N/A',
    '-',
    '--',
    '?',
    'none',
    'undefined',
    '#REF!',
  ],
  ...[
    'Zoë',
    'Ÿ',
    '\u1e9e',
    'שָׁלוֹם',
    'محمد علي',
    '山田 太郎',
    '🎉 party',
    '👩‍👩‍👧',
    'e\u0301',
    'ﬁ',
    '＝1',
    '＋2',
    'a  b',
    'Jean\u00a0Luc',
    'x\u2009y',
    '\\n',
    '%20',
    '_x0041_',
  ],
  ...[
    '<b>',
    '&amp;',
    '{{x}}',
    'sep=;',
    'a\tb',
    '; =x',
    'van der Berg',
    'Lee, Ann',
    '12345678901234567890',
    '0.1',
    '1,5',
    'ID',
    '; ; ;',
    '" ;',
  ],
]
const blocks = [
  'two\nlines',
  '=a\n=b',
  'quote "x"\nnext, and; so',
  '\n\nempty\n\nlines',
  'tab\there',
  '- list\n- of\n- things',
  'x'.repeat(1900),
]

/** A person that the form would take, as unlike others as can be. */
function strange(at: number, draw: Random, tags: readonly string[], chapters: readonly string[]) {
  const word = () => (draw.chance(0.75) ? draw.pick(hostile) : `${draw.pick(hostile)} ${draw.pick(hostile)}`).slice(0, 90)
  const some = <T>(make: () => T): T | undefined => (draw.chance(0.5) ? make() : undefined)
  const day = (from: number, to: number) =>
    `${draw.between(from, to)}-${String(draw.between(1, 12)).padStart(2, '0')}-${String(draw.between(1, 28)).padStart(2, '0')}`
  return {
    givenName: word(),
    familyName: draw.chance(0.1) ? '' : word(),
    middleName: some(word),
    suffix: some(() => word().slice(0, 30)),
    preferredName: some(word),
    formerNames: some(() => [word(), word()]),
    pronouns: some(() => word().slice(0, 40)),
    memberNo: draw.chance(0.5) ? `${draw.pick(hostile).slice(0, 40)}${at}` : undefined,
    lifecycle: some(() => draw.pick(['prospect', 'active', 'alumni', 'former'] as const)),
    joinedOn: some(() => day(1800, 2025)),
    gradYear: some(() => draw.between(1900, 2100)),
    employer: some(word),
    jobTitle: some(word),
    bio: some(() => draw.pick(blocks)),
    language: some(() => word().slice(0, 35)),
    doNotContact: draw.chance(0.2),
    chapterId: some(() => draw.pick(chapters)),
    emails: some(() => [{ address: `p${at}+x@example.org` }, { address: `P'${at}@exämple.org` }]),
    phones: some(() => [
      { number: draw.pick(['+4930901820', '030 / 90 18 20', '+1 (202) 555-0100', '112', '+44 20 7946 0000 ext. 5']) },
      { number: `0123${at}` },
    ]),
    contact: some(() => ({
      street: draw.pick(blocks).slice(0, 300),
      city: word(),
      postalCode: '00018',
      region: word(),
      country: word(),
      website: some(() => 'https://example.org/a;b,c?x="1"'),
    })),
    private: some(() => ({ birthDate: day(1851, 2010), gender: word().slice(0, 40) })),
    officeNote: some(() => draw.pick(blocks)),
    tagIds: some(() => [...new Set([draw.pick(tags), draw.pick(tags)])]),
  }
}

test(
  'a thousand people with hostile texts go out and come back unchanged',
  { timeout: 300_000 },
  async ({ api, admin, organisation, person, chapter, worker: _ }) => {
    const org = await organisation()
    const me = await person({ org, idpRoles: ['org-admin'], chapterId: null })
    const client = api.as(me)
    const seed = 20261122
    const tags: string[] = []
    for (const name of [...hostile].slice(0, 45)) {
      const made = await client.post('/data/tags', { name: name.slice(0, 60) })
      if (made.status === 201) tags.push((made.body as { id: string }).id)
    }
    const chapters = [await chapter(org, 'One; two'), await chapter(org, '=Three, "four"'), org.rootChapterId]
    const count = 1_000
    const people = Array.from({ length: count }, (_person, at) => ({
      id: newId(),
      ...NewPerson.parse(JSON.parse(JSON.stringify(strange(at, random(seed, 1, at), tags, chapters)))),
    }))
    const insert = (shape: TableShape, rows: Values[]) =>
      api.services.database.asActor(
        { orgId: org.id, accountId: me.accountId, idpRoles: ['org-admin'] },
        (db) => insertRows(db, org.id, shape, rows),
        {
          statementTimeoutMs: 60_000,
        },
      )
    const text = (value: string | null | undefined) => value ?? ''
    await insert(
      peopleTables.people,
      people.map((one) => ({
        id: one.id,
        member_no: one.memberNo ?? null,
        given_name: text(one.givenName),
        middle_name: text(one.middleName),
        family_name: text(one.familyName),
        suffix: text(one.suffix),
        preferred_name: text(one.preferredName),
        former_names: one.formerNames ?? [],
        pronouns: text(one.pronouns),
        lifecycle: one.lifecycle ?? 'active',
        joined_on: one.joinedOn ?? null,
        grad_year: one.gradYear ?? null,
        employer: text(one.employer),
        job_title: text(one.jobTitle),
        bio: text(one.bio),
        language: one.language ?? null,
        do_not_contact: one.doNotContact ?? false,
        created_by: me.accountId,
      })),
    )
    const belongings = <T>(list: (one: (typeof people)[number]) => readonly T[] | undefined, row: (each: T, place: number) => Values) =>
      people.flatMap((one) => (list(one) ?? []).map((each, place) => ({ id: newId(), person_id: one.id, ...row(each, place) })))
    await insert(
      peopleTables.emails,
      belongings(
        (one) => one.emails,
        ({ address }, place) => ({ address, is_primary: place === 0 }),
      ),
    )
    await insert(
      peopleTables.phones,
      belongings(
        (one) => one.phones,
        ({ number }, place) => ({ number, is_primary: place === 0 }),
      ),
    )
    await insert(
      peopleTables.externalIds,
      people.flatMap((one, at) => [
        { id: newId(), person_id: one.id, system: 'civicrm', external_id: `${text(one.employer)} ${at}`.slice(-120).trim() },
        { id: newId(), person_id: one.id, system: 'a_b-1', external_id: `${at};"x":` },
      ]),
    )
    await insert(
      peopleTables.personTags,
      people.flatMap((one) => (one.tagIds ?? []).map((tag) => ({ person_id: one.id, tag_id: tag }))),
    )
    await insert(
      peopleTables.contacts,
      people.flatMap(({ id, contact }) =>
        contact
          ? [
              {
                person_id: id,
                street: text(contact.street),
                city: text(contact.city),
                region: text(contact.region),
                postal_code: text(contact.postalCode),
                country: text(contact.country),
                website: text(contact.website),
              },
            ]
          : [],
      ),
    )
    await insert(
      peopleTables.private,
      people.flatMap((one) =>
        one.private ? [{ person_id: one.id, birth_date: one.private.birthDate ?? null, gender: text(one.private.gender) }] : [],
      ),
    )
    await insert(
      peopleTables.officeNotes,
      people.flatMap(({ id, officeNote }) => (officeNote ? [{ person_id: id, note: officeNote }] : [])),
    )
    await insert(
      peopleTables.affiliations,
      people.flatMap(({ id, chapterId }) =>
        chapterId ? [{ id: newId(), person_id: id, chapter_id: chapterId, starts_on: '2020-01-01', is_primary: true }] : [],
      ),
    )
    // A third left their chapter, some of them twice; some died; a chapter was closed since; some records were archived.
    await admin.query(
      `update app.affiliations a set starts_on = '2001-02-03', ends_on = '2010-03-04' where a.org_id = $1 and a.person_id in (select p.id from app.people p where p.org_id = $1 and hashtext(p.id::text) % 3 = 0)`,
      [org.id],
    )
    await admin.query(
      `insert into app.affiliations (org_id, person_id, chapter_id, kind, starts_on, ends_on) select a.org_id, a.person_id, a.chapter_id, 'friend', '1990-01-01', '1995-01-01'
     from app.affiliations a where a.org_id = $1 and hashtext(a.person_id::text) % 4 = 0`,
      [org.id],
    )
    await admin.query(`update app.people set lifecycle = 'deceased' where org_id = $1 and hashtext(id::text) % 7 = 0`, [org.id])
    await admin.query(`update app.chapters set status = 'closed' where id = $1`, [chapters[0]])
    const before = await admin.query<{ rows: number }>('select count(*)::int as rows from app.people where org_id = $1', [org.id])
    for (const format of ['csv', 'xlsx'] as const)
      await expectUnchanged(client, await roundTrip(api, me, 'people', format), before.rows[0]?.rows ?? 0)
  },
)

test('an export without days revives nobody, and one with a record id finds people whom nothing else tells apart', async ({
  api,
  admin,
  organisation,
  person,
  worker: _,
}) => {
  const org = await organisation()
  const me = await person({ org, idpRoles: ['org-admin'], chapterId: null })
  const client = api.as(me)
  for (const city of ['Rome', 'Bonn'])
    expect(
      (await client.post('/data/people', { givenName: 'Ann', familyName: 'Lee', chapterId: org.rootChapterId, contact: { city } })).status,
    ).toBe(201)
  await admin.query(`update app.affiliations set starts_on = '2001-01-01', ends_on = '2002-02-02' where org_id = $1`, [org.id])
  const { rows } = await admin.query<{ id: string; code: string }>(
    'select p.id, q.code from app.people p join app.chapters q on q.id = $2 where p.org_id = $1 order by p.id',
    [org.id, org.rootChapterId],
  )
  const lines = rows.map(({ id, code }) => `Ann,Lee,${code},${id}`)
  const back = await uploadFile(client, 'people', 'back.csv', `Given name,Family name,Chapter code,Record id\n${lines.join('\n')}\n`)
  await expectUnchanged(client, await waitFor(client, back.import.id, 'check'), 2)
  await admin.query('update app.people set deleted_at = now() where id = $1', [rows[0]?.id])
  const again = await uploadFile(client, 'people', 'again.csv', `Given name,Family name,City,Record id\nAnn,Lee,Ulm,${rows[0]?.id}\n`)
  await expectUnchanged(client, await waitFor(client, again.import.id, 'check'), 1)
})
