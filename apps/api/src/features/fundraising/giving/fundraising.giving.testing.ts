import type pg from 'pg'
import { createApp } from '../../../app.ts'
import { jobHandlers } from '../../../jobs.ts'
import { mailTemplates } from '../../../mails.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { sendDue } from '../../../platform/mail/outbox.ts'
import { createServices } from '../../../platform/services.ts'
import type { Services } from '../../../platform/services.ts'
import { clientFor } from '../../../testing.ts'
import type { Client, TestPerson } from '../../../testing.ts'
import { memoryProvider } from '../../payments/payments.testing.ts'
import type { MemoryProvider } from '../../payments/payments.testing.ts'
import { test as base } from '../fundraising.testing.ts'

type Page = { status: number; text: string; headers: Record<string, unknown> }
type GiftRow = {
  id: string
  status: string
  amount: number
  fee: number
  refunded: number
  counted: number
  plan: string | null
  dueOn: string | null
  person: string | null
  twin: string | null
  receipts: string[]
}
export type Queued = { queue: string; data: Record<string, string> }
type PlanRow = {
  id: string
  status: string
  startedOn: string | null
  nextOn: string | null
  retryOn: string | null
  failures: number
  amount: number
}

/** A server that serves the organisation and takes cards of a provider in memory, and a worker whose jobs run when a test says so. */
export type Till = {
  memory: MemoryProvider
  /** Jobs that wait; `work` does all of them, and a walk takes them in any order. */
  due: Queued[]
  run(job: Queued): Promise<void>
  worker: Services
  as(person: TestPerson): Client
  /** Opens a public page, or sends its form; each time from another network unless one is named. */
  open(path: string, form?: Record<string, string>, from?: string): Promise<Page>
  /** The form of a campaign, filled in. */
  give(slug: string, more?: Record<string, string>): Promise<Page>
  /** What the provider was asked for, in the order of time. */
  begun(): string[]
  /** What happened at the provider is told here. */
  hear(paymentId: string): Promise<void>
  /** Paid on the page of the provider, of which we hear so often. */
  pay(paymentId: string, times?: number): Promise<void>
  /** What waits in the queues of payments and giving runs, until nothing waits. */
  work(): Promise<void>
  /** So many days go by, and then the daily run is made; `day` also does what it asks of others. */
  later(days: number): Promise<void>
  day(days: number): Promise<void>
  gifts(): Promise<GiftRow[]>
  plans(): Promise<PlanRow[]>
  /** Sends the mails that wait, and answers those to an address. */
  mailed(address: string): Promise<Mail[]>
}

const giftsOf = `select g.id, g.status, g.amount::int as amount, g.fee_covered::int as fee, g.refunded_amount::int as refunded, g.counted_amount::int as counted, g.plan_id as plan,
    g.due_on::text as "dueOn", g.person_id as person, g.twin_of_id as twin,
    coalesce((select array_agg(r.state order by r.id) from app.receipts r where r.org_id = g.org_id and r.gift_id = g.id), '{}') as receipts
  from app.gifts g where g.org_id = $1 order by g.id`
const plansOf = `select r.id, r.status, r.started_on::text as "startedOn", r.next_on::text as "nextOn", r.retry_on::text as "retryOn", r.failures, r.amount::int as amount
  from app.recurring_plans r where r.org_id = $1 order by r.id`

const clocks = ['app.today()', 'app_private.today_in(uuid)', 'app_private.today_of(uuid)']
/** Lets organisations have another day than the calendar: as many days later as stand in a table. Answers what puts everything back. */
async function movableClock(admin: pg.Pool): Promise<() => Promise<void>> {
  await admin.query(
    'create table app_private.days_later (org_id uuid primary key, days int not null); grant select on app_private.days_later to app_definer',
  )
  const sources: string[] = []
  for (const clock of clocks) {
    const { rows } = await admin.query<{ text: string }>('select pg_get_functiondef($1::regprocedure) as text', [clock])
    const text = rows[0]?.text ?? ''
    sources.push(text)
    const later =
      '(now() at time zone o.timezone)::date + coalesce((select d.days from app_private.days_later d where d.org_id = o.org_id), 0)'
    const moved = text.replace('(now() at time zone o.timezone)::date', later)
    await admin.query(moved)
  }
  return async () => {
    for (const text of sources) await admin.query(text)
    await admin.query('drop table app_private.days_later')
  }
}

export const test = base.extend<{ till: Till }>({
  till: async ({ api, admin, org }, use) => {
    const putBack = await movableClock(admin)
    let daysLater = 0
    const memory = memoryProvider(undefined, () => new Date(Date.now() + daysLater * 86_400_000))
    const made = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    const due: Queued[] = []
    const sent: Mail[] = []
    const send: Services['jobs']['send'] = async (_db, queue, data) => void due.push({ queue, data })
    const worker: Services = {
      ...made,
      payments: memory.provider,
      mailer: { ...made.mailer, send: async (mail: Mail) => void sent.push(mail) },
      jobs: { ...made.jobs, send },
    }
    const app = await createApp({
      ...api.services,
      ...{
        config: { ...api.services.config, ORG_ID: org.id },
        payments: memory.provider,
        jobs: { ...api.services.jobs, send },
      },
    })
    const handlers = jobHandlers(worker)
    const job = { id: 'test', signal: new AbortController().signal }
    let nth = 0
    const open: Till['open'] = async (path, form, from) => {
      nth += 1
      const answer = await app.inject({
        ...{ method: form ? 'POST' : 'GET', url: path, remoteAddress: from ?? `203.${nth % 250}.${Math.floor(nth / 250)}.9` },
        ...(form && { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: new URLSearchParams(form).toString() }),
      })
      return { status: answer.statusCode, text: answer.body, headers: answer.headers }
    }
    const run: Till['run'] = async ({ queue, data }) => {
      if (queue === 'payments' || queue === 'giving' || queue === 'bulk') await handlers[queue]?.(data, job)
    }
    const work: Till['work'] = async () => {
      for (let next = due.shift(); next; next = due.shift()) await run(next)
    }
    const later: Till['later'] = async (days) => {
      daysLater += days
      await admin.query(
        'insert into app_private.days_later (org_id, days) values ($1, $2) on conflict (org_id) do update set days = excluded.days',
        [org.id, daysLater],
      )
      const { rows } = await admin.query<{ today: string }>('select app_private.today_of($1)::text as today', [org.id])
      await handlers.giving?.({ org: org.id, on: rows[0]?.today ?? '' }, job)
    }
    const hear = async (payment: string) => handlers.payments?.({ does: 'read', org: org.id, payment }, job)
    await use({
      ...{ memory, due, run, worker, open, work, hear, later },
      as: (person) => clientFor(app, person),
      give: (slug, more = {}) => open(`/public/giving/${slug}`, { own: '25', name: 'Kim Larsen', email: 'kim@example.org', ...more }),
      begun: () => [...memory.rows.keys()],
      async pay(payment, times = 1) {
        memory.pay(payment)
        for (let time = 0; time < times; time += 1) await hear(payment)
      },
      async day(days) {
        await later(days)
        await work()
      },
      gifts: async () => (await admin.query<GiftRow>(giftsOf, [org.id])).rows,
      plans: async () => (await admin.query<PlanRow>(plansOf, [org.id])).rows,
      async mailed(address) {
        for (let claimed = 1; claimed > 0;) {
          await admin.query(`update app.mail_messages set next_at = now(), paced = true where org_id = $1 and state = 'queued'`, [org.id])
          ;({ claimed } = await sendDue(worker, mailTemplates))
        }
        return sent.filter(({ to }) => to === address)
      },
    })
    await app.close()
    await made.close()
    await putBack()
  },
})
