import type pg from 'pg'
import { instantOf, isoOf } from '../days.ts'
import { datedId, drawn, drawnId, idOf, streams } from '../random.ts'
import { accountId, personId } from '../world.ts'
import type { World } from '../world.ts'
import { addStepMails, forgetMails, mailStep, writeMails } from './automation-mails.ts'
import type { MailStep } from './automation-mails.ts'

type Step =
  | MailStep
  | { id: string; kind: 'wait'; days: number; hours: number; at: string }
  | { id: string; kind: 'condition'; is: 'member'; otherwise: 'exit' }
  | { id: string; kind: 'task'; title: string; note: string; dueDays: number; assigneeId: null }
type Demo = {
  name: string
  description: string
  recipe: string
  by: string
  /** For the chapter that its author presides over; otherwise for the whole organisation. */
  ofChapter: boolean
  /** Days before today on which it was activated; a draft was not. */
  activated: number | null
  trigger: object
  steps: readonly Step[]
  exits: readonly string[]
  reentry: 'once' | 'term'
}

const wait = (id: string, days: number): Step => ({ id, kind: 'wait', days, hours: 0, at: '09:00' })
const member = (id: string): Step => ({ id, kind: 'condition', is: 'member', otherwise: 'exit' })
const task = (id: string, title: string, note: string, dueDays: number): Step =>
  ({ id, kind: 'task', title, note, dueDays, assigneeId: null }) // prettier-ignore

const welcomeWith = (mail: MailStep): Demo => ({
  name: 'Welcome series',
  description: 'A mail at once, a call in the first week, and another one after three: who has spoken to somebody stays.',
  recipe: 'welcome',
  by: 'comms',
  ofChapter: false,
  activated: 150,
  trigger: { on: 'joined' },
  steps: [
    mail,
    wait('threedays', 3),
    member('member'),
    task('hello', 'Say hello, and ask what they are interested in', 'Name one group and the next evening of the chapter.', 5),
    wait('twoweeks', 14),
    member('still'),
    task('call', 'Ask how the first weeks were', '', 7),
  ],
  exits: ['left', 'unsubscribed'],
  reentry: 'once',
})
const renewal: Demo = {
  name: 'Before a membership lapses',
  description: 'Who has not renewed nine days before the last day gets a call.',
  recipe: 'renewal',
  by: 'chapter',
  ofChapter: true,
  activated: 120,
  trigger: { on: 'renewal_due', days: 30 },
  steps: [wait('threeweeks', 21), task('call', 'Call before the membership lapses', 'Dues can be paid in two parts.', 5)],
  exits: ['renewed', 'left'],
  reentry: 'term',
}
const winBack: Demo = {
  name: 'Win back lapsed members',
  description: '',
  recipe: 'win-back',
  by: 'comms',
  ofChapter: false,
  activated: null,
  trigger: { on: 'lapsed' },
  steps: [wait('week', 7), task('ask', 'Ask why they left', '', 14)],
  exits: ['renewed', 'unsubscribed'],
  reentry: 'term',
}

/** No more people than that in one automation, those who entered last. */
const mostRuns = 4_000

/** Two automations that run, one that is being written, and what they did for each person. Answers how many rows. */
export async function addAutomations(client: pg.Client, world: World): Promise<number> {
  let rows = 0
  const add = async (text: string, values: unknown[]) => {
    rows += (await client.query(text, values)).rowCount ?? 0
  }
  const welcome = welcomeWith(await mailStep(client, world, 'welcome', { template: 'Welcome', topic: 'Membership and meetings' }))
  const indexOf = (sub: string) => [...world.personas].find(([, { demo }]) => demo.sub === sub)?.[0]
  for (const [nth, demo] of [welcome, renewal, winBack].entries()) {
    const author = indexOf(demo.by)
    if (author === undefined) continue
    const created = instantOf(world.today - (demo.activated ?? 6) - 2, 51_300)
    const id = idOf(world.seed, streams.automation, nth, Date.parse(created))
    const at = demo.activated === null ? null : instantOf(world.today - demo.activated, 34_500)
    await add(
      `insert into app.automations (org_id, id, chapter_id, name, description, status, recipe, trigger, steps, exits, reentry, activated_by, activated_at, enters_from, created_by, version, created_at, updated_at)
       select $1, $2, case when $3 then (select s.chapter_id from app.position_holders h join app.positions s on s.org_id = h.org_id and s.id = h.position_id
           where h.org_id = $1 and h.person_id = $4 and h.starts_on <= $5::date and (h.ends_on is null or h.ends_on >= $5::date) order by h.starts_on limit 1) end,
         $6, $7, case when $8::timestamptz is null then 'draft' else 'active' end, $9, $10, $11, $12, $13, case when $8::timestamptz is not null then $14::uuid end, $8::timestamptz, $8::date, $14::uuid,
         case when $8::timestamptz is null then 1 else 3 end, $15::timestamptz, coalesce($8::timestamptz, $15::timestamptz)`,
      [
        ...[world.orgId, id, demo.ofChapter, personId(world, author), isoOf(world.today), demo.name, demo.description, at, demo.recipe],
        ...[JSON.stringify(demo.trigger), JSON.stringify(demo.steps), demo.exits, demo.reentry, accountId(world, author), created],
      ],
    )
    if (at !== null) rows += await addRuns(client, world, { id, ...demo }, accountId(world, author))
  }
  return rows
}

/** What let people enter since it was activated, as the worker would have found it on each day. */
const occasions: Record<string, string> = {
  joined: `select m.person_id, 'joined:' || m.id as occasion, m.id as subject_id, t.ends_on, t.settled_on as day, interval '9 hours' + ${drawn("'joins ' || m.id")} * interval '31 seconds' as time
    from app.memberships m cross join lateral (select x.* from app.membership_terms x where x.org_id = m.org_id and x.membership_id = m.id and x.status = 'settled' order by x.settled_on limit 1) t
    where m.org_id = $1 and m.status in ('active', 'grace') and t.settled_on between a.enters_from and $3::date - 1`,
  renewal_due: `select m.person_id, concat_ws(':', 'renewal', m.id, t.ends_on) as occasion, m.id as subject_id, t.ends_on, t.ends_on - (a.trigger ->> 'days')::int as day, interval '8 hours 20 seconds' as time
    from app.memberships m join app.membership_terms t on t.org_id = m.org_id and t.membership_id = m.id and t.status = 'settled'
    where m.org_id = $1 and m.leaves_on is null and m.status in ('active', 'grace') and t.ends_on - (a.trigger ->> 'days')::int between a.enters_from and $3::date - 1`,
}

async function addRuns(
  client: pg.Client,
  world: World,
  { id, trigger, steps, exits }: Pick<Demo, 'trigger' | 'steps' | 'exits'> & { id: string },
  by: string,
): Promise<number> {
  const today = isoOf(world.today)
  let rows = 0
  const add = async (text: string, values: unknown[]) => {
    rows += (await client.query(text, values)).rowCount ?? 0
  }
  await client.query('drop table if exists demo_runs')
  await client.query(
    `create temp table demo_runs on commit drop as
     select ${datedId("'run ' || a.id || o.occasion", 'e.at')} as id, o.person_id, o.occasion, app_private.automation_entry_key(a.reentry, o.occasion, o.ends_on) as entry_key, o.subject_id, o.ends_on,
       e.at as entered_at, e.at as at, z.timezone as zone, null::text as waits, null::text as step, 'active' as state, null::text as ended_by,
       case when ${drawn("'stops ' || o.occasion")} < 12 then e.at + interval '26 hours' end as stops_at
     from app.automations a join app.organisations z on z.org_id = a.org_id
     cross join lateral (${occasions['on' in trigger ? String(trigger.on) : ''] ?? ''}) o
     cross join lateral (select (o.day + o.time) at time zone z.timezone as at) e
     where a.org_id = $1 and a.id = $2 and app_private.automation_reaches(a, o.person_id, $3::date) order by e.at desc limit ${mostRuns}`,
    [world.orgId, id, today],
  )
  const log = (step: string, kind: string, at: string, where: string, detail = `'{}'::jsonb`) =>
    add(
      `insert into demo_log select r.id, '${step}', '${kind}', ${detail}, ${at} from demo_runs r where r.state = 'active' and ${where} and $1::date is not null`,
      [today],
    )
  const isDue = 'r.at < $1::date'
  await client.query('drop table if exists demo_log')
  await client.query('create temp table demo_log (run_id uuid, step text, kind text, detail jsonb, at timestamptz) on commit drop')
  await forgetMails(client)
  await log('enter', 'entered', 'r.entered_at', 'true')
  await client.query(`update demo_runs set at = at + interval '180 milliseconds'`)
  /** Before its next step, a run ends that meets a condition. */
  const end = async (state: 'stopped' | 'exited', by: string, where: string, at: string, detail: string) => {
    await log('end', state, at, where, detail)
    await client.query(
      `update demo_runs r set state = '${state}', at = ${at}, ended_by = '${by}' where r.state = 'active' and ${where} and $1::date is not null`,
      [today],
    )
  }
  if (exits.includes('unsubscribed'))
    await end(
      'exited',
      'unsubscribed',
      `(exists (select from app.mail_preferences m where m.org_id = '${world.orgId}' and m.person_id = r.person_id and m.opted_out_at is not null)
        or exists (select from app.people p where p.org_id = '${world.orgId}' and p.id = r.person_id and p.do_not_contact))`,
      'r.at',
      `jsonb_build_object('rule', 'unsubscribed')`,
    )
  for (const [place, step] of steps.entries()) {
    // Somebody of the office has already spoken to a few of them.
    await end('stopped', 'by_hand', 'r.stops_at < least(r.at, $1::date)', 'r.stops_at', `jsonb_build_object('account', '${by}')`)
    if (step.kind === 'wait') {
      const least = `((r.at at time zone r.zone) + interval '${step.days} days ${step.hours} hours')`
      const until = `((case when ${least}::time <= '${step.at}' then ${least}::date else ${least}::date + 1 end + time '${step.at}') at time zone r.zone)`
      const said = `jsonb_build_object('until', to_char(${until} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'))`
      await log(step.id, 'waited', 'r.at', isDue, said)
      await client.query(`update demo_runs r set at = ${until}, waits = '${step.id}', step = $2 where r.state = 'active' and ${isDue}`, [
        today,
        steps[place + 1]?.id ?? null,
      ])
    } else {
      // The worker looks every minute.
      const later =
        steps[place - 1]?.kind === 'wait' ? `${drawn(`'${step.id} ' || r.id`)} % 58 * interval '1 second'` : `interval '90 milliseconds'`
      await client.query(`update demo_runs r set at = at + ${later}, waits = null where r.state = 'active' and ${isDue}`, [today])
      if (step.kind === 'mail') await writeMails(client, world, step)
      else await log(step.id, step.kind === 'task' ? 'assigned' : 'held', 'r.at', isDue)
    }
  }
  await log('end', 'done', `r.at + interval '90 milliseconds'`, isDue)
  await client.query(`update demo_runs r set state = 'done', at = at + interval '90 milliseconds' where r.state = 'active' and ${isDue}`, [
    today,
  ])

  await add(
    `insert into app.automation_runs (org_id, id, automation_id, person_id, occasion, entry_key, subject_id, term_ends_on, state, step, waits, next_at, ended_by, entered_at, ended_at)
     select $1, r.id, $2, r.person_id, r.occasion, r.entry_key, r.subject_id, r.ends_on, r.state, case when r.state = 'active' then r.step end, case when r.state = 'active' then r.waits end,
       case when r.state = 'active' then r.at end, r.ended_by, r.entered_at, case when r.state <> 'active' then r.at end
     from demo_runs r`,
    [world.orgId, id],
  )
  for (const step of steps) if (step.kind === 'mail') rows += await addStepMails(client, world, id, step)
  for (const step of steps) if (step.kind === 'task') rows += await addFollowUps(client, world, { automation: id, step, by })
  await add(
    `insert into app.automation_log (org_id, run_id, step, automation_id, kind, detail, at)
     select $1, l.run_id, l.step, $2, l.kind, case when l.kind = 'assigned' then jsonb_build_object('followUp', ${followUpId}) else l.detail end, l.at from demo_log l`,
    [world.orgId, id],
  )
  return rows
}

const followUpId = drawnId("'follow-up ' || l.run_id || l.step")

/** Most are done within a week, and all of the older ones. */
async function addFollowUps(
  client: pg.Client,
  world: World,
  { automation, step, by }: { automation: string; step: Step & { kind: 'task' }; by: string },
): Promise<number> {
  const { rowCount } = await client.query(
    `insert into app.follow_ups (org_id, id, person_id, chapter_id, run_id, title, note, due_on, done_at, done_by, version, created_at, updated_at)
     select $1, ${followUpId}, r.person_id, coalesce(a.chapter_id, p.home_chapter_id), r.id, $3, $4, (l.at at time zone r.zone)::date + $5::int,
       d.at, case when d.at is not null then $6::uuid end, case when d.at is null then 1 else 2 end, l.at, coalesce(d.at, l.at)
     from demo_log l join demo_runs r on r.id = l.run_id join app.automations a on a.org_id = $1 and a.id = $2 join app.people p on p.org_id = $1 and p.id = r.person_id
     cross join lateral (select l.at + interval '5 hours' + ${drawn("'done ' || l.run_id || l.step")} * interval '9 minutes' as at) n
     left join lateral (select n.at where n.at < $7::date and (${drawn("'open ' || l.run_id || l.step")} >= 80 or n.at < $7::date - 21)) d on true
     where l.kind = 'assigned' and l.step = $8`,
    [world.orgId, automation, step.title, step.note, step.dueDays, by, isoOf(world.today), step.id],
  )
  return rowCount ?? 0
}
