import type { ImportKind, ImportRow } from '@guildhall/contract/features/imports'
import { describe, expect } from 'vitest'
import type { Client } from '../../testing.ts'
import { test, uploadFile, waitFor } from './imports.testing.ts'

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
})
