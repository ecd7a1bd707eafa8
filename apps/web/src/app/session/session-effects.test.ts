import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { User } from 'oidc-client-ts'
import { expect, test, vi } from 'vitest'
import { acting } from '../../platform/api/acting.ts'
import type { Auth } from '../../platform/auth/auth.ts'
import { recordChange, lastUndoable } from '../../platform/activity/recent-changes.ts'
import { fake, fakeApi, me as owner } from '../../testing/fake-api.ts'
import { fakeAuth } from '../../testing/fake-auth.ts'
import type { SessionTool } from '../../platform/session/session-tools.ts'
import { createAppRouter } from '../router.tsx'
import { followSession } from './session-effects.ts'

const user = new User({ access_token: 'x', token_type: 'Bearer', profile: { iss: '', sub: '', aud: '', exp: 0, iat: 0 } })

function followed(updateLogin: () => void | Promise<void>, tools: SessionTool[] = [], at = '/privacy', others: object = {}) {
  const heard = new Map<string, (value: never) => void>()
  const on: Auth['on'] = (event, handler) => {
    heard.set(event, handler)
    return () => true
  }
  const auth = { ...fakeAuth().auth, on }
  const api = fakeApi({ data: { account: { updateLogin: fake.data.account.updateLogin.handler(updateLogin), ...others } } })
  const queries = new QueryClient()
  const router = createAppRouter({ auth, api, queries }, createMemoryHistory({ initialEntries: [at] }))
  followSession(auth, api, queries, router, tools)
  const raise = (event: 'loaded' | 'unloaded' | 'ended', value?: unknown) =>
    Reflect.apply(heard.get(event) ?? (() => {}), undefined, [value])
  return { raise, queries, router, api }
}

test('C02 S7-1 every loaded user is told to the server, once each', async () => {
  const login = vi.fn()
  const { raise } = followed(login)
  raise('loaded', user)
  raise('loaded', user)
  await vi.waitFor(() => expect(login).toHaveBeenCalledTimes(2))
})

test('C01 S8-1 a last-login call that fails is only logged, with the text of the specification', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  followed(() => {
    throw new Error('down')
  }).raise('loaded', user)
  await vi.waitFor(() => expect(log).toHaveBeenCalledWith('Failed to update last_login and status for account'))
  log.mockRestore()
})

test('whoever has an account only by this sign-in is let in, and what was refused meanwhile is asked again', async () => {
  let [isOpen, asked, refusedElsewhere] = [false, 0, 0]
  let open = () => {}
  const noting = new Promise<void>((resolve) => (open = resolve))
  const me = fake.data.account.me.handler(({ errors }) => {
    asked++
    if (!isOpen) throw errors.FORBIDDEN({ data: { reason: 'no_account' } })
    return owner()
  })
  const { raise, queries, api } = followed(() => noting, [], '/privacy', { me })
  const page = new QueryObserver(queries, {
    queryKey: ['page'],
    queryFn: () => {
      if (isOpen) return 'shown'
      refusedElsewhere++
      throw new Error('refused')
    },
    retry: false,
  })
  const leave = page.subscribe(() => {})
  raise('loaded', user)
  const key = api.data.account.me.queryKey()
  await vi.waitFor(() => expect([asked, refusedElsewhere]).toEqual([1, 1]))
  // Not told that they have no account while nobody knows yet.
  expect(queries.getQueryState(key)?.status).toBe('pending')
  isOpen = true
  open()
  await vi.waitFor(() => expect(queries.getQueryData(key)).toEqual(owner()))
  await vi.waitFor(() => expect(page.getCurrentResult().data).toBe('shown'))
  expect(asked).toBe(2)
  leave()
})

test('whoever has no account after the sign-in either is told so, without being asked for again', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const asked = vi.fn()
  const me = fake.data.account.me.handler(({ errors }) => {
    asked()
    throw errors.FORBIDDEN({ data: { reason: 'no_account' } })
  })
  const updateLogin = fake.data.account.updateLogin.handler(({ errors }) => {
    throw errors.FORBIDDEN({ data: { reason: 'no_account' } })
  })
  const { raise, queries, api } = followed(() => {}, [], '/privacy', { me, updateLogin })
  raise('loaded', user)
  const state = () => queries.getQueryState(api.data.account.me.queryKey())
  await vi.waitFor(() => expect(state()?.error).toMatchObject({ status: 403, reason: 'no_account' }))
  expect(asked).toHaveBeenCalledTimes(1)
  log.mockRestore()
})

test('whoever comes next at this screen finds nothing of the one before', () => {
  const { raise, queries } = followed(() => {})
  queries.setQueryData(['people'], ['Ada'])
  recordChange('Ada archived', () => Promise.resolve())
  raise('unloaded')
  expect(queries.getQueryData(['people'])).toBeUndefined()
  expect(lastUndoable()).toBeUndefined()
})

test('S4-2 S4-3 tools are told who is there at every load, and at the end that nobody is', () => {
  const told: unknown[] = []
  const tool = { identify: (who: object) => told.push(who), reset: () => told.push('nobody') }
  const { raise } = followed(() => {}, [tool])
  const profile = { ...user.profile, sub: 'ada', name: 'Ada', email: 'ada@example.org' }
  const ada = new User({ access_token: 'x', token_type: 'Bearer', profile })
  raise('loaded', ada)
  raise('loaded', user)
  raise('unloaded')
  expect(told).toEqual([{ id: 'ada', name: 'Ada', email: 'ada@example.org' }, { id: '', name: '', email: '' }, 'nobody'])
})

test('S4-4 a session whose time is up leads to the front page, one ended elsewhere stays where it was', async () => {
  const { raise, router } = followed(() => {})
  raise('ended', 'provider')
  await vi.waitFor(() => expect(router.state.status).toBe('idle'))
  expect(router.history.location.pathname).toBe('/privacy')
  raise('ended', 'expired')
  await vi.waitFor(() => expect(router.history.location.pathname).toBe('/'))
})

test('S4-9 after a sign-out in a window of its own a protected page leads to the front page, any other to the base', async () => {
  const assign = vi.fn()
  vi.stubGlobal('location', Object.assign({}, globalThis.location, { assign }))
  const protectedPage = followed(() => {}, [], '/careers')
  void protectedPage.router.load()
  const shown = () => protectedPage.router.state.matches.map(({ routeId }) => routeId)
  await vi.waitFor(() => expect(shown()).toContain('/signed-in'), { timeout: 15_000 })
  protectedPage.raise('ended', 'signed out')
  await vi.waitFor(() => expect(protectedPage.router.history.location.pathname).toBe('/'))
  expect(assign).not.toHaveBeenCalled()
  const open = followed(() => {})
  await open.router.load()
  open.raise('ended', 'signed out')
  expect(assign).toHaveBeenCalledWith('http://localhost:3000/')
  vi.unstubAllGlobals()
})

test('who begins or ends to act for somebody begins anew and finds nothing of the one before; a sign-out ends it', () => {
  const left = vi.fn()
  vi.stubGlobal('location', Object.assign({}, globalThis.location, { assign: left }))
  try {
    const { raise } = followed(() => {})
    recordChange('Ada archived', () => Promise.resolve())
    acting.set('0190a000-0000-7000-8000-000000000020')
    expect(left).toHaveBeenLastCalledWith('/')
    expect(lastUndoable()).toBeUndefined()
    left.mockClear()
    recordChange('Lena changed', () => Promise.resolve())
    acting.set(null)
    expect(left).toHaveBeenLastCalledWith('/')
    expect(lastUndoable()).toBeUndefined()
    acting.set('0190a000-0000-7000-8000-000000000020')
    raise('unloaded')
    expect(acting.get()).toBeNull()
    expect(sessionStorage.getItem('acting-for')).toBeNull()
  } finally {
    vi.unstubAllGlobals()
    acting.set(null)
  }
})
