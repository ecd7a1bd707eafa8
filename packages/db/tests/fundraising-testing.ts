import { randomUUID } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import { expect } from 'vitest'
import { openDatabase } from '../src/index.ts'
import type { Database } from '../src/index.ts'
import { testDatabase } from '../src/testing.ts'
import { setStage } from './stage.ts'
import type { Role, Stage } from './stage.ts'

type Row = Record<string, unknown>
type Said = Record<string, unknown>

/** The stage with two funds and campaigns of the organisation and of West, and everything that happens to gifts. */
export async function setGiving() {
  const stage = await setStage()
  const { workerUrl, actorKey } = await testDatabase()
  const worker = openDatabase({ url: workerUrl, actorKey, poolSize: 4 })
  const giving = actsOf(stage, worker)
  const general = await giving.fund('General')
  const library = await giving.fund('Library')
  const campaign = await giving.newCampaign({ name: 'Spring appeal', fund_id: general })
  return {
    ...giving,
    stage,
    orgId: stage.west.orgId,
    general,
    library,
    campaign,
    async end() {
      await worker.close()
      await stage.end()
    },
  }
}
export type Giving = Awaited<ReturnType<typeof setGiving>>

function actsOf(stage: Stage, worker: Database) {
  const { orgId } = stage.west
  const rows = async <R = Row>(text: string, values: unknown[] = []): Promise<R[]> => (await stage.admin.query(text, values)).rows as R[]
  const one = async <R = Row>(text: string, values: unknown[] = []): Promise<R> => {
    const [row] = await rows<R>(text, values)
    if (row === undefined) throw new Error(`nothing came of: ${text}`)
    return row
  }
  const as = async <R = Row>(role: Role, text: string, values: unknown[] = []): Promise<R[]> =>
    stage.database.asActor(stage.actors[role], async (db) => (await db.executeQuery(CompiledQuery.raw(text, values))).rows as R[], {
      statementTimeoutMs: 60_000,
    })
  const nobody = async <R = Row>(text: string, values: unknown[] = []): Promise<R[]> =>
    stage.database.withoutActor(async (db) => (await db.executeQuery(CompiledQuery.raw(text, values))).rows as R[])
  const asWorker = async <R = Row>(text: string, values: unknown[] = []): Promise<R[]> =>
    worker.withoutActor(async (db) => (await db.executeQuery(CompiledQuery.raw(text, values))).rows as R[])

  const insert = async (table: string, row: Said): Promise<string> => {
    const names = Object.keys(row)
    const { id } = await one<{ id: string }>(
      `insert into app.${table} (${names.join(', ')}) values (${names.map((_, n) => `$${n + 1}`).join(', ')}) returning id`,
      Object.values(row),
    )
    return id
  }
  const gift = (id: string) => one<GiftRow>('select * from app.gifts where id = $1', [id])
  const ofGift = <R = Row>(table: string, id: string) => rows<R>(`select * from app.${table} where gift_id = $1 order by id`, [id])

  /** What the provider says of a payment by now; each time it is read anew. */
  async function read(paymentId: string, said: Said = {}) {
    const { amount, currency, reads } = await one<{ amount: string; currency: string; reads: number }>(
      `select p.amount, p.currency, coalesce(r.reads, 0) as reads from app.payments p left join app.payment_readings r on r.org_id = p.org_id and r.payment_id = p.id where p.id = $1`,
      [paymentId],
    )
    const whole = {
      ...{ state: 'settled', failure: null, intent: `pi_${paymentId}`, customer: `cus_${paymentId}`, settled_at: new Date().toISOString() },
      ...{ amount: Number(amount), currency, is_live: true, counts: true, dispute: null, dispute_state: null, refunds: [], saved: null },
      ...said,
    }
    const [answer] = await asWorker<{ applied: Row | null }>('select app.apply_reading($1, $2, $3, $4::jsonb) as applied', [
      orgId,
      paymentId,
      reads,
      JSON.stringify(whole),
    ])
    return answer?.applied
  }

  return {
    rows,
    one,
    as,
    nobody,
    asWorker,
    insert,
    gift,
    read,
    fund: (name: string, more: Said = {}) => insert('funds', { org_id: orgId, name: `${name} ${randomUUID().slice(0, 8)}`, ...more }),
    newCampaign: (row: Said) => insert('campaigns', { org_id: orgId, status: 'active', currency: 'EUR', min_amount: 1, ...row }),
    person: (name = 'Ada', more: Said = {}) =>
      insert('people', { org_id: orgId, given_name: name, family_name: randomUUID().slice(0, 8), ...more }),
    payments: (id: string) => ofGift<PaymentRow>('payments', id),
    receipts: (id: string) => ofGift('receipts', id),
    allocations: async (id: string) =>
      (
        await rows<{ amount: string; settled_amount: string }>(
          'select amount, settled_amount from app.gift_allocations where gift_id = $1 order by place',
          [id],
        )
      ).map((row) => [Number(row.amount), Number(row.settled_amount)]),
    mails: (template: string) =>
      rows<{ person_id: string | null; address: string | null; params: Row }>(
        'select person_id, address, params from app.mail_messages where org_id = $1 and template = $2 order by id',
        [orgId, template],
      ),
    async record(said: Said, role: Role = 'owner'): Promise<string> {
      const [made] = await as<{ id: string }>(role, 'select app.record_gift($1::jsonb) as id', [
        JSON.stringify({ method: 'cash', ...said }),
      ])
      return made?.id ?? ''
    },
    async begin(said: Said, role: Role = 'member', counted = true): Promise<Begun> {
      const [begun] = await as<Begun>(role, 'select * from app.begin_gift($1::jsonb, $2, $3)', [JSON.stringify(said), counted, counted])
      return begun as Begun
    },
    async beginPublic(slug: string, said: Said, counted = true): Promise<Begun> {
      const [begun] = await nobody<Begun>('select * from app.begin_public_gift($1, $2, $3::jsonb, $4, $4)', [
        await idpOrg(),
        slug,
        JSON.stringify({ donor_name: 'Grace Guest', donor_email: 'grace@example.org', ...said }),
        counted,
      ])
      return begun as Begun
    },
    giftOf: async (paymentId: string) => {
      const { gift_id } = await one<{ gift_id: string }>('select gift_id from app.payments where id = $1', [paymentId])
      return gift(gift_id)
    },
    async refund(paymentId: string, amount: number, role: Role = 'owner') {
      await stage.database.asActor(stage.actors[role], async (db) => {
        await db.executeQuery(CompiledQuery.raw(`select app.request_refund($1, $2, 'Asked for')`, [paymentId, amount]))
        await db.executeQuery(CompiledQuery.raw('select app.apply_refund($1)', [paymentId]))
      })
    },
    plan: (id: string) =>
      one<PlanRow>(
        'select *, started_on::text, next_on::text, retry_on::text, first_failed_on::text from app.recurring_plans where id = $1',
        [id],
      ),
    totals: async (campaignId: string) => {
      const row = await one(
        `select gifts, donors, settled_amount::float8 as settled, refunded_amount::float8 as refunded, pledged_amount::float8 as pledged, recurring_amount::float8 as recurring, plans
         from app.campaign_totals where campaign_id = $1`,
        [campaignId],
      )
      return row
    },
    /** Everything that is kept beside gifts, in the words of the tables. */
    async derived() {
      const tables = {
        campaign_totals: 'campaign_id',
        campaign_days: 'campaign_id, day, currency',
        campaign_donors: 'campaign_id, donor_key',
        donors: 'person_id',
        donor_years: 'person_id, year',
        gift_allocations: 'gift_id, fund_id',
        pledges: 'id',
        campaign_sizes: 'campaign_id, from_amount',
        campaign_fund_totals: 'campaign_id, fund_id',
      }
      const found: Record<string, Row[]> = {}
      for (const [table, order] of Object.entries(tables))
        found[table] = await rows(
          `select to_jsonb(t) - array['version', 'updated_at'] as row from app.${table} t where org_id = $1 order by ${order}`,
          [orgId],
        )
      // A row of a fund or a chapter that has nothing any more may stay.
      found['fund_totals'] = await rows(
        `select to_jsonb(t) as row from app.fund_totals t where org_id = $1 and (gifts, amount) <> (0, 0) order by fund_id, currency`,
        [orgId],
      )
      found['chapter_shares'] = await rows(
        `select to_jsonb(t) as row from app.chapter_shares t where org_id = $1 and (gifts, earned_amount, paid_amount) <> (0, 0, 0) order by chapter_id, currency`,
        [orgId],
      )
      return found
    },
    refresh: () => rows('select app.refresh_giving($1)', [orgId]),
  }

  async function idpOrg(): Promise<string> {
    const { idp } = await one<{ idp: string | null }>('select idp_org_id as idp from app.organisations where org_id = $1', [orgId])
    return idp ?? ''
  }
}

export type Begun = {
  payment_id: string
  amount: number
  number: string
  email: string | null
  customer: string | null
  saves: boolean
  stale_sessions: string[]
}
export type GiftRow = {
  id: string
  status: string
  amount: string
  fee_covered: string
  refunded_amount: string
  counted_amount: string
  counts: boolean
  person_id: string | null
  plan_id: string | null
  chapter_id: string | null
  campaign_id: string | null
  share_amount: string
  twin_of_id: string | null
  version: number
  thanked_how: string | null
}
export type PaymentRow = {
  id: string
  state: string
  kind: string
  person_id: string | null
  amount: string
  books_chapter_id: string | null
}
export type PlanRow = {
  id: string
  status: string
  person_id: string | null
  started_on: string | null
  next_on: string | null
  retry_on: string | null
  first_failed_on: string | null
  failures: number
  stopped_by: string | null
  version: number
  amount: string
}

export const someone = (g: Giving) => g.person('Ada')
/** How a rule says no. */
export const refusal = (constraint: string) => ({ constraint })
/** What is kept beside the gifts is what comes of counting them anew. */
export async function addsUp(g: Giving) {
  const kept = await g.derived()
  await g.refresh()
  expect(kept).toEqual(await g.derived())
}
