import type { Page, Request } from 'playwright-core'

/** The tokens that a tab keeps, as the library stores them. */
export type StoredUser = { access_token: string; id_token: string; refresh_token?: string; profile: { sub: string } }

export async function storedUser(page: Page): Promise<StoredUser | null> {
  const text = await page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((name) => name.startsWith('oidc.user:'))
    return key === undefined ? null : sessionStorage.getItem(key)
  })
  const user: unknown = JSON.parse(text ?? 'null')
  return isStoredUser(user) ? user : null
}

const isStoredUser = (value: unknown): value is StoredUser => typeof value === 'object' && value !== null && 'access_token' in value

/** Everything that any storage of the page's site holds, as one text. */
export const allStored = (page: Page) => page.evaluate(() => JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]))

/** Changes settings that the server hands to the browser; the server itself stays as it is. */
export const withSettings = (page: Page, changes: object) =>
  page.context().route('**/config.json', async (route) => {
    const response = await route.fetch()
    const given: unknown = await response.json()
    await route.fulfill({ response, json: Object.assign({}, given, changes) })
  })

/** Where the identity provider is. */
export async function issuerOf(page: Page): Promise<string> {
  const settings: unknown = await (await page.request.get('/config.json')).json()
  return String(Reflect.get(Object(settings), 'issuer'))
}

/** Requests to the provider's token endpoint, and what they asked for. */
export function tokenRequests(page: Page): string[] {
  const seen: string[] = []
  page.context().on('request', (request) => {
    if (isTokenRequest(request)) seen.push(new URLSearchParams(request.postData() ?? '').get('grant_type') ?? '')
  })
  return seen
}

export const tokenEndpoint = '**/oauth/v2/token'
const isTokenRequest = (request: Request) => request.method() === 'POST' && new URL(request.url()).pathname === '/oauth/v2/token'

/** Signed in, with everything of the page there. */
export const settled = (page: Page) => page.getByRole('button', { name: /^Account of/ }).waitFor()

/** Nothing has arrived for a while. The stream of changes stays open as long as the page, so the browser's own idea of quiet never comes. */
export async function quiet(page: Page) {
  const arrived = () => page.evaluate(() => performance.getEntriesByType('resource').length)
  for (let before = -1, now = 0; now !== before;) {
    before = now
    await page.waitForTimeout(700)
    now = await arrived()
  }
}

export async function signOut(page: Page) {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByText('Sign out', { exact: true }).click()
}

/** Signs out at the provider itself, as another application of the organisation would. */
export async function endSessionElsewhere(page: Page) {
  const elsewhere = await page.context().newPage()
  const issuer = await issuerOf(page)
  await elsewhere.goto(`${issuer}/oidc/v1/end_session`)
  await elsewhere.getByRole('button', { name: 'Sign out' }).click()
  await elsewhere.getByRole('heading', { level: 1 }).waitFor()
}

/** The provider's page, filled in. */
export async function enterPassword(page: Page, person: string) {
  await page.getByLabel('Email').fill(`${person}@demo.example`)
  await page.getByLabel('Password').fill('guildhall')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
