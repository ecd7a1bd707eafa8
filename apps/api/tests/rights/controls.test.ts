import type { dataContract } from '@guildhall/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../operations.ts'
import { setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { runMatrix } from './matrix.ts'
import { lineOf, policy } from './policy.ts'
import type { PolicyOf } from './line.ts'
import { rights } from './rights.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage('rights_controls')
})
afterAll(() => stage.end())

const some = (...paths: string[]) => operations.filter(({ path }) => paths.includes(path))

/** Runs the matrix on some procedures with a breach in the database, which is taken back afterwards. */
async function withBreach(breach: string, repair: string, ...paths: string[]) {
  expect((await runMatrix(stage, policy, some(...paths))).findings).toEqual([])
  await stage.world.admin.query(breach)
  try {
    return (await runMatrix(stage, policy, some(...paths))).findings
  } finally {
    await stage.world.admin.query(repair)
  }
}

test('a table without row-level security is found', async () => {
  const findings = await withBreach(
    'alter table app.saved_views disable row level security',
    'alter table app.saved_views enable row level security',
    'data.lists.views.remove',
  )
  // Several ask at once for the same view: whoever comes first removes it.
  expect(findings).toContainEqual(
    expect.stringMatching(/^\w+ × west × data\.lists\.views\.remove .* should be refused but was answered 204/),
  )
  expect(findings).toContainEqual(expect.stringMatching(/^\w+ × foreign × data\.lists\.views\.remove .* changed DELETE app\.saved_views/))
})

test('a policy that lets too much is found', async () => {
  const findings = await withBreach(
    `create policy planted on app.positions for update to app_access using (org_id = (select app.org_id())) with check (true)`,
    'drop policy planted on app.positions',
    'data.chapters.positions.update',
  )
  expect(findings).toContainEqual(
    expect.stringMatching(/^officer × east × data\.chapters\.positions\.update .* changed UPDATE app\.positions/),
  )
  expect(findings.every((finding) => !finding.includes('foreign'))).toBe(true)
})

test('a policy that forgets the organisation is found', async () => {
  const findings = await withBreach(
    `create policy planted on app.chapters for select to app_access using (true)`,
    'drop policy planted on app.chapters',
    'data.chapters.list',
  )
  expect(findings).toContainEqual(expect.stringMatching(/^member × org × data\.chapters\.list .* was shown chapter of foreign/))
})

test('officers’ tags that members see are found, on people, groups and chapters and in the log', async () => {
  const findings = await withBreach(
    `create policy planted on app.tags for select to app_access using (org_id = (select app.org_id()));
     create policy planted on app.person_tags for select to app_access using (org_id = (select app.org_id()));
     drop policy record_tags_kept on app.record_tags;
     alter policy audit_entries_tags on app.audit_entries using (org_id is not null)`,
    `drop policy planted on app.tags; drop policy planted on app.person_tags;
     select app_private.rewrite_follower(f) from app_private.record_followers f where f.tab = 'record_tags';
     alter policy audit_entries_tags on app.audit_entries using (${await usingOf('audit_entries_tags')})`,
    'data.people.get',
    'data.tags.list',
    'data.people.history',
    'data.groups.get',
    'data.chapters.list',
  )
  for (const path of ['data.people.get', 'data.tags.list', 'data.people.history', 'data.groups.get', 'data.chapters.list'])
    expect(findings).toContainEqual(
      expect.stringMatching(new RegExp(`^member × .* × ${path.replaceAll('.', '\\.')} .* was shown tag of (west|member)`)),
    )
})

test('notes that others read than those they are for are found, at the note and before it was changed', async () => {
  const paths = ['data.notes.list', 'data.notes.get', 'data.notes.versions']
  const findings = await withBreach(
    `alter policy notes_read_whom on app.notes using (org_id is not null); alter policy note_versions_read on app.note_versions using (org_id = (select app.org_id()))`,
    `alter policy notes_read_whom on app.notes using (${await usingOf('notes_read_whom')});
     alter policy note_versions_read on app.note_versions using (${await usingOf('note_versions_read')})`,
    ...paths,
  )
  for (const kind of ['ownNote', 'officersNote', 'orgNote'])
    expect(findings).toContainEqual(
      expect.stringMatching(new RegExp(`^member × (own|west) × data\\.notes\\.list .* was shown ${kind} of (member|west)`)),
    )
  expect(findings).toContainEqual(expect.stringMatching(/^officer × west × data\.notes\.versions .* was shown ownNote of west/))
})

/** The condition of a policy as it is, to put it back. */
async function usingOf(policy: string): Promise<string> {
  const { rows } = await stage.world.admin.query<{ qual: string }>('select qual from pg_policies where policyname = $1', [policy])
  return rows[0]?.qual ?? ''
}

test('a field that leaks is found', async () => {
  const findings = await withBreach(
    `create policy planted on app.person_private for select to app_access using (org_id = (select app.org_id()))`,
    'drop policy planted on app.person_private',
    'data.people.get',
  )
  expect(findings).toContainEqual(expect.stringMatching(/^member × west × data\.people\.get .* was shown private of west/))
})

test('a field that is hidden from those who may see it is found', async () => {
  const findings = await withBreach(
    `create policy planted on app.person_private as restrictive for select to app_access using (false)`,
    'drop policy planted on app.person_private',
    'data.people.get',
  )
  expect(findings).toContainEqual(expect.stringMatching(/^owner × west × data\.people\.get .* was not shown private of west/))
})

test('a read that changes a row is found', async () => {
  const findings = await withBreach(
    `create function app.planted() returns boolean language sql volatile security definer as 'update app.tags set color = ''red'' returning true';
     create policy planted on app.roles for select to app_access using ((select app.planted()))`,
    'drop policy planted on app.roles; drop function app.planted()',
    'data.account.roles.list',
  )
  expect(findings).toContainEqual(expect.stringMatching(/data\.account\.roles\.list .* changed UPDATE app\.tags/))
})

test('an id that answers differently for what is hidden and what is not there is found', async () => {
  const findings = await withBreach(
    `create policy planted on app.chapters for select to app_access using (true)`,
    'drop policy planted on app.chapters',
    'data.chapters.get',
  )
  expect(findings).toContainEqual(
    expect.stringMatching(/^owner × foreign × data\.chapters\.get .* and the same for what is not there differ/),
  )
})

test('a record that one answer hides and another one tells of is found', async () => {
  const findings = await withBreach(
    `create policy planted on app.exports for select to app_access using (org_id = (select app.org_id()))`,
    'drop policy planted on app.exports',
    'data.lists.exports.get',
    'actions.lists.exports.download',
  )
  expect(findings).toContainEqual(
    expect.stringMatching(
      /^member × east × actions\.lists\.exports\.download .* tells that there is what the caller may not see: .* and 404/,
    ),
  )
})

test('a line of the policy that grants too much or too little is found', async () => {
  const [operation] = some('data.account.audit.verify')
  const line = lineOf('data.account.audit.verify')
  const tooMuch = await runMatrix(
    stage,
    { data: { account: { audit: { verify: { ...line, right: rights.account } } } } },
    operation ? [operation] : [],
  )
  expect(tooMuch.findings).toContainEqual(expect.stringMatching(/^member × org .* should be allowed but was answered 403/))
  const tooLittle = await runMatrix(
    stage,
    { data: { account: { audit: { verify: { ...line, right: rights.appoint } } } } },
    operation ? [operation] : [],
  )
  expect(tooLittle.findings).toContainEqual(expect.stringMatching(/^officer × org .* should be allowed/))
})

test('a procedure without a line is found, and does not compile', async () => {
  const { findings } = await runMatrix(stage, { data: {} }, some('data.people.get'))
  expect(findings).toEqual(['data.people.get: has no line in the policy'])
  const { home: _home, ...others } = policy.data
  // @ts-expect-error -- the line of data.home.home is missing
  const incomplete: PolicyOf<typeof dataContract> = others
  expect(lineOf('data.home.home', { data: incomplete })).toBeUndefined()
})

test('what a test changes is noted and taken back, to the last row', async () => {
  const before = await stage.journal.checksum()
  await stage.world.admin.query(`insert into app.chapters (org_id, name, code) values ($1, 'Planted', 'P')`, [stage.places.west['orgId']])
  await stage.world.admin.query(`update app.people set given_name = 'Planted'`)
  await stage.world.admin.query(`delete from app.groups where id = $1`, [stage.places.east['groupId']])
  expect(await stage.journal.checksum()).not.toBe(before)
  expect((await stage.journal.changes()).map(({ table }) => table)).toEqual(
    expect.arrayContaining(['app.chapters', 'app.people', 'app.groups', 'app.audit_entries']),
  )
  await stage.journal.undo()
  expect(await stage.journal.checksum()).toBe(before)
})
