import type { ImportOptions, ImportRow } from '@guildhall/contract/features/imports'
import { describe, expect } from 'vitest'
import type { Client } from '../../../testing.ts'
import { test, uploadFile, waitFor } from '../imports.testing.ts'

const none = { create: 0, update: 0, unchanged: 0, skip: 0, reject: 0 }
const list =
  'member_no,first_name,last_name,email,birthday,city,phone,employer,tag\n' +
  '1,Ann,Lee,ann@example.org,1990-04-03,Rome,,,Gold\n' +
  '2,Bob,Ray,bob@example.org,,,,,\n' +
  ',Ann,Lee,ann@example.org,,Bonn,+49 30 1234567,Acme,Silver\n' +
  ',ann,LEE,lee@example.org,1990-04-03,,,Zeta,\n' +
  '3,Bob,Ray,bob@example.org,,,,,\n' +
  '1,Ann,Lee,,,,,,Bronze\n'

async function check(client: Client, options: Partial<ImportOptions>) {
  const { import: one } = await uploadFile(client, 'people', 'list.csv', list)
  const set = await client.patch(`/actions/imports/${one.id}`, { options }, { 'if-match': String(one.version) })
  expect(set.status, set.text).toBe(200)
  return waitFor(client, one.id, 'check')
}
async function doublesOf(client: Client, importId: string, phase: string) {
  const { status, text, body } = await client.get(`/data/imports/${importId}/rows?phase=${phase}&doubles=true`)
  expect(status, text).toBe(200)
  return (body as { items: ImportRow[] }).items
}

describe('the same person twice in a file', () => {
  test('is found by number, e-mail and birth date, listed together, and rejected with the row that means the same', async ({
    api,
    organisation,
    person,
    worker: _,
  }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    const checked = await check(secretary, {})
    expect(checked.counts.check).toEqual({ ...none, create: 3, reject: 3 })
    expect(
      (await doublesOf(secretary, checked.id, 'check')).map(({ line, outcome, sameAs, findings: [one] }) => [
        line,
        outcome,
        sameAs,
        one?.message ?? null,
      ]),
    ).toEqual([
      [2, 'create', null, null],
      [4, 'reject', 2, 'Row 2 of this file has the same name and e-mail address.'],
      [5, 'reject', 2, 'Row 2 of this file has the same name and birth date.'],
      [7, 'reject', 2, 'Row 2 of this file means the same.'],
    ])
    // Two numbers are two people; the likeness is remarked on.
    const { items } = (await secretary.get(`/data/imports/${checked.id}/rows?phase=check&withFindings=true&outcome=create`)).body as {
      items: ImportRow[]
    }
    expect(items.map(({ line, findings: [one] }) => [line, one?.level, one?.code])).toEqual([[6, 'warning', 'similar_row']])
    expect((await waitFor(secretary, checked.id, 'run')).counts.run).toEqual({ ...none, create: 3, reject: 3 })
  })

  test('merged, fills what the first row leaves empty, collects addresses and tags, and says what differs', async ({
    api,
    admin,
    organisation,
    person,
    worker: _,
  }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    const checked = await check(secretary, { doubles: 'merge' })
    expect(checked.counts.check).toEqual({ ...none, create: 3, update: 3 })
    const done = await waitFor(secretary, checked.id, 'run')
    expect(done.counts.run).toEqual({ ...none, create: 3, update: 3 })
    const rows = await doublesOf(secretary, done.id, 'run')
    expect(rows.map(({ line, sameAs }) => [line, sameAs])).toEqual([
      [2, null],
      [4, 2],
      [5, 2],
      [7, 2],
    ])
    expect(rows[1]?.findings[0]?.message).toBe('Merged with row 2. The two rows differ in city; row 2 counts.')
    expect(rows[2]?.findings[0]?.message).toContain('differ in ')
    expect(rows[2]?.findings[0]?.message).toContain('employer')
    expect((await admin.query('select count(*)::int as n from app.people where org_id = $1', [org.id])).rows[0]).toEqual({ n: 3 })
    const { body } = await secretary.get(`/data/people/${rows[0]?.entityId ?? ''}`)
    const ann = body as { emails: { address: string }[]; tags: { name: string }[] }
    expect(body).toMatchObject({ memberNo: '1', displayName: 'Ann Lee', employer: 'Acme', contact: { city: 'Rome' }, phones: [{}] })
    expect(ann.emails.map(({ address }) => address).sort()).toEqual(['ann@example.org', 'lee@example.org'])
    expect(ann.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(['Bronze', 'Gold', 'Silver']))

    // The same file again changes nothing.
    const again = await check(secretary, { doubles: 'merge' })
    expect((await waitFor(secretary, again.id, 'run')).counts.run).toMatchObject({ create: 0 })
    expect((await admin.query('select count(*)::int as n from app.people where org_id = $1', [org.id])).rows[0]).toEqual({ n: 3 })
  })
})
