import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  for (const { orgId, chapter } of [stage.west, stage.east, stage.foreign])
    for (const [title, starts, archived] of [
      ['shown', 'now() - interval $$1 day$$', 'null'],
      ['later', 'now() + interval $$1 day$$', 'null'],
      ['gone', 'now() - interval $$1 day$$', 'now()'],
    ])
      await stage.admin.query(
        `insert into app.announcements (org_id, chapter_id, title, starts_at, published_at, archived_at) values ($1, $2, $3, ${starts}, now(), ${archived})`,
        [orgId, chapter, title],
      )
})
afterAll(() => stage.end())

const of = (title: string) =>
  tryAll(
    stage,
    {
      table: 'announcements',
      row: ({ chapter }: Place) => `chapter_id = '${chapter}' and title = '${title}'`,
      insert: ({ orgId, chapter }) =>
        `(org_id, chapter_id, title, author_id, created_by) values ('${orgId}', '${chapter}', 'x', (select app.person_id()), (select app.account_id()))`,
      update: 'pinned = true',
      remove: true,
    },
    ['west', 'east', 'foreign'],
  )
const shown = `
             west  east  foreign
    owner      SIU   SIU   -
    admin      SIU   SIU   -
    officer    SIU   -     -
    former     S     -     -
    safeguarding  S     -     -
    finance    -     -     -
    communications  SIU   SIU   -
    events     -     -     -
    leader     -     S     -
    member     S     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SIU`
const unseen = shown.replaceAll(/ S /g, ' - ')

test('an announcement is read by those it concerns while it is published, and kept by those who write there', async () => {
  expect(await of('shown')).toBe(expected(shown))
  for (const title of ['later', 'gone']) expect(await of(title), title).toBe(expected(unseen))
})

test('nobody notes reading for others, or what is not addressed to them, and nobody sees who has read', async () => {
  const read = (account: string) =>
    tryAll(
      stage,
      {
        table: 'announcement_reads',
        row: () => 'true',
        insert: ({ orgId, chapter }) =>
          `(org_id, announcement_id, account_id) select '${orgId}', a.id, ${account} from app.announcements a where a.chapter_id = '${chapter}' and a.title = 'shown'`,
        remove: true,
      },
      ['west', 'east', 'foreign'],
    )
  const own = `
             west  east  foreign
    owner      -     -     -
    admin      -     -     -
    officer    I     -     -
    former     I     -     -
    safeguarding  I     -     -
    finance    -     -     -
    communications  -     -     -
    events     -     -     -
    leader     -     I     -
    member     I     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     -`
  expect(await read('(select app.account_id())')).toBe(expected(own))
  expect(await read(`'${stage.west.account}'`)).toBe(expected(own.replaceAll(' I ', ' - ')))
})

test('each of these policies is what keeps the others out', async () => {
  const { rows } = await stage.admin.query<{ using: string }>(
    `select qual as using from pg_policies where schemaname = 'app' and tablename = 'announcements' and policyname = 'announcements_read'`,
  )
  await stage.admin.query(`alter policy announcements_read on app.announcements using (org_id = (select app.org_id()))`)
  try {
    expect(await of('later')).not.toBe(expected(unseen))
  } finally {
    await stage.admin.query(`alter policy announcements_read on app.announcements using (${rows[0]?.using ?? 'false'})`)
  }
  expect(await of('later')).toBe(expected(unseen))
})
