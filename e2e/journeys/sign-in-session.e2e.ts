import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'
import {
  allStored,
  endSessionElsewhere,
  enterPassword,
  issuerOf,
  settled,
  signOut,
  storedUser,
  tokenEndpoint,
  tokenRequests,
  withSettings,
} from '../src/session.ts'

/** Access tokens of the development provider last ten minutes and are renewed a minute before. */
const untilRenewal = 545_000
const untilExpiry = 70_000

async function signedIn(page: Page, person: 'member' | 'guest' = 'member', address = '/groups') {
  await page.clock.install()
  await signIn(page, person, address)
  await settled(page)
}

/** Lets time pass at once, for all tabs of the journey, and waits for the token that follows. */
async function renewed(page: Page) {
  const before = (await storedUser(page))?.access_token
  await page.clock.fastForward(untilRenewal)
  await expect.poll(async () => (await storedUser(page))?.access_token, { timeout: 15_000 }).not.toBe(before)
}

/** Another tab that began with everything this one had stored, as a duplicated one does. */
async function copyOf(page: Page) {
  const [copy] = await Promise.all([page.waitForEvent('popup'), page.evaluate(() => void window.open('/groups'))])
  await settled(copy)
  return copy
}

journey('C02 C03 five loads, one exchange: each is told to the server with the token of the moment', async ({ page, context }) => {
  // A minute's notice of the end comes seconds after each renewal.
  await context.route(tokenEndpoint, async (route) => {
    const response = await route.fetch()
    const answer: unknown = await response.json()
    await route.fulfill({ response, json: Object.assign({}, answer, { expires_in: 63 }) })
  })
  const asked = tokenRequests(page)
  const logins: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/rpc/update_account_login')) logins.push(request.headers()['authorization'] ?? '')
  })
  const bearers: string[] = []
  const load = async () => {
    await expect.poll(async () => (await storedUser(page))?.access_token ?? '', { timeout: 20_000 }).not.toBe(bearers.at(-1) ?? '')
    bearers.push((await storedUser(page))?.access_token ?? '')
  }
  await signIn(page, 'member', '/groups')
  await settled(page)
  for (let loads = 0; loads < 4; loads++) await load()
  await context.unroute(tokenEndpoint)
  await page.reload()
  await settled(page)
  expect(asked.slice(0, 4)).toEqual(['authorization_code', 'refresh_token', 'refresh_token', 'refresh_token'])
  expect(new Set(bearers).size).toBe(4)
  await expect.poll(() => logins.length).toBeGreaterThanOrEqual(5)
  expect(logins.slice(0, 5)).toEqual([...bearers, bearers.at(-1)].map((token) => `Bearer ${token}`))
  // Code and state have left the history: going back leads to the provider or nowhere, never to an answer already used.
  expect(page.url()).toMatch(/\/groups$/)
})

journey(
  'S4-7 S4-4 a renewal that fails is tried every five seconds; when the time is up, the visitor starts again at the front page',
  async ({ page, trouble }) => {
    trouble.expect(/Silent renewal failed|Sign-in could not|JsonService|SilentRenewService/)
    await signedIn(page)
    let refused = 0
    await page.route(tokenEndpoint, (route) => {
      refused++
      return route.abort()
    })
    await page.clock.fastForward(untilRenewal)
    await expect.poll(() => refused).toBe(1)
    await page.clock.fastForward(4000)
    expect(refused).toBe(1)
    await page.clock.fastForward(1500)
    await expect.poll(() => refused).toBe(2)
    expect(await page.getByRole('button', { name: /^Account of/ }).isVisible()).toBe(true)
    await page.unroute(tokenEndpoint)
    await page.route(tokenEndpoint, (route) => (route.request().postData()?.includes('refresh_token') ? route.abort() : route.continue()))
    await page.clock.fastForward(untilExpiry)
    // The session at the provider still stands, so nobody has to type anything.
    await expect.poll(() => new URL(page.url()).pathname, { timeout: 20_000 }).toBe('/')
    await settled(page)
  },
)

journey('R17 S2-14 a copied tab and the first both go on, each with a refresh token of its own', async ({ page }) => {
  await signedIn(page)
  const copy = await copyOf(page)
  await expect.poll(async () => (await storedUser(copy))?.refresh_token).toBeTruthy()
  expect((await storedUser(copy))?.refresh_token).not.toBe((await storedUser(page))?.refresh_token)
  // One clock for both: they renew at the same moment.
  const before = (await storedUser(copy))?.access_token
  await renewed(page)
  await expect.poll(async () => (await storedUser(copy))?.access_token, { timeout: 15_000 }).not.toBe(before)
  for (const tab of [page, copy]) {
    await tab.reload()
    await settled(tab)
  }
})

journey('R17 control: two tabs with one refresh token lose both sessions', async ({ page, trouble }) => {
  trouble.expect(/./)
  await page.context().addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
  await signedIn(page)
  const copy = await copyOf(page)
  expect((await storedUser(copy))?.refresh_token).toBe((await storedUser(page))?.refresh_token)
  const refused: string[] = []
  page.context().on('response', (response) => {
    if (response.url().endsWith('/oauth/v2/token') && response.status() === 400) refused.push(response.url())
  })
  await page.clock.fastForward(untilRenewal)
  await expect.poll(() => refused.length).toBeGreaterThan(0)
})

journey('reloading never takes a tab for a copy', async ({ page }) => {
  await signIn(page, 'member', '/groups')
  await settled(page)
  const name = () => page.evaluate(() => sessionStorage.getItem('guildhall.tab'))
  const first = await name()
  for (let count = 0; count < 15; count++) await page.reload()
  await settled(page)
  expect(await name()).toBe(first)
  expect((await storedUser(page))?.refresh_token).toBeTruthy()
})

journey('R18 somebody else at the provider ends the session here', async ({ page, context, trouble }) => {
  trouble.expect(/Silent renewal failed|JsonService|SilentRenewService/)
  await withSettings(page, { monitor_session: false })
  await signedIn(page)
  await context.clearCookies()
  const other = await context.newPage()
  await signIn(other, 'guest', '/groups')
  await settled(other)
  // Without a refresh token the renewal goes through a frame, which meets the other person.
  await page.evaluate(() => {
    for (const [key, value] of Object.entries(sessionStorage)) {
      if (key.startsWith('oidc.user:')) sessionStorage.setItem(key, value.replace(/"refresh_token":"[^"]*",?/, ''))
    }
  })
  await page.reload()
  await settled(page)
  expect((await storedUser(page))?.profile.sub).toBe('member')
  await page.clock.fastForward(untilRenewal)
  await expect.poll(async () => (await storedUser(page).catch(() => null))?.profile.sub, { timeout: 20_000 }).toBe('guest')
})

journey('R19 S4-6 a sign-out at the provider of the same site is noticed within seconds; the page is kept', async ({ page }) => {
  await signIn(page, 'member', '/groups?q=board')
  await settled(page)
  await endSessionElsewhere(page)
  await page.getByLabel('Password').waitFor({ timeout: 5000 })
  await enterPassword(page, 'member')
  await settled(page)
  expect(page.url()).toMatch(/\/groups\?q=board$/)
})

journey('R19 a provider of another site is not watched: its frame would report a sign-out that never was', async ({ page }) => {
  await withSettings(page, { monitor_session: false })
  await signIn(page, 'member', '/groups')
  await settled(page)
  await page.waitForTimeout(5000)
  expect(page.frames().filter((frame) => frame.url().includes('check_session'))).toEqual([])
  expect(await page.getByRole('button', { name: /^Account of/ }).isVisible()).toBe(true)
})

journey('signing out in one tab signs out the others, also without a watched provider', async ({ page, context }) => {
  await withSettings(page, { monitor_session: false })
  await signIn(page, 'member', '/groups')
  await settled(page)
  const other = await context.newPage()
  await other.goto('/profile')
  await settled(other)
  await signOut(page)
  await page.getByText('You are signed out').waitFor()
  await other.getByLabel('Password').waitFor()
  for (const tab of [page, other]) expect(await allStored(tab)).not.toMatch(/eyJ|refresh_token/)
})

journey(
  'A24 S7-4 no token in an address, a referrer or a request to anybody else; none left after signing out',
  async ({ page, context }) => {
    const requests: { url: string; headers: Record<string, string> }[] = []
    context.on('request', (request) => requests.push({ url: request.url(), headers: request.headers() }))
    await signIn(page, 'member', '/groups')
    await settled(page)
    const tokens = await storedUser(page)
    const issuer = await issuerOf(page)
    await signOut(page)
    await page.getByText('You are signed out').waitFor()

    const atProvider = new Set(requests.filter(({ url }) => url.startsWith(issuer)).map(({ url }) => new URL(url).pathname))
    for (const path of [
      '/.well-known/openid-configuration',
      '/oauth/v2/authorize',
      '/oauth/v2/token',
      '/oauth/v2/keys',
      '/oidc/v1/userinfo',
      '/oauth/v2/revoke',
      '/oidc/v1/end_session',
    ])
      expect([...atProvider]).toContain(path)
    const ours = [new URL(page.url()).origin, new URL(issuer).origin]
    expect(requests.filter(({ url }) => /^https?:/.test(url) && !ours.includes(new URL(url).origin))).toEqual([])
    for (const token of [tokens?.access_token, tokens?.refresh_token]) {
      expect(token).toBeTruthy()
      expect(requests.filter(({ url }) => url.includes(token ?? ''))).toEqual([])
    }
    // The end of the session names whom it ends by an id token, as the protocol has it, and to the provider alone.
    expect(requests.filter(({ url }) => url.includes(tokens?.id_token ?? '')).map(({ url }) => new URL(url).pathname)).toEqual([
      '/oidc/v1/end_session',
    ])
    expect(requests.filter(({ headers }) => /code=|state=|eyJ/.test(headers['referer'] ?? ''))).toEqual([])
    expect(await allStored(page)).not.toMatch(/eyJ|refresh_token|access_token/)
  },
)

journey('A24 signing out without a network leaves no token either', async ({ page, context, trouble }) => {
  trouble.expect(/could not be revoked|Sign-out at the provider failed|JsonService|SilentRenewService|Failed to fetch/)
  await signIn(page, 'member', '/groups')
  await settled(page)
  await context.setOffline(true)
  await signOut(page)
  await page.waitForTimeout(4000)
  await context.setOffline(false)
  await page.goto('/favicon.svg')
  expect(await allStored(page)).not.toMatch(/eyJ|refresh_token|access_token/)
})
