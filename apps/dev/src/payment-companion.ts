import type { IncomingMessage } from 'node:http'
import { readForm, serveLocally, type Reply } from './local-server.ts'
import { paymentApi } from './payment-api.ts'
import { outcomes, paymentDesk, type PaymentDesk } from './payment-desk.ts'
import { paymentEvents, type PaymentEvents } from './payment-events.ts'
import { paymentObjects } from './payment-objects.ts'
import { confirmPage, deskPage, overPage, payPage } from './payment-pages.ts'
import { openPaymentStore, type PaymentState, type PaymentStore } from './payment-store.ts'
import { freePort } from './ports.ts'
import { refuseInProduction } from './refuse-in-production.ts'

export type PaymentCompanionOptions = {
  /** Of the API and the pages; 0 for any free one. */
  port: number
  dataDir: string
  /** Where the application takes webhooks. */
  webhookUrl: string
  /** How long after a payment its payer disputes it, if they do; half a minute unless stated. */
  disputeAfterMs?: number
  /** How long after a payment its fee is reckoned; at once unless stated. Stripe takes up to an hour. */
  feeAfterMs?: number
  log?: (line: string) => void
}

export type PaymentCompanion = {
  url: string
  /** What the application is configured with. */
  secretKey: string
  webhookSecret: string
  state: PaymentState
  /** Keeps what was put into the state from outside. */
  save: () => void
  desk: PaymentDesk
  events: PaymentEvents
  stop: () => Promise<void>
}

/** Known to everybody, as the passwords of the demo people are: there is no money behind them. */
const secretKey = 'sk_test_guildhall_development'
const webhookSecret = 'whsec_guildhalldevelopment'

/**
 * Speaks the part of Stripe's API that the application uses, to Stripe's own library, with a page to pay on, real signatures, and webhooks that come late,
 * twice or out of order when somebody says so. For development; refuses to run in production.
 */
export async function startPaymentCompanion(options: PaymentCompanionOptions): Promise<PaymentCompanion> {
  const { dataDir, webhookUrl, disputeAfterMs = 30_000, feeAfterMs = 0, log = () => {} } = options
  refuseInProduction('The payment companion, which moves no money,')
  const store = await openPaymentStore(dataDir)
  const port = options.port || (await freePort())
  const url = `http://localhost:${port}`
  const objects = paymentObjects(store.state, url)
  const events = paymentEvents({ store, objects, webhookUrl, webhookSecret, log })
  const desk = paymentDesk({ store, objects, events, disputeAfterMs, feeAfterMs })
  const answerApi = paymentApi({ store, objects, desk, secretKey })
  const stopPages = await serveLocally({
    port,
    log,
    answer: (request, _response, at) =>
      at.pathname.startsWith('/v1/') ? answerApi(request, at) : answerPage({ store, desk, events }, request, at),
  })
  return {
    ...{ url, secretKey, webhookSecret, state: store.state, save: store.save, desk, events },
    async stop() {
      desk.stop()
      await events.stop()
      await stopPages()
      await store.settled()
    },
  }
}

type Parts = { store: PaymentStore; desk: PaymentDesk; events: PaymentEvents }

async function answerPage(parts: Parts, request: IncomingMessage, { pathname }: URL): Promise<Reply> {
  const { state } = parts.store
  const [, area = '', id = '', step = ''] = pathname.split('/')
  if (request.method === 'POST') {
    // Another site's form may be sent here too; a browser says where a form came from.
    const from = request.headers['sec-fetch-site']
    if (from !== undefined && from !== 'same-origin') return { status: 403, headers: {}, body: '' }
    const form = await readForm(request)
    if (area === 'pay') return pay(parts, id, step, form)
    if (area === 'webhooks') await steerWebhooks(parts, form)
    if (area === 'payments') steerPayment(parts, form)
    if (area === 'cards') steerCard(parts, form)
    if (area === 'payouts') steerPayout(parts, form)
    return goTo('/')
  }
  if (area === 'pay') {
    const session = state.sessions.find((one) => one.id === id)
    if (session?.status !== 'open') return { status: session ? 200 : 404, ...overPage(session) }
    return step === 'confirm' ? confirmPage(session) : payPage(session, step === 'declined')
  }
  return pathname === '/' ? deskPage(state) : { status: 404, ...overPage(undefined) }
}

function pay({ store, desk }: Parts, id: string, step: string, form: URLSearchParams): Reply {
  const session = store.state.sessions.find((one) => one.id === id)
  const asked = form.get('outcome')
  const outcome = asked === 'confirmed' && step === 'confirm' ? 'pays' : outcomes.find((one) => one === asked)
  if (!session || !outcome) return { status: 404, ...overPage(session) }
  if (outcome === 'confirms') return goTo(`/pay/${id}/confirm`)
  // A card whose bank asked once asks again when it is charged later.
  const done = desk.pay(session, outcome, asked === 'confirmed' ? 'confirms' : 'pays')
  if (done === 'declined') return goTo(`/pay/${id}/declined`)
  return goTo(done === 'paid' ? session.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', id) : `/pay/${id}`)
}

async function steerWebhooks({ events }: Parts, form: URLSearchParams): Promise<void> {
  const id = form.get('event')
  const ids = id === null ? undefined : [id]
  const does = form.get('do')
  if (does === 'hold' || does === 'release') events.hold(does === 'hold')
  if (does === 'release' || does === 'deliver') await events.deliver(ids)
  if (does === 'twice') await events.deliver(ids, 2)
  if (does === 'reverse') events.reverse()
  if (does === 'drop' && id !== null) events.drop(id)
}

function steerPayment({ store, desk }: Parts, form: URLSearchParams): void {
  const intent = store.state.intents.find((one) => one.id === form.get('intent'))
  const dispute = store.state.disputes.find((one) => one.intent === intent?.id)
  const does = form.get('do')
  if (intent && does === 'dispute') desk.openDispute(intent)
  if (dispute && (does === 'won' || does === 'lost')) desk.endDispute(dispute, does)
}

function steerCard({ store, desk }: Parts, form: URLSearchParams): void {
  const method = store.state.methods.find((one) => one.id === form.get('card'))
  const behaviour = (['pays', 'declines', 'confirms'] as const).find((one) => one === form.get('behaviour'))
  if (method && behaviour) desk.setBehaviour(method, behaviour)
}

function steerPayout({ store, desk }: Parts, form: URLSearchParams): void {
  const payout = store.state.payouts.find((one) => one.id === form.get('payout'))
  const status = (['in_transit', 'paid', 'failed', 'canceled'] as const).find((one) => one === form.get('status'))
  const does = form.get('do')
  if (payout && status) desk.movePayout(payout, status)
  if (does === 'pay-out') desk.payOut()
  if (does === 'deny') desk.deny(['fees', 'payouts'])
  if (does === 'allow') desk.deny([])
}

const goTo = (location: string): Reply => ({ status: 303, headers: { location }, body: '' })
