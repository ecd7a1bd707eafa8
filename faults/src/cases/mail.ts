import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { startSink } from '../mail-sink.ts'
import { rowOf, setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

const write = ({ admin, orgId }: Stage, count: number) =>
  admin.query(
    `with invited as (
       insert into app.accounts (org_id, email, status) select $1, 'mail' || n || '@kills.example', 'invited' from generate_series(1, $2::int) n returning id)
     insert into app.mail_messages (org_id, template, account_id, params, essential)
       select $1, 'invitation', id, jsonb_build_object('account', id), true from invited`,
    [orgId, count],
  )

const statesOf = ({ admin }: Stage) =>
  rowOf<{ open: number; sent: number; unknown: number; other: number }>(
    admin,
    `select (count(*) filter (where settled_at is null))::int as open, (count(*) filter (where state = 'sent'))::int as sent,
       (count(*) filter (where state = 'unknown'))::int as unknown, (count(*) filter (where state in ('failed', 'suppressed')))::int as other
     from app.mail_messages where template = 'invitation'`,
  )

/** Two workers send so many mails while one or the other is killed; after each kill `meddle` may do what our own code does not. */
async function sendThrough(run: Run, { kills, size }: { kills: number; size: number }, meddle: (stage: Stage) => Promise<unknown>) {
  const sink = await startSink()
  const stage = await setStage({
    servers: 0,
    workers: 0,
    log: run.log,
    env: { SMTP_URL: sink.url, MAIL_PER_DOMAIN: '0', MAIL_PER_ADDRESS: '0' },
  })
  try {
    await write(stage, size)
    const workers = [await stage.addWorker(), await stage.addWorker()]
    let killed = 0
    for (; killed < kills; killed++) {
      const before = sink.taken.size
      await until('some mail', 60, async () => sink.taken.size > before + size / (kills * 3) || (await statesOf(stage)).open === 0, 20)
      await sleep(run.random.between(0, 100))
      const worker = workers[run.random.between(0, 1)]
      if (!worker || (await statesOf(stage)).open === 0) break
      await worker.kill()
      await meddle(stage)
      await worker.start()
    }
    await until('the last mail', 300, async () => (await statesOf(stage)).open === 0, 500)
    const { rows } = await stage.admin.query<{ address: string; state: string }>(
      `select sent_to as address, state from app.mail_messages where template = 'invitation'`,
    )
    const arrived = (address: string) => sink.taken.get(address) ?? 0
    return {
      killed,
      ...(await statesOf(stage)),
      arrived: [...sink.taken.values()].reduce((sum, times) => sum + times, 0),
      doubled: [...sink.taken.values()].filter((times) => times > 1).length,
      lost: rows.filter(({ address, state }) => arrived(address) === 0 && state !== 'unknown').length,
    }
  } finally {
    await stage.stop()
    await sink.stop()
  }
}

async function runMail(run: Run): Promise<void> {
  const { kills, size, check, control } = run
  const found = await sendThrough(run, { kills, size }, async () => undefined)
  check(`${found.killed} kills in ${size} mails: none twice`, found, found.doubled === 0)
  check('none lost: each arrived or is listed as unknown', found, found.lost === 0 && found.sent + found.unknown === size)
  check('unknown are at most those in the hands of a worker that died', found.unknown, found.unknown <= found.killed * 5)
  // What a worker had in its hands is sent again, as by a queue that only knows done from not done.
  const careless = await sendThrough(run, { kills: Math.max(4, kills), size: Math.min(size, 600) }, ({ admin }) =>
    admin.query(`update app.mail_messages set state = 'queued', handed_at = null, lease_until = null where state = 'sending'`),
  )
  control('without the mark of what was being handed over kills double mails', careless, careless.doubled > 0)
}

export const mailKills: Case = {
  name: 'mail',
  about: 'a mail arrives once, or is listed as unknown, whatever is killed (F1)',
  full: { kills: 10, size: 2_000 },
  run: runMail,
}
