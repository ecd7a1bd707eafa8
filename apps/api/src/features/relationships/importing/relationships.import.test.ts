import type { Import, ImportRow } from '@guildhall/contract/features/imports'
import { importTemplates } from '@guildhall/contract/features/imports'
import { expect } from 'vitest'
import type { Client, TestOrganisation, TestPerson } from '../../../testing.ts'
import { bringIn, test as base, uploadFile, waitFor } from '../../imports/imports.testing.ts'

type Office = { org: TestOrganisation; me: TestPerson; boss: Client; pairs(): Promise<string[]>; people(how: number): Promise<string[]> }

const test = base.extend<{ office: Office }>({
  office: async ({ api, organisation, person, admin, worker: _ }, use) => {
    const org = await organisation()
    const me = await person({ org, idpRoles: ['org-admin'] })
    await admin.query(`update app.people set member_no = 'ME' where id = $1`, [me.personId])
    await use({
      org,
      me,
      boss: api.as(me),
      async pairs() {
        const { rows } = await admin.query<{ pair: string }>(
          `select concat_ws(' ', t.key, f.member_no, s.member_no, r.state, r.starts_on, r.ends_on, nullif(r.note, '')) as pair from app.relationships r
           join app.relationship_types t on t.id = r.type_id join app.people f on f.id = r.from_person_id join app.people s on s.id = r.to_person_id
           where r.org_id = $1 order by 1`,
          [org.id],
        )
        return rows.map(({ pair }) => pair)
      },
      /** So many people, numbered P1 and up, with addresses and ids of another system. */
      async people(how) {
        const { rows } = await admin.query<{ id: string }>(
          `with p as (insert into app.people (org_id, family_name, member_no) select $1, 'Line ' || n, 'P' || n from generate_series(1, $2::int) n returning id, org_id, member_no),
             a as (insert into app.affiliations (org_id, person_id, chapter_id, starts_on) select org_id, id, $3, '2020-01-01' from p),
             e as (insert into app.person_emails (org_id, person_id, address, is_primary) select org_id, id, lower(member_no) || '@example.org', true from p),
             x as (insert into app.person_external_ids (org_id, person_id, system, external_id) select org_id, id, 'civicrm', substr(member_no, 2) from p)
           select id from p order by substr(member_no, 2)::int`,
          [org.id, how, org.rootChapterId],
        )
        return rows.map(({ id }) => id)
      },
    })
  },
})

/** What became of each row, with the codes of what was said of it. */
async function codes(client: Client, { id }: Import, phase: 'check' | 'run') {
  const { items } = (await client.get(`/data/imports/${id}/rows?phase=${phase}&limit=200`)).body as { items: ImportRow[] }
  return items.map(({ line, outcome, findings }) => [line, outcome, ...findings.map(({ code }) => code)])
}

test('a list of pairs comes in by member number, e-mail or external id, again without a change, and can be undone', async ({
  office: { boss, pairs, people },
}) => {
  await people(8)
  const byNumber = await bringIn(
    boss,
    'relationships',
    'type,big,little,since,until,note\nlineage,P1,P2,2015-10-01,,Autumn\nBig and little,P2,P3,,2020-06-30,\nMentor,P1,P3,2021-01-01,,\n',
  )
  expect([byNumber.counts.check, byNumber.counts.run]).toEqual(Array(2).fill({ create: 3, update: 0, unchanged: 0, skip: 0, reject: 0 }))
  const byAddress = await bringIn(boss, 'relationships', 'relation,parent email,child email\nlineage,p3@example.org,P4@example.org\n')
  expect(byAddress.counts.run).toMatchObject({ create: 1 })
  const foreign = await bringIn(boss, 'relationships', 'kind,from external id,to external id\nlineage,civicrm:4,civicrm:5\n')
  expect(foreign.counts.run).toMatchObject({ create: 1 })
  expect(await pairs()).toEqual([
    'lineage P1 P2 active 2015-10-01 Autumn',
    'lineage P2 P3 ended 2020-06-30',
    'lineage P3 P4 active',
    'lineage P4 P5 active',
    'mentor P1 P3 active 2021-01-01',
  ])
  const again = await bringIn(
    boss,
    'relationships',
    'type,big,little,since\nlineage,P1,P2,2015-10-01\nlineage,P3,P4,2015-10-01\nlineage,P1,P6,\n',
  )
  expect(again.counts.run).toEqual({ create: 1, update: 0, unchanged: 2, skip: 0, reject: 0 })
  expect(await codes(boss, again, 'run')).toEqual([
    [2, 'unchanged'],
    [3, 'unchanged', 'relationship_kept'],
    [4, 'create'],
  ])
  // What was changed since stays.
  const { items } = (await boss.get('/data/relationships?state=ended')).body as { items: { id: string; version: number }[] }
  await boss.patch(`/data/relationships/${items[0]?.id}`, { note: 'Changed' }, { 'if-match': `"${items[0]?.version}"` })
  const undone = await waitFor(boss, byNumber.id, 'undo')
  expect([undone.status, undone.counts.undo]).toEqual(['partly_undone', { removed: 2, restored: 0, kept: 1 }])
  expect((await pairs()).length).toBe(4)
})

test('a row with a fault is rejected with a word about it, in the check as in the run', async ({
  office: { org, boss, people },
  api,
  person,
  admin,
}) => {
  const ids = await people(14)
  await admin.query(`update app.people set lifecycle = 'deceased' where id = $1`, [ids[7]])
  await admin.query(
    `insert into app.person_private (org_id, person_id, birth_date) values ($1, $2, '2016-01-01'), ($1, $3, '2012-01-01')`,
    [org.id, ids[8], ids[9]],
  )
  const file =
    'type,from,to,start,end,status\n' +
    'lineage,P1,P2,,,\n' +
    'lineage,P2,P3,,,\n' +
    'lineage,P3,P1,,,\n' +
    'lineage,P4,P3,,,\n' +
    'lineage,P1,P2,,,\n' +
    'nonsense,P1,P5,,,\n' +
    'lineage,P1,P99,,,\n' +
    'lineage,P5,P5,,,\n' +
    'lineage,,P5,,,\n' +
    'lineage,P8,P5,,,\n' +
    'guardian,P1,P9,,,\n' +
    'guardian,P1,P5,,,\n' +
    'guardian,P10,P9,,,\n' +
    'guardian,P9,P10,,,\n' +
    'mentor,P1,P5,2020-01-01,2019-01-01,\n' +
    'mentor,P1,P5,,,ended\n' +
    'mentor,P1,P5,,,proposed\n' +
    'mentor,ME,P5,,,\n' +
    `${Object.values(importTemplates.relationships).join(',')}\n`
  const one = await bringIn(boss, 'relationships', file)
  expect(one.counts.check).toEqual(one.counts.run)
  const expected = [
    [2, 'create'],
    [3, 'create'],
    [4, 'reject', 'relationship_cycle'],
    [5, 'reject', 'relationship_max_parents'],
    [6, 'reject', 'duplicate_row'],
    [7, 'reject', 'unknown_relationship_type'],
    [8, 'reject', 'unknown_member_no'],
    [9, 'reject', 'related_to_oneself'],
    [10, 'reject', 'missing'],
    [11, 'reject', 'person_deceased'],
    [12, 'create'],
    [13, 'reject', 'relationship_minors_only'],
    [14, 'reject', 'relationship_under_age'],
    [15, 'reject', 'relationship_under_age'],
    [16, 'reject', 'dates_reversed'],
    [17, 'reject', 'missing'],
    [18, 'reject', 'relationship_state'],
    [19, 'reject', 'not_allowed'],
    [20, 'reject', 'unknown_member_no', 'unknown_member_no'],
  ]
  expect(await codes(boss, one, 'check')).toEqual(expected)
  expect(await codes(boss, one, 'run')).toEqual(expected)
  const { items } = (await boss.get(`/data/imports/${one.id}/rows?phase=check&outcome=reject`)).body as { items: ImportRow[] }
  expect(items[0]?.findings[0]?.params).toEqual({ path: 'Line 1 → Line 2 → Line 3 → Line 1' })

  // An officer of a chapter brings in pairs of its people.
  const elsewhere = await person({ org })
  await admin.query(`update app.people set member_no = 'E1' where id = $1`, [elsewhere.personId])
  await admin.query('delete from app.affiliations where person_id = $1', [elsewhere.personId])
  await admin.query(
    `with c as (insert into app.chapters (org_id, parent_id, name, code) values ($1, $2, 'North', 'N1') returning id)
    insert into app.affiliations (org_id, person_id, chapter_id, starts_on) select $1, $3, c.id, '2020-01-01' from c`,
    [org.id, org.rootChapterId, elsewhere.personId],
  )
  const { rows } = await admin.query<{ id: string }>(`select id from app.chapters where org_id = $1 and code = 'N1'`, [org.id])
  const officer = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: rows[0]?.id ?? '' }] }))
  const theirs = await bringIn(officer, 'relationships', 'type,from,to\nmentor,P11,E1\nmentor,P11,P12\n')
  expect(await codes(officer, theirs, 'run')).toEqual([
    [2, 'create'],
    [3, 'reject', 'not_allowed'],
  ])
})

test(
  'a check finds circles across the whole of a long file, and counts what a run does',
  { timeout: 120_000 },
  async ({ office: { boss, people, pairs } }) => {
    await people(1_200)
    // Lines of forty, in an order that has nothing to do with them, and the end of each at its top.
    const order = Array.from({ length: 1_199 }, (_, n) => (n * 700) % 1_199).filter((n) => n % 40 !== 39)
    const lines = order.map((n) => `lineage,P${n + 1},P${n + 2}`)
    const ends = Array.from({ length: 30 }, (_, n) => `lineage,P${n * 40 + 40},P${n * 40 + 1}`)
    const uploaded = await uploadFile(boss, 'relationships', 'line.csv', `type,from,to\n${[...lines, ...ends].join('\n')}\n`)
    const checked = await waitFor(boss, uploaded.import.id, 'check')
    expect(checked.counts.check).toEqual({ create: 1_170, update: 0, unchanged: 0, skip: 0, reject: 30 })
    const done = await waitFor(boss, uploaded.import.id, 'run')
    expect(done.counts.run).toEqual(checked.counts.check)
    expect((await pairs()).length).toBe(1_170)
  },
)
