import { afterEach, describe, expect, test, vi } from 'vitest'
import { acting } from './acting.ts'
import { apiFetch } from './api-fetch.ts'
import { ApiProblem } from './problem.ts'

type Answer = () => Response | Promise<Response>
const json = (status: number, body: object, headers: Record<string, string> = {}) => new Response(JSON.stringify(body), { status, headers })

function session(answers: Answer[], { renews = true, tracing = false, idToken = 'id', again = false } = {}) {
  const seen: Request[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    seen.push(request.clone())
    const answer = answers.shift()
    if (!answer) throw new Error('no answer left')
    return answer()
  })
  let token = 'first'
  const ended = vi.fn(async () => {})
  const renew = vi.fn(async () => {
    if (renews) token = 'second'
    return renews
  })
  return {
    send: apiFetch({ accessToken: () => token, idToken: () => idToken, hasSignedInAgain: () => again, renew, end: ended }, { tracing }),
    seen,
    ended,
    renew,
  }
}

const ask = (init: RequestInit = {}) => new Request('http://localhost/data/people', init)
const caught = async (promise: Promise<unknown>): Promise<ApiProblem> => {
  const problem = await promise.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  if (problem instanceof ApiProblem) return problem
  throw new Error('no ApiProblem was thrown')
}
afterEach(() => {
  vi.unstubAllGlobals()
  acting.set(null)
})

describe('a 401', () => {
  test('S7-3 is answered by one renewal and one replay with the new token and the same body', async () => {
    const { send, seen, renew } = session([() => json(401, {}), () => json(200, { ok: true })])
    const answer = await send(ask({ method: 'POST', body: '{"name":"Ada"}' }))
    expect(answer.status).toBe(200)
    expect(seen.map((request) => request.headers.get('authorization'))).toEqual(['Bearer first', 'Bearer second'])
    expect(await seen[1]?.text()).toBe('{"name":"Ada"}')
    expect(renew).toHaveBeenCalledOnce()
  })

  test('that comes twice ends the session', async () => {
    const { send, ended } = session([() => json(401, {}), () => json(401, { title: 'No' })])
    expect((await caught(send(ask()))).status).toBe(401)
    expect(ended).toHaveBeenCalledWith('provider')
  })

  test('without a renewal ends the session and asks no second time', async () => {
    const { send, ended, seen } = session([() => json(401, {})], { renews: false })
    expect((await caught(send(ask()))).status).toBe(401)
    expect(ended).toHaveBeenCalledOnce()
    expect(seen).toHaveLength(1)
  })
})

describe('a refusal for want of a recent sign-in', () => {
  const wanted = () => json(403, { reason: 'recent_sign_in' })
  const unknown = () => json(403, { reason: 'sign_in_time_unknown' })
  const post = () => ask({ method: 'POST', body: '{"amount":1}' })

  test('is answered with the id token, which is sent nowhere else', async () => {
    const { send, seen } = session([wanted, () => json(200, {}), () => json(200, {})])
    expect((await send(post())).status).toBe(200)
    await send(post())
    expect(seen.map((request) => request.headers.get('sign-in-proof'))).toEqual([null, 'id', null])
    expect(await seen[1]?.text()).toBe('{"amount":1}')
  })

  test('after a renewal too', async () => {
    const { send, seen } = session([() => json(401, {}), wanted, () => json(200, {})])
    expect((await send(post())).status).toBe(200)
    expect(seen.at(-1)?.headers.get('sign-in-proof')).toBe('id')
    expect(seen.at(-1)?.headers.get('authorization')).toBe('Bearer second')
    expect(await seen.at(-1)?.text()).toBe('{"amount":1}')
  })

  test('stays one where the sign-in is too old', async () => {
    expect((await caught(session([wanted, wanted]).send(post()))).reason).toBe('recent_sign_in')
  })

  test('of unknown time asks for a new sign-in first, and says so after it', async () => {
    expect((await caught(session([wanted, unknown]).send(post()))).reason).toBe('recent_sign_in')
    expect((await caught(session([wanted, unknown], { again: true }).send(post()))).reason).toBe('sign_in_time_unknown')
  })

  test('of another kind is no reason to send anything', async () => {
    const { send, seen } = session([() => json(403, { reason: 'suspended' })])
    expect((await caught(send(post()))).reason).toBe('suspended')
    expect(seen).toHaveLength(1)
  })
})

test('a problem document becomes an error with its fields, request id and waiting time', async () => {
  const body = {
    title: 'Some values are not valid',
    status: 422,
    code: 'UNPROCESSABLE_CONTENT',
    detail: 'Look again',
    requestId: 'r-1',
    errors: [{ path: 'email', code: 'invalid', message: 'Enter an address like ada@example.org' }],
  }
  const problem = await caught(session([() => json(422, body, { 'retry-after': '7' })]).send(ask()))
  expect(problem).toMatchObject({
    status: 422,
    code: 'UNPROCESSABLE_CONTENT',
    message: 'Enter an address like ada@example.org',
    requestId: 'r-1',
    retryAfterSeconds: 7,
    errors: body.errors,
  })
  expect(problem.body).toMatchObject({ title: 'Some values are not valid' })
})

test("a proxy's page in place of a document still names the status", async () => {
  const problem = await caught(
    session([() => new Response('<html>', { status: 502, statusText: 'Bad Gateway', headers: { 'x-request-id': 'r-2' } })]).send(ask()),
  )
  expect(problem).toMatchObject({ status: 502, title: 'Bad Gateway', requestId: 'r-2', errors: [] })
})

test('a network that does not answer is a problem of its own', async () => {
  const failing = () => {
    throw new TypeError('Failed to fetch')
  }
  expect((await caught(session([failing]).send(ask()))).isNetwork).toBe(true)
})

test('every POST carries a key that makes repeating it harmless, and keeps the one it was given', async () => {
  const { send, seen } = session([() => json(200, {}), () => json(200, {}), () => json(200, {})])
  await send(ask({ method: 'POST' }))
  await send(ask({ method: 'POST', headers: { 'idempotency-key': 'mine' } }))
  await send(ask())
  expect(seen[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/)
  expect(seen[1]?.headers.get('idempotency-key')).toBe('mine')
  expect(seen[2]?.headers.has('idempotency-key')).toBe(false)
})

describe('a trace', () => {
  const traceOf = (request?: Request) => request?.headers.get('traceparent')

  test('begins with each request where the installation traces, and a replay belongs to it', async () => {
    const { send, seen } = session([() => json(401, {}), () => json(200, {}), () => json(200, {})], { tracing: true })
    await send(ask())
    await send(ask())
    const [first, replay, second] = seen.map(traceOf)
    expect(first).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/)
    expect(replay).toBe(first)
    expect(second?.split('-')[1]).not.toBe(first?.split('-')[1])
  })

  test('is not spoken of anywhere else', async () => {
    const { send, seen } = session([() => json(200, {})])
    await send(ask())
    expect(traceOf(seen[0])).toBeNull()
  })
})

describe('a tab that acts for somebody', () => {
  const lena = '0190a000-0000-7000-8000-000000000020'
  const whom = (seen: Request[]) => seen.map((request) => request.headers.get('acting-for'))

  test('says so with everything it asks, a replay after a renewal included, and no other tab does', async () => {
    const { send, seen } = session([() => json(200, {}), () => json(401, {}), () => json(200, {}), () => json(200, {})])
    await send(ask())
    acting.set(lena)
    await send(ask({ method: 'POST', body: '{}' }))
    acting.set(null)
    await send(ask())
    expect(whom(seen)).toEqual([null, lena, lena, null])
    expect(sessionStorage.getItem('acting-for')).toBeNull()
  })

  test('replays for whom it was asked, whoever acts by then', async () => {
    acting.set(lena)
    const switching = () => {
      acting.set(null)
      return json(401, {})
    }
    const { send, seen } = session([switching, () => json(200, {})])
    await send(ask({ method: 'POST', body: '{}' }))
    expect(whom(seen)).toEqual([lena, lena])
  })

  test('is itself again when it may act no longer, and for no other reason', async () => {
    acting.set(lena)
    const { send } = session([() => json(403, { reason: 'not_while_acting' }), () => json(403, { reason: 'acting_not_allowed' })])
    expect((await caught(send(ask()))).reason).toBe('not_while_acting')
    expect(acting.get()).toBe(lena)
    expect((await caught(send(ask()))).reason).toBe('acting_not_allowed')
    expect(acting.get()).toBeNull()
  })

  test('is not taken out of what it does by an answer that was for somebody before', async () => {
    acting.set('0190a000-0000-7000-8000-000000000021')
    const late = () => {
      acting.set(lena)
      return json(403, { reason: 'acting_not_allowed' })
    }
    await caught(session([late]).send(ask()))
    expect(acting.get()).toBe(lena)
  })
})
