import type pg from 'pg'
import { isoOf } from './days.ts'
import { drawnId } from './random.ts'
import { accountId, personId } from './world.ts'
import type { World } from './world.ts'

const recordTags = [
  { name: 'Open to guests', color: 'green', audience: 'members', records: 'chapters', share: 9 },
  { name: 'Meets online', color: 'blue', audience: 'members', records: 'groups', share: 5 },
  { name: 'Needs a successor', color: 'amber', audience: 'officers', records: 'groups', share: 3 },
] as const

/** Numbers drawn for a row, 0 to 15. */
const drawn = (key: string) => `get_byte(uuid_send(md5(${key})::uuid), 15) % 16`

/** Tags of chapters and groups, member cards, and what the demo people were told in the last weeks, by the bell and by mail. Answers how many rows. */
export async function addNotices(client: pg.Client, world: World): Promise<number> {
  const today = isoOf(world.today)
  let rows = 0
  const add = async (text: string, values: unknown[]) => {
    rows += (await client.query(text, values)).rowCount ?? 0
  }
  const indexOf = (sub: string) => [...world.personas].find(([, { demo }]) => demo.sub === sub)?.[0]

  for (const { name, color, audience, records, share } of recordTags) {
    await add(
      `insert into app.tags (org_id, id, name, color, audience, created_at) values ($1, ${drawnId("'tag ' || $2::text")}, $2, $3, $4, $5::date - 200)`,
      [world.orgId, name, color, audience, today],
    )
    await add(
      `insert into app.record_tags (org_id, record_type, record_id, tag_id, created_at)
       select r.org_id, $2, r.id, ${drawnId("'tag ' || $3::text")}, $4::date - 100 from app.${records} r where r.org_id = $1 and ${drawn('r.id::text || $3::text')} < $5`,
      [world.orgId, records.slice(0, -1), name, today, share],
    )
  }

  const cards = ['member', 'leader', 'secretary'].flatMap((sub) => indexOf(sub) ?? []).map((index) => personId(world, index))
  await add(
    `insert into app.member_cards (org_id, id, person_id, valid_until, created_at)
     select $1, ${drawnId("'card ' || p.id")}, p.id, $3::date + 240, $3::date - 125 from app.people p where p.org_id = $1 and p.id = any ($2::uuid[])`,
    [world.orgId, cards, today],
  )

  const leader = [...world.personas.values()].find(({ leads }) => leads !== undefined)
  const group = world.groups.all.find(({ name }) => name === leader?.leads)?.id ?? null
  const told: readonly [sub: string, kind: string, daysAgo: number, isRead: boolean, params: object][] = [
    ['secretary', 'import-finished', 20, true, { outcome: 'done', file: 'New members, October.csv' }],
    ['secretary', 'term-ending', 3, false, { title: 'Treasurer', on: isoOf(world.today + 26) }],
    ['leader', 'group-request', 6, true, {}],
    ['leader', 'comment-reply', 2, false, {}],
    ['member', 'group-answer', 5, true, { outcome: 'admitted' }],
    ['member', 'comment-reply', 1, false, {}],
  ]
  for (const [nth, [sub, kind, daysAgo, isRead, params]] of told.entries()) {
    const index = indexOf(sub)
    if (index === undefined) continue
    const other = kind === 'group-request' || kind === 'comment-reply' ? indexOf(sub === 'leader' ? 'member' : 'leader') : undefined
    const about = other === undefined ? null : personId(world, other)
    const inGroup = kind.startsWith('group') || kind.startsWith('comment') ? group : null
    const account = accountId(world, index)
    const at = `$7::date - $8::int + time '09:30'`
    await add(
      `with note as (
         insert into app.notifications (org_id, id, account_id, kind, person_id, group_id, params, dedupe_key, in_inbox, mail, mailed_at, created_at, read_at)
           values ($1, ${drawnId("'note ' || $9::text")}, $2, $3, $4, $5, $6, 'demo:' || $9::text, true, 'instant', ${at} + interval '1 minute', ${at},
             case when $10 then ${at} + interval '2 hours' end) returning *)
       insert into app.mail_messages (org_id, id, template, account_id, params, essential, dedupe_key, state, attempts, handed_at, sent_to, created_at, settled_at)
         select n.org_id, ${drawnId("'mail ' || $9::text")}, 'notification', n.account_id, jsonb_build_object('notification', n.id), n.kind = 'term-ending', 'notification:' || n.id,
           'sent', 1, n.mailed_at, a.email, n.created_at, n.mailed_at + interval '3 seconds' from note n join app.accounts a on a.org_id = n.org_id and a.id = n.account_id`,
      [world.orgId, account, kind, about, inGroup, JSON.stringify(params), today, daysAgo, String(nth), isRead],
    )
  }
  return rows
}
