import { setTimeout as sleep } from 'node:timers/promises'
import { call, refuse, sending, until } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { startSink } from '../mail-sink.ts'
import type { SinkManner } from '../mail-sink.ts'
import { rowOf, setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

/** A chapter of its own with so many people, and a message to it that is due. */
async function plan({ admin, orgId }: Stage, size: number): Promise<string> {
  const { id: chapter } = await rowOf<{ id: string }>(
    admin,
    `insert into app.chapters (org_id, name, code, parent_id) select $1, 'Kills', 'KILLS', id from app.chapters where org_id = $1 and parent_id is null limit 1 returning id`,
    [orgId],
  )
  await admin.query(
    `with made as (insert into app.people (org_id, given_name, family_name) select $1, 'Kim', n::text from generate_series(1, $2::int) n returning id, family_name),
       joined as (insert into app.affiliations (org_id, person_id, chapter_id, starts_on, is_primary) select $1, id, $3, '2020-01-01', true from made)
     insert into app.person_emails (org_id, person_id, address, is_primary) select $1, id, 'm' || family_name || '@kills.example', true from made`,
    [orgId, size, chapter],
  )
  await admin.query(
    `insert into app.communication_settings (org_id, review_above) values ($1, 1000000) on conflict (org_id) do update set review_above = 1000000`,
    [orgId],
  )
  const { id } = await rowOf<{ id: string }>(
    admin,
    `with t as (insert into app.topics (org_id, name, kind, default_opt) values ($1, 'Kills', 'marketing', 'in') returning id)
     insert into app.messages (org_id, chapter_id, topic_id, name, subject, body, audience, status, send_at, sender_id)
       select $1, $2::uuid, t.id, 'Kills', 'Hello {{first_name | friend}}', $3::jsonb, jsonb_build_object('include', jsonb_build_array(jsonb_build_object('kind', 'chapter', 'id', $2::uuid, 'below', true)), 'exclude', '[]'::jsonb),
         'scheduled', now(), (select a.id from app.accounts a where a.org_id = $1 and a.subject = 'owner' limit 1)
       from t returning id`,
    [
      orgId,
      chapter,
      JSON.stringify({
        blocks: [
          {
            type: 'text',
            text: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'News for {{first_name | you}}' }] }] },
          },
        ],
      }),
    ],
  )
  return id
}

type Standing = {
  status: string
  failure: string
  deliveries: number
  open: number
  sent: number
  failed: number
  unknown: number
  counted: number
}
const standing = ({ admin }: Stage, id: string) =>
  rowOf<Standing>(
    admin,
    `select m.status, m.failure, d.*, (select coalesce(sum(c.n), 0)::int from app.message_counts c where c.message_id = m.id and c.what in ('queued', 'sent', 'failed', 'unknown', 'hard_bounce')) as counted
     from app.messages m, lateral (select count(*)::int as deliveries, (count(*) filter (where d.state = 'queued'))::int as open, (count(*) filter (where d.state = 'sent'))::int as sent,
         (count(*) filter (where d.state in ('failed', 'hard_bounce')))::int as failed, (count(*) filter (where d.state = 'unknown'))::int as unknown
       from app.message_deliveries d where d.message_id = m.id) d where m.id = $1`,
    [id],
  )
const isOver = async (stage: Stage, id: string) => ['sent', 'failed', 'cancelled'].includes((await standing(stage, id)).status)

/** Two workers find, freeze and send while one or the other is killed; after each kill `meddle` may do what our own code does not. */
async function sendThrough(run: Run, { kills, size }: { kills: number; size: number }, meddle: (stage: Stage) => Promise<unknown>) {
  const deferred = new Set<string>()
  // One in fifty each is deferred once, refused for good, or cut off after it was taken; a cut happens once, so that a second try is taken.
  const mannerOf = (recipient: string): SinkManner => {
    const nth = Number(/\d+/.exec(recipient)?.[0]) % 50
    if (nth === 2) return 'refuse'
    if (nth > 1 || deferred.has(recipient)) return 'take'
    deferred.add(recipient)
    return nth === 0 ? 'later' : 'cut'
  }
  const sink = await startSink(mannerOf)
  const stage = await setStage({
    servers: 1,
    workers: 0,
    log: run.log,
    env: { SMTP_URL: sink.url, MAIL_PER_DOMAIN: '0', MAIL_PER_ADDRESS: '0' },
  })
  // Whoever is deferred is tried again after a minute; here a minute takes half a second.
  const hurry = setInterval(
    () =>
      void stage.admin.query(`update app.mail_messages set next_at = now() where state = 'queued' and attempts > 0`).catch(() => undefined),
    500,
  )
  try {
    const id = await plan(stage, size)
    const workers = [await stage.addWorker(), await stage.addWorker()]
    let killed = 0
    for (; killed < kills && !(await isOver(stage, id)); killed++) {
      const before = sink.taken.size
      // The first kills meet the finding and freezing of recipients.
      if (killed < Math.max(1, kills / 5)) await sleep(run.random.between(0, 1_500))
      else await until('some mail', 60, async () => sink.taken.size > before + size / (kills * 3) || (await isOver(stage, id)), 20)
      await sleep(run.random.between(0, 100))
      const worker = workers[run.random.between(0, 1)]
      if (!worker) break
      await worker.kill()
      await meddle(stage)
      await worker.start()
    }
    await until('the end of the message', 600, () => isOver(stage, id), 500)
    await sleep(1_500)
    const { rows } = await stage.admin.query<{ address: string; state: string }>(
      `select address, state from app.message_deliveries where message_id = $1`,
      [id],
    )
    const first = await standing(stage, id)
    const arrived = (address: string) => sink.taken.get(address) ?? 0
    const found = {
      killed,
      ...first,
      cuts: sink.cuts,
      doubled: [...sink.taken.values()].filter((times) => times > 1).length,
      lost: rows.filter(({ address, state }) => arrived(address) === 0 && !['unknown', 'failed', 'hard_bounce'].includes(state)).length,
    }
    return { found, stage, id, sink }
  } catch (error) {
    await end()
    throw error
  } finally {
    clearInterval(hurry)
  }
  async function end() {
    await stage.stop()
    await sink.stop()
  }
}

async function runMessages(run: Run): Promise<void> {
  const { kills, size, check, control } = run
  const { found, stage, id, sink } = await sendThrough(run, { kills, size }, async () => undefined)
  try {
    check('everybody is a recipient once, whatever died while they were found', found.deliveries, found.deliveries === size)
    check(`${found.killed} kills in ${size} mails: none twice`, found, found.doubled === 0)
    check(
      'none lost: each arrived, was refused or is listed as unknown',
      found,
      found.lost === 0 && found.sent + found.failed + found.unknown === size,
    )
    check(
      'unknown are at most those in the hands of a worker that died, and those cut off',
      found.unknown,
      found.unknown <= found.killed * 5 + found.cuts,
    )
    check(
      'sent only when nothing is open, and the counts say what the rows say',
      found,
      found.status === 'sent' && found.open === 0 && found.counted === size,
    )
    const again = await call(
      `${stage.servers[0]?.url}/data/messages/${id}/retry`,
      sending(await stage.as('owner'), { states: ['unknown'] }),
    )
    refuse(again, 200)
    await until('what is sent again', 120, async () => (await standing(stage, id)).status === 'sent', 250)
    const after = await standing(stage, id)
    // Addresses that were cut off only now: a killed worker had never reached them before.
    const cutNow = sink.cuts - found.cuts
    check(
      'what was unknown is sent again when somebody asks for it, and nothing else',
      { ...after, cutNow },
      after.unknown <= cutNow && after.sent + after.failed + after.unknown === size,
    )
    const most = Math.max(...sink.taken.values())
    check('even then nobody got more than two', most, most <= 2)
  } finally {
    await stage.stop()
    await sink.stop()
  }
  // What a worker had in its hands is sent again, as by a queue that only knows done from not done.
  const careless = await sendThrough(run, { kills: Math.max(4, kills), size: Math.min(size, 600) }, ({ admin }) =>
    admin.query(`update app.mail_messages set state = 'queued', handed_at = null, lease_until = null where state = 'sending'`),
  )
  await careless.stage.stop()
  await careless.sink.stop()
  control('without the mark of what was being handed over kills double mails', careless.found, careless.found.doubled > 0)
}

export const messageKills: Case = {
  name: 'messages',
  about: 'a message reaches each of its recipients once, or says whom not, whatever is killed (F1)',
  full: { kills: 5, size: 1_000 },
  run: runMessages,
}
