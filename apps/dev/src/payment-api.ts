import type { IncomingMessage } from 'node:http'
import type { Reply } from './local-server.ts'
import type { PaymentDesk } from './payment-desk.ts'
import { listOf, type PaymentObjects } from './payment-objects.ts'
import type { PaymentStore } from './payment-store.ts'

type Call = { method: string; path: readonly string[]; fields: URLSearchParams; expand: readonly string[] }
type Answer = { status: number; body: unknown }

const mostKept = 2_000

/** Stripe's API, as far as the application uses it: requests are forms, answers are JSON, and a request that comes again under its key does nothing. */
export function paymentApi({
  store,
  objects,
  desk,
  secretKey,
}: {
  store: PaymentStore
  objects: PaymentObjects
  desk: PaymentDesk
  secretKey: string
}) {
  const { state, save } = store

  const createSession = ({ fields }: Call): Answer => {
    const item = 'line_items[0][price_data]'
    const amount = Number(fields.get(`${item}[unit_amount]`)) * Number(fields.get('line_items[0][quantity]') ?? '1')
    if (!Number.isInteger(amount) || amount < 1) return refused('This amount is not valid.', 'line_items[0][price_data][unit_amount]')
    const expiresAt = Number(fields.get('expires_at') ?? Math.floor(Date.now() / 1000) + 86_400)
    const ahead = expiresAt - Date.now() / 1000
    if (ahead < 30 * 60 - 60 || ahead > 24 * 3600 + 60) return refused('Between 30 minutes and 24 hours from now.', 'expires_at')
    const session = desk.openSession({
      ...{ amount, currency: fields.get(`${item}[currency]`) ?? '', text: fields.get(`${item}[product_data][name]`) ?? '', expiresAt },
      ...{ customer: fields.get('customer'), email: fields.get('customer_email'), reference: fields.get('client_reference_id') },
      ...{ successUrl: fields.get('success_url') ?? '', cancelUrl: fields.get('cancel_url') ?? '' },
      save: fields.get('payment_intent_data[setup_future_usage]') === 'off_session',
      ...{ metadata: mapIn(fields, 'metadata'), intentMetadata: mapIn(fields, 'payment_intent_data[metadata]') },
    })
    return ok(objects.session(session))
  }

  const createIntent = ({ fields, expand }: Call): Answer => {
    const method = objects.found(state.methods, fields.get('payment_method'))
    if (!method || method.customer === null || method.customer !== fields.get('customer'))
      return refused('No such payment method of this customer.', 'payment_method')
    const intent = desk.chargeSaved({
      ...{ amount: Number(fields.get('amount')), currency: fields.get('currency') ?? '', text: fields.get('description') },
      ...{ customer: method.customer, method, metadata: mapIn(fields, 'metadata') },
    })
    if (intent.error === null) return ok(objects.intent(intent, expand))
    const error = { type: 'card_error', ...intent.error, payment_intent: objects.intent(intent) }
    return { status: 402, body: { error } }
  }

  const createRefund = ({ fields }: Call): Answer => {
    const intent = objects.found(state.intents, fields.get('payment_intent'))
    if (!intent || intent.charge === null) return refused('This payment has not been paid.', 'payment_intent')
    const refunded = state.refunds
      .filter((one) => one.intent === intent.id && one.status !== 'failed')
      .reduce((sum, one) => sum + one.amount, 0)
    const amount = Number(fields.get('amount') ?? intent.amount - refunded)
    if (!Number.isInteger(amount) || amount < 1 || amount > intent.amount - refunded)
      return refused(`Refund amount is greater than unrefunded amount (${intent.amount - refunded}).`, 'amount')
    return ok(objects.refund(desk.refund(intent, intent.charge, amount, mapIn(fields, 'metadata'))))
  }

  const one = <Row extends { id: string }>(rows: readonly Row[], id: string | undefined, shown: (row: Row) => unknown): Answer => {
    const row = objects.found(rows, id ?? null)
    return row ? ok(shown(row)) : missing(id)
  }

  const listPayouts = ({ fields }: Call): Answer => {
    if (Number(fields.get('limit') ?? '10') > 100) return refused('Invalid integer: must be at most 100.', 'limit')
    const [from, to] = [Number(fields.get('created[gte]') ?? '0'), Number(fields.get('created[lte]') ?? 'Infinity')]
    const status = fields.get('status')
    const rows = state.payouts.filter((one) => one.created >= from && one.created <= to && (status === null || one.status === status))
    // The newest first, as they were begun.
    return page(
      rows.toReversed().sort((a, b) => b.created - a.created),
      fields,
      objects.payout,
    )
  }

  /** A restricted key may read a payment and not what is kept of it: then the whole request is refused. */
  const denied = ({ path, expand }: Call): Answer | undefined => {
    const wants = path[0] === 'payouts' ? 'payouts' : expand.some((name) => name.endsWith('balance_transaction')) ? 'fees' : undefined
    if (wants === undefined || !state.denied.includes(wants)) return undefined
    return {
      status: 403,
      body: failure('The provided key does not have the required permissions for this endpoint.', 'invalid_request_error'),
    }
  }

  const listIntents = ({ fields, expand }: Call): Answer => {
    const since = Number(fields.get('created[gte]') ?? '0')
    const rows = state.intents.filter(({ created }) => created >= since).toReversed()
    return page(rows, fields, (row) => objects.intent(row, inData(expand)))
  }

  function answer(call: Call): Answer {
    const { method, path, fields, expand } = call
    const [area, id, verb] = path
    const of = (row: { intent: string }) => row.intent === fields.get('payment_intent')
    switch (`${method} ${area}${id === undefined ? '' : '/:id'}${verb === undefined ? '' : `/${verb}`}`) {
      case 'POST customers':
        return ok(objects.customer(desk.addCustomer(fields.get('email'), mapIn(fields, 'metadata'))))
      case 'POST checkout/:id':
        return createSession(call)
      case 'POST payment_intents':
        return createIntent(call)
      case 'GET payment_intents':
        return listIntents(call)
      case 'GET payment_intents/:id':
        return one(state.intents, id, (row) => objects.intent(row, expand))
      case 'POST payment_intents/:id/cancel':
        return one(state.intents, id, (row) => objects.intent(desk.cancel(row), expand))
      case 'POST refunds':
        return createRefund(call)
      case 'GET refunds':
        return page(state.refunds.filter(of).toReversed(), fields, (row) => objects.refund(row, inData(expand)))
      case 'GET disputes':
        return page(state.disputes.filter(of).toReversed(), fields, objects.dispute)
      case 'GET payouts':
        return listPayouts(call)
      case 'GET payouts/:id':
        return one(state.payouts, id, objects.payout)
      case 'GET events':
        return page(state.events.toReversed(), fields, objects.event)
      case 'POST payment_methods/:id/detach':
        return detach(id)
      default:
        return missing(path.join('/'))
    }
  }

  const detach = (id: string | undefined): Answer => {
    const method = objects.found(state.methods, id ?? null)
    if (!method || method.customer === null) return refused('The payment method is not attached to a customer.', 'payment_method')
    desk.detach(method)
    return ok(objects.method(method))
  }

  /** The only paths with three parts before the verb. */
  function answerSession({ method, path }: Call): Answer | undefined {
    const [area, kind, id, verb] = path
    if (area !== 'checkout' || kind !== 'sessions' || id === undefined) return undefined
    const session = objects.found(state.sessions, id)
    if (!session) return missing(id)
    if (method === 'GET') return ok(objects.session(session))
    if (verb !== 'expire' || session.status !== 'open') return refused('Only open sessions expire.', 'session')
    return ok(objects.session(desk.expire(session)))
  }

  return async function answerApi(request: IncomingMessage, url: URL): Promise<Reply> {
    if (request.headers.authorization !== `Bearer ${secretKey}`)
      return json({ status: 401, body: failure('Invalid API key.', 'authentication_error') })
    const fields = request.method === 'POST' ? new URLSearchParams(await textOf(request)) : url.searchParams
    const expand = [...fields].filter(([name]) => /^expand\[\d*\]$/.test(name)).map(([, value]) => value)
    const call: Call = { method: request.method ?? 'GET', path: url.pathname.split('/').slice(2), fields, expand }
    const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined
    const said = `${url.pathname}?${fields.toString()}`
    const before = state.answered.find((one) => one.key === key)
    if (before && before.request !== said) {
      const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.'
      return json({ status: 400, body: failure(message, 'idempotency_error') })
    }
    if (before) return { status: before.status, headers: { ...jsonHeaders, 'idempotent-replayed': 'true' }, body: before.body }
    const given = denied(call) ?? answerSession(call) ?? answer(call)
    if (typeof key === 'string' && given.status !== 401) {
      state.answered.push({ key, request: said, status: given.status, body: JSON.stringify(given.body) })
      if (state.answered.length > mostKept) state.answered.shift()
      save()
    }
    return json(given)
  }
}

function page<Row extends { id: string }>(rows: readonly Row[], fields: URLSearchParams, shown: (row: Row) => unknown): Answer {
  const limit = Math.min(Number(fields.get('limit') ?? '10'), 100)
  const after = fields.get('starting_after')
  const begin = after === null ? 0 : rows.findIndex(({ id }) => id === after) + 1
  return ok(listOf(rows.slice(begin, begin + limit).map(shown), begin + limit < rows.length))
}

/** Of a list, what is put in whole in each of its rows. */
const inData = (expand: readonly string[]) => expand.map((name) => name.replace(/^data\./, ''))

/** Values under `name[key]`. */
function mapIn(fields: URLSearchParams, name: string): Record<string, string> {
  const inside = [...fields].filter(([field]) => field.startsWith(`${name}[`) && field.endsWith(']'))
  return Object.fromEntries(inside.map(([field, value]) => [field.slice(name.length + 1, -1), value]))
}

async function textOf(request: AsyncIterable<unknown>): Promise<string> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > 100_000) break
  }
  return text
}

const jsonHeaders = { 'content-type': 'application/json', 'cache-control': 'no-store' }
const json = ({ status, body }: Answer): Reply => ({ status, headers: jsonHeaders, body: JSON.stringify(body) })
const ok = (body: unknown): Answer => ({ status: 200, body })
const failure = (message: string, type: string, more = {}) => ({ error: { type, message, ...more } })
const refused = (message: string, param: string): Answer => ({ status: 400, body: failure(message, 'invalid_request_error', { param }) })
const missing = (id: string | undefined): Answer => ({
  status: 404,
  body: failure(`No such object: ${id ?? ''}`, 'invalid_request_error', { code: 'resource_missing' }),
})
