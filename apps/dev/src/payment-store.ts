import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readJson, writeJson } from './json-files.ts'

const metadata = z.record(z.string(), z.string())
const made = { id: z.string(), created: z.number() }

const Customer = z.object({ ...made, email: z.string().nullable(), metadata })
const Method = z.object({
  ...made,
  customer: z.string().nullable(),
  brand: z.string(),
  last4: z.string(),
  expMonth: z.number(),
  expYear: z.number(),
  /** What its bank says when it is charged while its owner is away. */
  behaviour: z.enum(['pays', 'declines', 'confirms']),
})
const Session = z.object({
  ...made,
  amount: z.number(),
  currency: z.string(),
  text: z.string(),
  customer: z.string().nullable(),
  email: z.string().nullable(),
  save: z.boolean(),
  successUrl: z.string(),
  cancelUrl: z.string(),
  expiresAt: z.number(),
  reference: z.string().nullable(),
  metadata,
  intentMetadata: metadata,
  status: z.enum(['open', 'complete', 'expired']),
  intent: z.string().nullable(),
})
const Intent = z.object({
  ...made,
  amount: z.number(),
  currency: z.string(),
  text: z.string().nullable(),
  customer: z.string().nullable(),
  method: z.string().nullable(),
  save: z.boolean(),
  status: z.enum(['requires_payment_method', 'requires_action', 'processing', 'succeeded', 'canceled']),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  charge: z.string().nullable(),
  metadata,
  /** When its payer will dispute it, in milliseconds. */
  disputeAt: z.number().nullable(),
})
const Charge = z.object({
  ...made,
  intent: z.string(),
  amount: z.number(),
  disputed: z.boolean(),
  /** When the provider has reckoned its fee, in milliseconds; at once unless stated. */
  bookedAt: z.number().optional(),
})
const Refund = z.object({
  ...made,
  intent: z.string(),
  charge: z.string(),
  amount: z.number(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  metadata,
  /** What of the fee is given back with it. */
  feeBack: z.number().optional(),
})
const Dispute = z.object({
  ...made,
  intent: z.string(),
  charge: z.string(),
  amount: z.number(),
  status: z.enum(['needs_response', 'won', 'lost']),
})
const Payout = z.object({
  ...made,
  amount: z.number(),
  currency: z.string(),
  /** Beginning of a day in UTC. */
  arrival: z.number(),
  status: z.enum(['pending', 'in_transit', 'paid', 'failed', 'canceled']),
})
/** An event and how far it came: what was sent and answered, or waits to be. */
const Event = z.object({
  ...made,
  type: z.string(),
  object: z.unknown(),
  delivery: z.enum(['waiting', 'delivered', 'failed', 'dropped']),
  attempts: z.number(),
  answer: z.string().nullable(),
})
const Answered = z.object({ key: z.string(), request: z.string(), status: z.number(), body: z.string() })

const State = z.object({
  customers: z.array(Customer),
  methods: z.array(Method),
  sessions: z.array(Session),
  intents: z.array(Intent),
  charges: z.array(Charge),
  refunds: z.array(Refund),
  disputes: z.array(Dispute),
  events: z.array(Event),
  answered: z.array(Answered),
  payouts: z.array(Payout).default([]),
  /** What the key of the application may not read. */
  denied: z.array(z.enum(['fees', 'payouts'])).default([]),
  isHeld: z.boolean(),
})
export type PaymentState = z.infer<typeof State>
export type Customer = z.infer<typeof Customer>
export type Method = z.infer<typeof Method>
export type Session = z.infer<typeof Session>
export type Intent = z.infer<typeof Intent>
export type Charge = z.infer<typeof Charge>
export type Refund = z.infer<typeof Refund>
export type Dispute = z.infer<typeof Dispute>
export type Payout = z.infer<typeof Payout>
export type PaymentEvent = z.infer<typeof Event>

export type PaymentStore = { state: PaymentState; save: () => void; settled: () => Promise<void> }

const empty = (): PaymentState => ({
  ...{ customers: [], methods: [], sessions: [], intents: [], charges: [], refunds: [], disputes: [], events: [], answered: [] },
  ...{ payouts: [], denied: [] },
  isHeld: false,
})
const mostRows = 5_000

/** Everything in one file, which is replaced as a whole after each change; of each kind the newest 5,000 stay. */
export async function openPaymentStore(dataDir: string): Promise<PaymentStore> {
  const folder = join(dataDir, 'payments')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'payments.json')
  const state = (await readJson(State, file)) ?? empty()
  let writing = Promise.resolve()
  let isDue = false
  const save = () => {
    if (isDue) return
    isDue = true
    writing = writing.then(async () => {
      isDue = false
      for (const rows of Object.values(state)) if (Array.isArray(rows) && rows.length > mostRows) rows.splice(0, rows.length - mostRows)
      await writeJson(file, state)
    })
  }
  return { state, save, settled: () => writing }
}

export const newId = (kind: string): string => `${kind}_${randomBytes(12).toString('hex')}`
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000)
