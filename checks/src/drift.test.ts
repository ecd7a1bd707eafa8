import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { editedMigrations } from './drift.ts'
import { migrationChecksums } from './generated.ts'

const merged = { '1_people.sql': 'a', '2_groups.sql': 'b' }

test('a new migration after the merged ones is fine', () => {
  expect(editedMigrations({ ...merged, '3_events.sql': 'c' }, merged)).toEqual([])
})

test.each([
  ['an edited migration', { ...merged, '1_people.sql': 'x' }, /1_people.sql: a merged migration was edited/],
  ['a removed migration', { '1_people.sql': 'a' }, /2_groups.sql: a merged migration was removed/],
  ['a migration squeezed in between', { ...merged, '1b_tags.sql': 'c' }, /1b_tags.sql: sorts before 2_groups.sql/],
])('%s is found', (_, now, finding) => {
  expect(editedMigrations(now, merged)).toEqual([expect.stringMatching(finding)])
})

test('one changed byte changes the checksum of a migration', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(path.join(folder, '1_a.sql'), 'select 1')
  const before = await migrationChecksums(folder)
  writeFileSync(path.join(folder, '1_a.sql'), 'select 2')
  expect(await migrationChecksums(folder)).not.toEqual(before)
})
