import type { Stage } from './stage.ts'

const paragraph = (text: string) => ({
  type: 'text',
  text: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] },
})
const body = {
  blocks: [
    paragraph('Dear {{first_name | friend}}'),
    paragraph('This is what happened in {{chapter | our community}} in the last month, and what is planned for the next one. '.repeat(6)),
    { type: 'button', label: 'Read the whole story', href: 'https://www.example.org/news/story' },
    paragraph('Your member number is {{member_no | not known}}. Until soon, {{organisation}}'),
  ],
}

export const subject = 'What happened last month'

/** A newsletter to everybody, which is due at once. */
export async function planMessage({ admin, orgId }: Stage): Promise<string> {
  await admin.query(`insert into app.communication_settings (org_id) values ($1) on conflict (org_id) do nothing`, [orgId])
  await admin.query(
    `update app.communication_settings set review_above = 1000000, most_per_week = null, counts_clicks = true, quiet_from = null, quiet_until = null where org_id = $1`,
    [orgId],
  )
  const { rows } = await admin.query<{ id: string }>(
    `with t as (insert into app.topics (org_id, name, kind, default_opt) values ($1, 'Bench ' || app.uuid7(), 'marketing', 'in') returning id)
     insert into app.messages (org_id, topic_id, name, subject, body, audience, status, send_at, sender_id)
       select $1, t.id, 'Bench', $3, $2::jsonb, '{"include": [{"kind": "people"}], "exclude": []}'::jsonb, 'scheduled', now(),
         (select a.id from app.accounts a where a.org_id = $1 and a.subject = 'owner' limit 1) from t returning id`,
    [orgId, JSON.stringify(body), subject],
  )
  if (!rows[0]) throw new Error('no message was made')
  return rows[0].id
}

const messages = 24

/**
 * Two years of messages with so many deliveries altogether, half of them of the first, which is answered; and their counts, as the worker adds them up.
 * Nobody is named in them, since the same people got all of it.
 */
export async function addDeliveries({ admin, orgId }: Stage, deliveries: number): Promise<string> {
  await admin.query('begin')
  await admin.query(`set local session_replication_role = replica`)
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.messages (org_id, name, subject, status, send_at, started_at, finished_at)
     select $1, 'Letter ' || n, 'Letter', 'sent', at, at, at + interval '1 hour' from generate_series(1, ${messages}) n, lateral (select now() - n * interval '29 days' as at) w returning id`,
    [orgId],
  )
  await admin.query(
    `create temp table bench_chapters on commit drop as select (row_number() over (order by id) - 1)::int as nth, id from app.chapters where org_id = $1`,
    [orgId],
  )
  const drawn = `(array['sent','delivered','delivered','delivered','delivered','delivered','delivered','soft_bounce','hard_bounce','unknown'])[1 + n % 10]`
  for (const [place, { id }] of rows.entries()) {
    const share = Math.round(place === 0 ? deliveries / 2 : deliveries / 2 / (messages - 1))
    await admin.query(
      `insert into app.message_deliveries (org_id, message_id, chapter_id, state, created_at, sent_at, settled_at, clicked_at)
       select $1, $2, c.id, ${drawn}, at, at, at, case when n % 9 = 0 then at end
       from generate_series(1, $3::int) n join bench_chapters c on c.nth = n % (select count(*) from bench_chapters),
         lateral (select now() - ${place + 1} * interval '29 days' + (n % 5000) * interval '1 minute' as at) w`,
      [orgId, id, share],
    )
    for (const [table, by, of] of [
      ['message_counts', '', ''],
      ['message_chapters', 'chapter_id, ', 'd.chapter_id, '],
      ['message_hours', 'hour, ', `date_trunc('hour', d.sent_at), `],
    ])
      await admin.query(
        `insert into app.${table} (org_id, message_id, ${by}what, n) select $1, $2, ${of}w.what, count(*)::int from app.message_deliveries d
         cross join lateral (values (d.state), (case when d.clicked_at is not null then 'clicked' end)) w (what) where d.org_id = $1 and d.message_id = $2 and w.what is not null group by ${of}w.what`,
        [orgId, id],
      )
  }
  await admin.query('commit')
  await admin.query('vacuum analyze app.message_deliveries, app.message_counts, app.message_chapters, app.message_hours')
  const [first] = rows
  if (!first) throw new Error('no message was made')
  return first.id
}
