import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { test, uploadFile, waitFor } from './imports.testing.ts'

const fixtures = new URL('../../../../../e2e/fixtures/us-congress/', import.meta.url)
const files = [
  ['chapters', 'chapters.csv', { create: 499 }],
  ['people', 'people.csv', { create: 537 }],
  ['positions', 'positions.csv', { create: 2764, reject: 28 }],
  ['groups', 'groups.csv', { create: 230 }],
  ['group_members', 'group_members.csv', { create: 3879 }],
] as const
const none = { create: 0, update: 0, unchanged: 0, skip: 0, reject: 0 }

test(
  'a real organisation goes in unedited; a second run changes nothing and says so',
  { timeout: 180_000 },
  async ({ api, admin, organisation, person, worker: _ }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))

    for (const [kind, file, counts] of files) {
      const uploaded = await uploadFile(secretary, kind, file, await readFile(new URL(file, fixtures)))
      expect(uploaded.status, uploaded.text).toBe(201)
      expect(uploaded.import.findings).toEqual([])
      const checked = await waitFor(secretary, uploaded.import.id, 'check')
      expect([file, checked.status, checked.counts.check]).toEqual([file, 'checked', { ...none, ...counts }])
      const done = await waitFor(secretary, uploaded.import.id, 'run')
      expect([file, done.status, done.counts.run, done.error]).toEqual([file, 'done', { ...none, ...counts }, null])
    }
    const before = await admin.query(
      'select (select count(*)::int from app.audit_entries where org_id = $1) as audit, (select sum(version)::int from app.people where org_id = $1) as versions',
      [org.id],
    )
    for (const [kind, file, counts] of files) {
      const again = await uploadFile(secretary, kind, file, await readFile(new URL(file, fixtures)))
      expect(again.import.sameFile).toHaveLength(1)
      const reject = 'reject' in counts ? counts.reject : 0
      const same = { ...none, unchanged: counts.create, reject }
      expect((await waitFor(secretary, again.import.id, 'check')).counts.check).toEqual(same)
      expect((await waitFor(secretary, again.import.id, 'run')).counts.run).toEqual(same)
    }
    const after = await admin.query(
      'select (select count(*)::int from app.audit_entries where org_id = $1) as audit, (select sum(version)::int from app.people where org_id = $1) as versions',
      [org.id],
    )
    // Five entries say that an import ran; nothing else was written.
    expect(after.rows[0].audit - before.rows[0].audit).toBe(5)
    expect(after.rows[0].versions).toBe(before.rows[0].versions)

    const senators = await secretary.get('/data/people?q=sanders')
    expect((senators.body as { items: { displayName: string }[] }).items.map(({ displayName }) => displayName)).toEqual(['Bernie Sanders'])
  },
)
