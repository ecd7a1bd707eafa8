import type { ImportKind, ImportRow } from '@guildhall/contract/features/imports'
import { describe, expect } from 'vitest'
import type { Client } from '../../../testing.ts'
import { test, uploadFile, waitFor } from '../imports.testing.ts'

async function check(client: Client, kind: ImportKind, content: string) {
  const uploaded = await uploadFile(client, kind, 'list.csv', content)
  expect(uploaded.status, uploaded.text).toBe(201)
  const { id } = await waitFor(client, uploaded.import.id, 'check')
  const { items } = (await client.get(`/data/imports/${id}/rows?phase=check`)).body as { items: ImportRow[] }
  return { id, said: items.map(({ name, outcome, findings: [one] }) => [name, outcome, one?.code ?? null]), items }
}
const bringIn = async (client: Client, kind: ImportKind, content: string) => waitFor(client, (await check(client, kind, content)).id, 'run')

const register =
  'member_no,first_name,last_name,email,birthday,twitter,chapter_code\n' +
  'A-1,Ann,Lee,ann@example.org,1990-04-03,https://x.example/@AnnLee/,C\n' +
  'A-2,Bob,Ray,family@example.org,1991-01-01,,C\n' +
  'A-3,Cat,Ray,family@example.org,1992-01-01,,C\n'

describe('who a row means', () => {
  test('offices and memberships know people by number in any case, e-mail, profile, or name and birth date', async ({
    api,
    organisation,
    person,
    worker: _,
  }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    await bringIn(secretary, 'chapters', 'code,name\nC,City\n')
    await bringIn(secretary, 'people', register)
    await bringIn(secretary, 'groups', 'code,name\nG,Board\n')

    const offices = await check(
      secretary,
      'positions',
      'member_no,email,twitter,first_name,last_name,birthday,title,chapter_code,starts_on\n' +
        ' a-1 ,,,,,,Chair,C,2026-01-01\n' +
        ',ANN@example.org,,,,,Treasurer,C,2026-01-01\n' +
        ',,@annlee,,,,Secretary,C,2026-01-01\n' +
        ',,,Ann,LEE,1990-04-03,Auditor,C,2026-01-01\n' +
        ',family@example.org,,,,,Clerk,C,2026-01-01\n' +
        ',family@example.org,,Cat,Ray,,Clerk,C,2026-01-01\n' +
        'A-1,family@example.org,,,,,Clerk,C,2026-01-01\n' +
        ',,,Ann,Lee,,Clerk,C,2026-01-01\n' +
        ',ann@example.org,,,,,Chair,C,2026-01-01\n',
    )
    expect(offices.said).toEqual([
      ['Ann Lee · Chair · City', 'create', null],
      ['Ann Lee · Treasurer · City', 'create', null],
      ['Ann Lee · Secretary · City', 'create', null],
      ['Ann Lee · Auditor · City', 'create', null],
      ['family@example.org · Clerk · City', 'reject', 'ambiguous'],
      ['Cat Ray · Clerk · City', 'create', null],
      ['A-1 · Clerk · City', 'reject', 'contradiction'],
      ['Ann Lee · Clerk · City', 'reject', 'missing'],
      // The same term as the first row, by another key.
      ['Ann Lee · Chair · City', 'reject', 'duplicate_row'],
    ])
    expect(offices.items[4]?.findings[0]?.message).toMatch(/^2 people fit this row: (Bob Ray, Cat Ray|Cat Ray, Bob Ray)\.$/)
    expect(offices.items[6]?.findings[0]?.message).toMatch(
      /^The member number is that of Ann Lee, the e-mail address that of (Bob|Cat) Ray, /,
    )

    const seats = await check(secretary, 'group_members', 'group_code,email,twitter\nG,ann@example.org,\nG,nobody@example.org,\n')
    expect(seats.said).toEqual([
      ['Ann Lee · Board', 'create', null],
      ['nobody@example.org · Board', 'reject', 'unknown_member_no'],
    ])
  })

  test('people are known by number in any case and by profile, and keys that point at two of them are a contradiction', async ({
    api,
    organisation,
    person,
    worker: _,
  }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    await bringIn(secretary, 'chapters', 'code,name\nC,City\n')
    await bringIn(secretary, 'people', register)
    const { said, items } = await check(
      secretary,
      'people',
      'member_no,first_name,last_name,email,twitter\n' +
        'a-1,Ann,Lee,,\n' +
        ',Ann,Lee,,@annlee\n' +
        'A-1,Bob,Ray,family@example.org,\n' +
        'A-2,Bob,Ray,family@example.org,\n',
    )
    expect(said).toEqual([
      ['Ann Lee', 'unchanged', null],
      ['Ann Lee', 'reject', 'duplicate_row'],
      ['Bob Ray', 'reject', 'contradiction'],
      ['Bob Ray', 'unchanged', null],
    ])
    expect(items[2]?.findings[0]?.message).toBe('The member number is that of Ann Lee, the e-mail address that of Bob Ray.')
  })

  test('external ids and member numbers in any case say who is meant in every kind of file', async ({
    api,
    organisation,
    person,
    worker: _,
  }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    await bringIn(secretary, 'chapters', 'code,name\nC,City\n')
    await bringIn(secretary, 'groups', 'code,name\nG,Board\nH,Choir\n')
    const made = await bringIn(
      secretary,
      'people',
      'member_no,External id,CiviCRM id,first_name,last_name,birthday,chapter_code\n' +
        'aB1,X-1,57,Ann,Lee,1990-04-03,C\n' +
        'aB2,X-2,58,Bob,Ray,1991-01-01,C\n' +
        'cd3,,,Cat,Ray,1992-01-01,C\n',
    )
    expect(made.counts.run).toMatchObject({ create: 3, reject: 0 })
    expect((await secretary.post('/data/people', { givenName: 'Dan', familyName: 'Ray', memberNo: 'Cd3' })).status).toBe(201)

    const people = await check(
      secretary,
      'people',
      'member_no,External id,CiviCRM id,first_name,last_name,birthday,employer\n' +
        'AB1,,,Ann,Lee,,Acme\n' +
        ',,58,Robert,Ray,,Acme\n' +
        ',X-1,58,Ann,Lee,,Acme\n' +
        'ab2,,57,Bob,Ray,,Acme\n' +
        // Nobody has this id, so Bob, who has another one, is not meant.
        ',,99,Bob,Ray,1991-01-01,Acme\n' +
        'CD3,,,Cat,Ray,,Acme\n' +
        'cd3,,,Cat,Ray,,Acme\n',
    )
    expect(people.said).toEqual([
      ['Ann Lee', 'update', null],
      ['Bob Ray', 'update', null],
      ['Ann Lee', 'reject', 'ambiguous'],
      ['Bob Ray', 'reject', 'contradiction'],
      ['Bob Ray', 'create', null],
      ['Cat Ray', 'reject', 'ambiguous'],
      ['Cat Ray', 'update', null],
    ])

    const offices = await check(
      secretary,
      'positions',
      'member_no,external_id,civicrm_id,email,title,chapter_code,starts_on\n' +
        'AB1,,,,Chair,C,2026-01-01\n' +
        ',X-2,,,Treasurer,C,2026-01-01\n' +
        ',,57,,Clerk,C,2026-01-01\n' +
        ',,x-57,,Clerk,C,2026-01-01\n' +
        'AB1,X-2,,,Clerk,C,2026-01-01\n',
    )
    expect(offices.said).toEqual([
      ['Ann Lee · Chair · City', 'create', null],
      ['Bob Ray · Treasurer · City', 'create', null],
      ['Ann Lee · Clerk · City', 'create', null],
      ['x-57 · Clerk · City', 'reject', 'unknown_member_no'],
      ['AB1 · Clerk · City', 'reject', 'contradiction'],
    ])
    expect(offices.items[3]?.findings[0]).toMatchObject({ column: 'civicrm_id', value: 'x-57' })
    const seats = await check(secretary, 'group_members', 'group_code,civicrm_id\nG,57\nG,58\nG,1\n')
    expect(seats.said).toEqual([
      ['Ann Lee · Board', 'create', null],
      ['Bob Ray · Board', 'create', null],
      ['1 · Board', 'reject', 'unknown_member_no'],
    ])
    const numbered = await check(secretary, 'group_members', 'group_code,member_no\nH,AB2\n')
    expect(numbered.said).toEqual([['Bob Ray · Choir', 'create', null]])
  })

  test('an import adds, corrects and undoes external ids, and says so', async ({ api, admin, organisation, person, worker: _ }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    await bringIn(secretary, 'people', 'member_no,first_name,last_name,civicrm_id\n1,Ann,Lee,57\n2,Bob,Ray,\n')
    const stored = async () =>
      (await admin.query(`select p.given_name || ' ' || x.system || ':' || x.external_id as id from app.person_external_ids x
        join app.people p on p.org_id = x.org_id and p.id = x.person_id where x.org_id = $1 order by 1`, [org.id])).rows.map(({ id }) => id) // prettier-ignore
    const { id, items } = await check(
      secretary,
      'people',
      'member_no,first_name,last_name,civicrm_id,External ids\n1,Ann,Lee,59,stripe:c_8; sap:"7\n2,Bob,Ray,57,nonsense\n',
    )
    expect(items[0]?.changes.map(({ field, how, before, after }) => [field, how, before, after])).toEqual([
      ['externalId', 'change', '57', '59'],
      ['externalId:stripe', 'add', null, 'c_8'],
      ['externalId:sap', 'add', null, '"7'],
    ])
    expect(items[1]?.findings[0]).toMatchObject({ level: 'error', code: 'external_id', column: 'External ids', value: 'nonsense' })
    const run = await waitFor(secretary, id, 'run')
    expect(run.counts.run).toMatchObject({ update: 1, reject: 1 })
    expect(await stored()).toEqual(['Ann civicrm:59', 'Ann sap:"7', 'Ann stripe:c_8'])
    const adding = await secretary.get(`/data/imports/${id}/rows?phase=run&kind=externalId:add`)
    expect((adding.body as { items: ImportRow[] }).items.map(({ name }) => name)).toEqual(['Ann Lee'])
    await waitFor(secretary, id, 'undo')
    expect(await stored()).toEqual(['Ann civicrm:57'])
    // Somebody else's id is refused.
    const taken = await bringIn(secretary, 'people', 'member_no,first_name,last_name,civicrm_id\n3,Cat,New,88\n4,Dan,New,88\n')
    expect(taken.counts.run).toMatchObject({ create: 1, reject: 1 })
  })
})
