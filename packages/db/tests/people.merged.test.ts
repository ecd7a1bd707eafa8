import { afterAll, beforeAll, expect, test } from 'vitest'
import { furnish } from './rights-grid.ts'
import { setStage } from './stage.ts'
import type { Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage(undefined, (admin, _, whose) => furnish(admin, whose))
})
afterAll(() => stage.end())

const text = `'{"type": "doc", "content": []}'`

/** A person with a picture, a note with an earlier version, a comment that is hidden, and a note and a comment that they wrote about somebody else. */
async function somebody(named: string, picture: boolean) {
  const { orgId, account, blank } = stage.west
  const one = async (sql: string, values: unknown[]) =>
    (await stage.admin.query<{ id: string }>(`${sql} returning id`, values)).rows[0]?.id ?? ''
  const person = await one(`insert into app.people (org_id, family_name) values ($1, $2)`, [orgId, named])
  const file = picture
    ? await one(
        `insert into app.files (org_id, record_type, record_id, use, name, type, bytes, created_by) values ($1, 'person', $2, 'picture', $3, 'image/webp', 1, $4)`,
        [orgId, person, named, account],
      )
    : ''
  const note = (about: string, author: string | null) =>
    one(
      `insert into app.notes (org_id, record_type, record_id, visibility, body, author_id, created_by) values ($1, 'person', $2, 'officers', ${text}, $3, $4)`,
      [orgId, about, author, account],
    )
  const comment = (about: string, author: string | null) =>
    one(
      `insert into app.comments (org_id, record_type, record_id, body, author_id, created_by) values ($1, 'person', $2, ${text}, $3, $4)`,
      [orgId, about, author, account],
    )
  const about = { note: await note(person, null), comment: await comment(person, null) }
  await stage.admin.query(`update app.notes set visibility = 'organisation' where id = $1`, [about.note])
  await stage.admin.query(`update app.comments set hidden_at = now(), hidden_reason = 'Off topic' where id = $1`, [about.comment])
  return { person, file, ...about, written: { note: await note(blank, person), comment: await comment(blank, person) } }
}
const whose = async (table: string, column: string, id: string, key = 'id') =>
  (await stage.admin.query<{ whose: string }>(`select ${column} as whose from app.${table} where ${key} = $1`, [id])).rows[0]?.whose

test('files, comments and notes go with a person who is merged, and what they wrote', async () => {
  const [gone, stays] = [await somebody('Twin', true), await somebody('One', false)]
  await stage.admin.query(`update app.people set lifecycle = 'merged', merged_into = $2 where id = $1`, [gone.person, stays.person])
  const found = {
    file: await whose('files', 'record_id', gone.file),
    note: await whose('notes', 'record_id', gone.note),
    version: await whose('note_versions', 'person_id', gone.note, 'note_id'),
    comment: await whose('comments', 'record_id', gone.comment),
    withheld: await whose('comment_withheld', 'record_id', gone.comment, 'comment_id'),
    writtenNote: await whose('notes', 'author_id', gone.written.note),
    writtenComment: await whose('comments', 'author_id', gone.written.comment),
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((key) => [key, stays.person])))
  expect(await whose('people', 'picture_id', stays.person)).toBe(gone.file)
  expect(await whose('people', 'picture_id', gone.person)).toBeNull()
  expect(await whose('notes', 'record_id', stays.written.note)).toBe(stage.west.blank)
})

test('who stays keeps their own picture', async () => {
  const [gone, stays] = [await somebody('Twin', true), await somebody('One', true)]
  await stage.admin.query(`update app.people set lifecycle = 'merged', merged_into = $2 where id = $1`, [gone.person, stays.person])
  expect(await whose('files', 'record_id', gone.file)).toBe(gone.person)
  expect(await whose('people', 'picture_id', stays.person)).toBe(stays.file)
  expect(await whose('comments', 'record_id', gone.comment)).toBe(stays.person)
})

test('every column that names a person follows when the person is merged, or says why it does not', async () => {
  const { rows } = await stage.admin.query<{ tab: string; col: string }>(
    `select c.conrelid::regclass::text as tab, a.attname as col from pg_constraint c
       cross join lateral unnest(c.conkey, c.confkey) k (mine, theirs)
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.mine
       join pg_attribute t on t.attrelid = c.confrelid and t.attnum = k.theirs and t.attname = 'id'
     where c.contype = 'f' and c.confrelid = 'app.people'::regclass and c.connamespace = 'app'::regnamespace order by 1, 2`,
  )
  const { rows: listed } = await stage.admin.query<{ tab: string; col: string }>(
    `select 'app.' || tab as tab, col from app_private.person_references order by 1, 2`,
  )
  // A new foreign key to people needs a line in app_private.person_references, in the migration that adds it.
  expect(listed).toEqual(rows)
})

test('all that hangs on a person goes with them, once, and what the other record has already stays behind', async () => {
  const { orgId, person: gone, chapter, leaf, account } = stage.west
  const one = async (sql: string, values: unknown[]) =>
    (await stage.admin.query<{ id: string }>(`${sql} returning id`, values)).rows[0]?.id ?? ''
  const stays = await one(`insert into app.people (org_id, family_name) values ($1, 'One')`, [orgId])
  const event = await one(
    `insert into app.events (org_id, chapter_id, title, starts_at, ends_at, timezone) values ($1, $2, 'Ball', '2090-06-10T18:00Z', '2090-06-10T20:00Z', 'UTC')`,
    [orgId, chapter],
  )
  await stage.admin.query(`insert into app.event_staff (org_id, event_id, person_id, role) values ($1, $2, $3, 'host')`, [
    orgId,
    event,
    gone,
  ])
  for (const who of [gone, stays])
    await stage.admin.query('insert into app.event_invitations (org_id, event_id, person_id) values ($1, $2, $3)', [orgId, event, who])
  const automation = await one(`insert into app.automations (org_id, name, trigger) values ($1, 'Welcome', '{"on":"joined"}')`, [orgId])
  for (const [who, occasion] of [
    [gone, 'both'],
    [stays, 'both'],
    [gone, 'one'],
  ])
    await stage.admin.query(
      `insert into app.automation_runs (org_id, automation_id, person_id, occasion, next_at) values ($1, $2, $3, $4, now())`,
      [orgId, automation, who, occasion],
    )
  await stage.admin.query(`insert into app.follow_ups (org_id, person_id, title) values ($1, $2, 'Call')`, [orgId, gone])
  await stage.admin.query(
    `insert into app.registrations (org_id, event_id, person_id, payer_id, name, status, cause, price_amount, price_currency)
     values ($1, $2, $3, $3, 'Full', 'confirmed', 'registered', 0, 'EUR')`,
    [orgId, event, gone],
  )
  await stage.admin.query(
    `insert into app.transfers (org_id, person_id, from_chapter_id, to_chapter_id, moves_on) values ($1, $2, $3, $4, current_date)`,
    [orgId, gone, chapter, leaf],
  )
  await stage.admin.query(
    `insert into app.notifications (org_id, account_id, kind, person_id, in_inbox, mail) values ($1, $2, 'join-request', $3, true, 'off')`,
    [orgId, account, gone],
  )
  await stage.admin.query(
    `insert into app.accounts (org_id, issuer, subject, person_id) values ($1, 'i', $2::text, $2::uuid) on conflict do nothing`,
    [orgId, gone],
  )
  await stage.admin.query(`update app.notes set author_id = $2 where org_id = $1 and record_id = $2`, [orgId, gone])
  await stage.admin.query(`insert into app.announcements (org_id, title, author_id) values ($1, 'x', $2)`, [orgId, gone])
  const message = await one(`insert into app.messages (org_id, name) values ($1, 'News')`, [orgId])
  await stage.admin.query(
    `insert into app.message_deliveries (org_id, message_id, person_id, address) values ($1, $2, $3, 'one@example.org')`,
    [orgId, message, gone],
  )
  const connection = await one(`insert into app.connections (org_id, connector, category, name) values ($1, 'sandbox', 'crm', 'Try')`, [
    orgId,
  ])
  await stage.admin.query(
    `insert into app.external_refs (org_id, connection_id, entity, person_id, external_id) values ($1, $2, 'person', $3, 'x')`,
    [...[orgId, connection, gone]],
  )
  await stage.admin.query(
    `with run as (insert into app.sync_runs (org_id, connection_id, trigger, mapping_version) values ($1, $2, 'manual', 1) returning id)
     insert into app.sync_changes (org_id, connection_id, run_id, direction, kind, state, entity, person_id) select $1, $2, id, 'in', 'update', 'waiting', 'person', $3 from run`,
    [orgId, connection, gone],
  )
  // The other record has an address, a tag, an external id and a birth date already; its primary address stays the primary one.
  await stage.admin.query(
    `insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, 'OFFICE@example.org', true)`,
    [orgId, stays],
  )
  await stage.admin.query(`insert into app.person_tags (org_id, person_id, tag_id) values ($1, $2, $3)`, [orgId, stays, stage.west.tag])
  await stage.admin.query(`insert into app.person_private (org_id, person_id, birth_date) values ($1, $2, '1980-05-17')`, [orgId, stays])

  const { rows: moved } = await stage.admin.query<{ tab: string; col: string }>(
    'select tab, col from app_private.person_references where moves order by 1, 2',
  )
  const held = async (who: string) =>
    Object.fromEntries(
      await Promise.all(
        moved.map(async ({ tab, col }) => {
          const { rows } = await stage.admin.query<{ n: number }>(
            `select count(*)::int as n from app.${tab} where org_id = $1 and ${col} = $2`,
            [orgId, who],
          )
          return [`${tab}.${col}`, rows[0]?.n ?? 0] as const
        }),
      ),
    )
  const [before, present] = [await held(gone), await held(stays)]
  expect(Object.keys(before).filter((key) => before[key] === 0)).toEqual([])
  await stage.admin.query(`update app.people set lifecycle = 'merged', merged_into = $2 where id = $1`, [gone, stays])
  const [left, after] = [await held(gone), await held(stays)]
  expect(Object.fromEntries(Object.entries(left).filter(([, n]) => n > 0))).toEqual({
    'automation_runs.person_id': 1,
    'event_invitations.person_id': 1,
    'person_emails.person_id': 1,
    'person_private.person_id': 1,
  })
  expect(after).toEqual(
    Object.fromEntries(Object.keys(before).map((key) => [key, (before[key] ?? 0) + (present[key] ?? 0) - (left[key] ?? 0)])),
  )
  const { rows: primary } = await stage.admin.query(`select address from app.person_emails where person_id = $1 and is_primary`, [stays])
  expect(primary).toEqual([{ address: 'OFFICE@example.org' }])
  const { rows: tags } = await stage.admin.query(
    `select count(*) filter (where person_id = $1)::int as gone, count(*) filter (where person_id = $2)::int as stays from app.person_tags`,
    [gone, stays],
  )
  expect(tags).toEqual([{ gone: 0, stays: 2 }])

  // An issued invoice passes to nobody else, and changes in nothing but whose it is.
  const { rows: invoices } = await stage.admin.query<{ id: string }>(
    `select id from app.invoices where person_id = $1 and state <> 'draft'`,
    [stays],
  )
  await expect(
    stage.admin.query('update app.invoices set person_id = $2 where id = $1', [invoices[0]?.id, stage.west.blank]),
  ).rejects.toMatchObject({ constraint: 'invoice_issued' })
})
