import { expect } from 'vitest'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'
import { enterPassword, settled, storedUser, withSettings } from '../src/session.ts'

journey('each page of the provider’s answers loads at most 25 kB of scripts', async ({ page, context }) => {
  for (const kind of ['signinwin', 'signinpop', 'signoutpop', 'signinsilent']) {
    const sizes: Promise<number>[] = []
    const tab = await context.newPage()
    // What comes after is the application, and no part of the page itself.
    await tab.route(/\/$/, (route) => route.fulfill({ contentType: 'text/html', body: '<title>next</title>' }))
    tab.on('response', (response) => {
      if (response.request().resourceType() === 'script')
        sizes.push(
          response
            .request()
            .sizes()
            .then(({ responseBodySize }) => responseBodySize),
        )
    })
    await tab.goto(`/auth/${kind}/zitadel?code=x&state=y`).catch(() => {})
    await page.waitForTimeout(1500)
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(total, kind).toBeGreaterThan(0)
    expect(total, kind).toBeLessThanOrEqual(25_000)
    if (!tab.isClosed()) await tab.close()
  }
})

journey(
  'S2-11 an answer that says no leads to the front page, to a button, to no error text and into no circle',
  async ({ page, trouble }) => {
    trouble.expect(/Sign-in could not be completed|readSigninResponseState|OidcClient/)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    for (const answer of ['error=access_denied&state=unknown', 'code=stolen&state=forged', 'nothing=1']) {
      await page.goto(`/auth/signinwin/zitadel?${answer}`)
      await page.getByText('Sign in to continue').waitFor()
      expect(page.url()).toMatch(/:\d+\/$/)
      expect(await page.locator('body').innerText()).not.toMatch(/error|denied|invalid|fail|unknown/i)
    }
    expect(asked.filter((path) => path === '/oauth/v2/authorize')).toEqual([])
    await page.getByRole('button', { name: 'Continue to sign in' }).click()
    await enterPassword(page, 'member')
    await settled(page)
  },
)

journey('N39 a kept route that was tampered with leads to the front page', async ({ page, context }) => {
  await withSettings(page, { monitor_session: false })
  for (const to of ['/.//evil.example/x', '//evil.example', '/\\evil.example', 'https://evil.example', '/auth/signinwin/zitadel']) {
    await context.clearCookies()
    await page.goto('/privacy')
    await page.evaluate(() => sessionStorage.clear())
    const [asked] = await Promise.all([page.waitForRequest('**/oauth/v2/authorize?*'), page.goto('/groups')])
    await page.getByLabel('Password').waitFor()
    const state = new URL(asked.url()).searchParams.get('state')
    const other = await context.newPage()
    await other.goto('/favicon.svg')
    await other.evaluate(
      ([key, route]) => {
        const text = localStorage.getItem(key ?? '')
        if (text === null) throw new Error('no such state')
        const kept: unknown = JSON.parse(text)
        localStorage.setItem(key ?? '', JSON.stringify(Object.assign({}, kept, { data: { to: route } })))
      },
      [`oidc.${state}`, to],
    )
    await other.close()
    await enterPassword(page, 'member')
    await settled(page)
    expect(new URL(page.url()).pathname).toBe('/')
  }
})

journey('markup and code made from text are refused', async ({ page, trouble }) => {
  await signIn(page, 'member', '/groups')
  await settled(page)
  trouble.expect(/Trusted|trusted|unsafe-eval/)
  const refused = await page.evaluate(async () => {
    // A browser's debugger may make code from text; what runs later may not.
    await new Promise((resolve) => setTimeout(resolve))
    const attempts = [
      () => (document.body.innerHTML = '<img src=x>'),
      () => Reflect.construct(Function, ['return 1']),
      () => document.createElement('script').setAttribute('src', 'https://evil.example/x.js'),
      () => new DOMParser().parseFromString('<b>x</b>', 'text/html'),
    ]
    return attempts.map((attempt) => {
      try {
        attempt()
        return 'allowed'
      } catch (failure) {
        return failure instanceof Error ? failure.name : 'refused'
      }
    })
  })
  expect(refused).not.toContain('allowed')
})

journey('the recorder, switched on, sees pages and nobody on them; switched off it is not even loaded', async ({ page, context }) => {
  const loaded: string[] = []
  const sent: string[] = []
  context.on('request', (request) => {
    if (/recorder|rrweb/.test(request.url())) loaded.push(request.url())
    if (request.method() === 'PUT' && request.url().includes('/data/recordings/')) sent.push(request.postData() ?? '')
  })
  await signIn(page, 'secretary', '/members')
  await settled(page)
  expect(loaded).toEqual([])
  await withSettings(page, { session_recording: true })
  await page.reload()
  await settled(page)
  await page.getByRole('table').first().waitFor()
  await page.mouse.move(200, 200)
  await expect.poll(() => sent.length, { timeout: 20_000 }).toBeGreaterThan(0)
  const text = sent.join('\n')
  const tokens = await storedUser(page)
  expect(text).toContain('"tagName":"table"')
  expect(text).toContain('•')
  for (const secret of [tokens?.access_token ?? 'none', tokens?.refresh_token ?? 'none', 'secretary', '@demo.example', 'eyJ'])
    expect(text).not.toContain(secret)
})

journey('feedback reaches the administrators under the name of whoever is signed in', async ({ page, browser }) => {
  await withSettings(page, { feedback_form: true })
  await signIn(page, 'owner', '/groups')
  await settled(page)
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByText('Give feedback').click()
  const words = `Groups are easy to find ${Date.now()}`
  await page.getByLabel('What works, and what does not?').fill(words)
  await page.getByRole('button', { name: 'Send feedback' }).click()
  await page.getByText(/has reached the administrators/).waitFor()
  await page.goto('/account-management/requests')
  await page.getByText(words).waitFor()
  await page.getByText('owner@demo.example').first().waitFor()

  const stranger = await browser.newPage({ baseURL: new URL(page.url()).origin })
  await withSettings(stranger, { feedback_form: true })
  await stranger.goto('/privacy')
  await stranger.getByRole('button', { name: 'Feedback' }).click()
  await stranger.getByLabel('Your name').waitFor()
  await stranger.close()
})
