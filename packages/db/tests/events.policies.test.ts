import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  const add = `insert into app.events (org_id, chapter_id, title, starts_at, ends_at, timezone, visibility, status, published_at)
    values ($1, $2, $3, '2090-06-10T18:00Z', '2090-06-10T20:00Z', 'UTC', $4, $5, now()) returning id`
  for (const { orgId, chapter } of [stage.west, stage.east, stage.foreign])
    for (const [visibility, status] of [
      ['members', 'published'],
      ['members', 'draft'],
      ['chapter', 'published'],
      ['public', 'published'],
      ['invite', 'published'],
    ]) {
      const { rows } = await stage.admin.query<{ id: string }>(add, [orgId, chapter, 'There', visibility, status])
      if (visibility === 'public')
        await stage.admin.query(`insert into app.event_links (org_id, event_id, url) values ($1, $2, 'https://example.org')`, [
          orgId,
          rows[0]?.id,
        ])
    }
  for (const { orgId, chapter } of [stage.west, stage.east, stage.foreign])
    await stage.admin.query(
      `insert into app.calendar_feeds (org_id, id, kind, public, chapter_id, secret_hash, reset_at) values ($1, app.uuid7(), 'chapter', true, $2, encode(sha256($2::uuid::text::bytea), 'hex'), now())`,
      [orgId, chapter],
    )
})
afterAll(() => stage.end())

const events = (which: string) => ({
  table: 'events',
  row: ({ chapter }: { chapter: string }) => `chapter_id = '${chapter}' and ${which}`,
  insert: ({ orgId, chapter }: { orgId: string; chapter: string }) =>
    `(org_id, chapter_id, title, starts_at, ends_at, timezone, created_by) values ('${orgId}', '${chapter}', 'New', '2090-06-10T18:00Z', '2090-06-10T20:00Z', 'UTC', (select app.account_id()))`,
  update: `summary = 'x'`,
  remove: true as const,
})
const places = ['west', 'east', 'foreign'] as const

test('events for members are read by members and run by officers of their chapter; nobody deletes one', async () => {
  expect(await tryAll(stage, events(`visibility = 'members' and status = 'published'`), [...places])).toBe(
    expected(`
             west  east  foreign
    owner      SIU   SIU   -
    admin      SIU   SIU   -
    officer    SIU   S     -
    former     S     S     -
    safeguarding -     -     -
    finance    S     S     -
    communications S     S     -
    events     SIU   SIU   -
    leader     S     S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SIU`),
  )
})

const seen = (which: string) =>
  tryAll(stage, { ...events(which), insert: () => '(org_id) values (null)', update: 'version = 1' }, [...places])
test('drafts and events by invitation are seen by those who run events there', async () => {
  const few = expected(`
             west  east  foreign
    owner      S     S     -
    admin      S     S     -
    officer    S     -     -
    former     -     -     -
    safeguarding -     -     -
    finance    -     -     -
    communications -     -     -
    events     S     S     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     S`)
  expect(await seen(`status = 'draft'`)).toBe(few)
  expect(await seen(`visibility = 'invite'`)).toBe(few)
})
test('events of a chapter are seen by its people, public ones by everybody with an account', async () => {
  expect(await seen(`visibility = 'chapter'`)).toBe(
    expected(`
             west  east  foreign
    owner      S     S     -
    admin      S     S     -
    officer    S     -     -
    former     S     -     -
    safeguarding -     -     -
    finance    -     -     -
    communications -     -     -
    events     S     S     -
    leader     -     S     -
    member     S     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     S`),
  )
  expect(await seen(`visibility = 'public'`)).toBe(
    expected(`
             west  east  foreign
    owner      S     S     -
    admin      S     S     -
    officer    S     S     -
    former     S     S     -
    safeguarding S     S     -
    finance    S     S     -
    communications S     S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      S     S     -
    suspended  -     -     -
    stranger   -     -     S`),
  )
})

test('public addresses of the calendar of a chapter are made by those who run its events', async () => {
  const feeds = {
    table: 'calendar_feeds',
    row: ({ chapter }: { chapter: string }) => `public and chapter_id = '${chapter}'`,
    insert: ({ orgId, chapter }: { orgId: string; chapter: string }) =>
      `(org_id, id, kind, public, chapter_id, secret_hash) values ('${orgId}', app.uuid7(), 'chapter', true, '${chapter}', md5(random()::text) || md5(random()::text))`,
    // What was reset stays so, whoever asks.
    update: 'reset_at = null',
    remove: true as const,
  }
  expect(await tryAll(stage, feeds, [...places])).toBe(
    expected(`
             west  east  foreign
    owner      SI    SI    -
    admin      SI    SI    -
    officer    SI    S     -
    former     S     S     -
    safeguarding S     S     -
    finance    S     S     -
    communications S     S     -
    events     SI    SI    -
    leader     S     S     -
    member     S     S     -
    guest      S     S     -
    suspended  -     -     -
    stranger   -     -     SI`),
  )
})
