import type pg from 'pg'
import { rowsOf } from '../areas.ts'
import { messageTemplatesDemo } from '../areas/message-templates.ts'
import { isoOf } from '../days.ts'
import { datedId, drawn } from '../random.ts'
import type { World } from '../world.ts'

export type MailStep = { id: string; kind: 'mail'; templateId: string; topicId: string }
type Named = { template: string; topic: string }

/** A template that is loaded later. */
function templateCalled(world: World, wanted: string) {
  const found = rowsOf(messageTemplatesDemo, world).find((row) =>
    Object.entries(row).some(([column, value]) => column === 'name' && value === wanted),
  )
  if (!found) throw new Error(`There is no template ${wanted}.`)
  return found
}

/** A mail step by the names of its template and topic. */
export async function mailStep(client: pg.Client, world: World, id: string, { template, topic }: Named): Promise<MailStep> {
  const { rows } = await client.query<{ id: string }>('select id from app.topics where org_id = $1 and name = $2', [world.orgId, topic])
  const [found] = rows
  if (!found) throw new Error(`There is no topic ${topic}.`)
  return { id, kind: 'mail', templateId: templateCalled(world, template).id, topicId: found.id }
}

/** Writes a mail to everybody in `demo_runs` who has come to its step, or down why they get none, as app_private.automation_mail does. */
export async function writeMails(client: pg.Client, world: World, step: MailStep): Promise<void> {
  await client.query(
    `insert into demo_step_mails
     with due as materialized (select r.id, r.person_id, r.at from demo_runs r where r.state = 'active' and r.at < $2::date)
     select d.id, $3, d.person_id, p.home_chapter_id, m.address, m.refusal, d.at, ${datedId("concat('step mail ', d.id, $3::text)", 'd.at')}
     from due d join app.people p on p.org_id = $1 and p.id = d.person_id
     join app_private.mail_reach($1, $4, (select array_agg(x.person_id) from due x)) m on m.person_id = d.person_id`,
    [world.orgId, isoOf(world.today), step.id, step.topicId],
  )
  await client.query(
    `insert into demo_log select m.run_id, m.step, case when m.refusal is null then 'mailed' else 'skipped' end, jsonb_strip_nulls(jsonb_build_object('reason', m.refusal, 'delivery', m.id)), m.at
     from demo_step_mails m where m.step = $1`,
    [step.id],
  )
}

export const forgetMails = async (client: pg.Client): Promise<void> => {
  await client.query('drop table if exists demo_step_mails')
  await client.query(
    'create temp table demo_step_mails (run_id uuid, step text, person_id uuid, chapter_id uuid, address text, refusal text, at timestamptz, id uuid) on commit drop',
  )
}

/** What became of the mails of a step: a message, its deliveries, who followed which link, and the counts. Answers how many rows. */
export async function addStepMails(client: pg.Client, world: World, automation: string, step: MailStep): Promise<number> {
  let rows = 0
  const add = async (text: string, values: unknown[] = [world.orgId, step.id]) => {
    rows += (await client.query(text, values)).rowCount ?? 0
  }
  const template = rowsOf(messageTemplatesDemo, world).find((row) => row.id === step.templateId)
  const message = `(select m.id from app.messages m where m.org_id = $1 and m.automation_step = $2 and m.automation_id = '${automation}')`
  await add(
    `insert into app.messages (org_id, id, chapter_id, topic_id, name, subject, preheader, body, status, sender_id, created_by, started_at, created_at, updated_at, automation_id, automation_step, edition)
     select a.org_id, ${datedId("concat('edition ', a.id, $2::text)", 'f.at')}, a.chapter_id, $4, a.name || ': ' || t.name, t.subject, t.preheader, t.body, 'sent', a.activated_by, a.activated_by, f.at, f.at, f.at,
       a.id, $2, concat_ws(' ', t.id, t.version, $4::uuid, a.activated_by)
     from app.automations a cross join jsonb_populate_record(null::app.message_templates, $5::jsonb) t cross join (select min(m.at) as at from demo_step_mails m where m.step = $2) f
     where a.org_id = $1 and a.id = $3 and f.at is not null`,
    [world.orgId, step.id, automation, step.topicId, JSON.stringify(template)],
  )
  await add(
    `insert into app.message_links (org_id, message_id, number, url) select $1, m.id, row_number() over (order by b.place), b.block ->> 'href'
     from app.messages m cross join lateral jsonb_array_elements(m.body -> 'blocks') with ordinality b (block, place) where m.org_id = $1 and m.id = ${message} and b.block ->> 'type' = 'button'`,
  )
  const key = (what: string) => drawn(`concat('${what} ', m.id)`)
  const known = (at: string) => `case when ${at} < '${isoOf(world.today)}'::date then ${at} end`
  await add(
    `with fated as (
       select m.*, m.at + (2 + ${key('leaves')} % 50) * interval '1 second' as sent_at,
         case when m.refusal is not null then 'skipped' when m.address not like '%@demo.example' and ${key('bounce')} < 18 then 'soft_bounce' when ${key('state')} < 30 then 'sent' else 'delivered' end as state
       from demo_step_mails m where m.step = $2),
     seen as (
       select m.*, case when m.state in ('sent', 'delivered') and ${key('open')} < 710 then ${known(`(m.sent_at + power(${key('delay')} / 1000.0, 3) * interval '70 hours' + interval '80 seconds')`)} end as opened_at from fated m)
     insert into app.message_deliveries (org_id, id, message_id, person_id, chapter_id, address, state, skip_reason, fed_at, created_at, sent_at, settled_at, opened_at, clicked_at, run_id, step)
     select $1, m.id, ${message}, m.person_id, m.chapter_id, m.address, m.state, m.refusal, case when m.refusal is null then m.at + interval '1 second' end, m.at, case when m.refusal is null then m.sent_at end,
       case when m.refusal is null then m.sent_at + interval '3 seconds' else m.at end, m.opened_at, case when ${key('open')} < 290 then m.opened_at + (12 + ${key('delay')} % 80) * interval '1 second' end, m.run_id, m.step
     from seen m`,
  )
  await add(
    `insert into app.message_clicks (org_id, delivery_id, number, first_at, last_at) select $1, d.id, 1, d.clicked_at, d.clicked_at from app.message_deliveries d
     where d.org_id = $1 and d.message_id = ${message} and d.clicked_at is not null`,
  )
  await client.query(
    `update app.message_links l set people = c.n, clicks = c.n, programs = c.n / 4 from (select d.message_id, count(*)::int as n from app.message_deliveries d where d.org_id = $1 and d.clicked_at is not null group by 1) c
     where l.org_id = $1 and l.message_id = c.message_id and l.message_id = ${message} and l.number = 1`,
    [world.orgId, step.id],
  )
  const counted = `(select d.message_id, d.chapter_id, w.what, date_trunc('hour', w.at) as hour, w.counts_for from app.message_deliveries d cross join lateral (values
      (d.state, d.settled_at, true), ('skipped:' || d.skip_reason, d.settled_at, true), ('opened', d.opened_at, true), ('clicked', d.clicked_at, true),
      (case when d.state not in ('sent', 'skipped') then 'sent' end, d.sent_at, false)) w (what, at, counts_for)
    where d.org_id = $1 and d.message_id = ${message} and w.what is not null and w.at is not null) c`
  await add(
    `insert into app.message_counts (org_id, message_id, what, n) select $1, c.message_id, c.what, count(*)::int from ${counted} where c.counts_for group by c.message_id, c.what`,
  )
  await add(
    `insert into app.message_chapters (org_id, message_id, chapter_id, what, n)
     select $1, c.message_id, c.chapter_id, c.what, count(*)::int from ${counted} where c.counts_for and c.chapter_id is not null group by c.message_id, c.chapter_id, c.what`,
  )
  await add(
    `insert into app.message_hours (org_id, message_id, hour, what, n)
     select $1, c.message_id, c.hour, c.what, count(*)::int from ${counted} where c.what not like 'skipped%' group by c.message_id, c.hour, c.what`,
  )
  return rows
}
