import { afterAll, beforeAll, expect } from 'vitest'
import { signIn } from '../src/demo-people.ts'
import { desktop, journey } from '../src/journey.ts'
import { startProduct } from '../src/product.ts'
import { settled, storedUser } from '../src/session.ts'

/** Recording is off where nobody has switched it on; here somebody has. */
let product: Awaited<ReturnType<typeof startProduct>>
beforeAll(async () => {
  product = await startProduct({ RECORDING: 'on' })
}, 240_000)
afterAll(() => product.stop(), 60_000)

journey('a session is recorded, kept on the server without a word of it, and read by an administrator', async ({ browser }) => {
  const origin = product.url.origin
  const recorded = await browser.newContext({ baseURL: origin, viewport: desktop })
  const page = await recorded.newPage()
  const stored: number[] = []
  page.on('response', (response) => {
    if (response.request().method() === 'PUT' && response.url().includes('/data/recordings/')) stored.push(response.status())
  })
  await signIn(page, 'secretary', '/members')
  await settled(page)
  await page.getByRole('table').first().waitFor()
  await page.mouse.move(200, 200)
  await expect.poll(() => stored.length, { timeout: 30_000 }).toBeGreaterThan(0)
  expect(new Set(stored)).toEqual(new Set([204]))
  const tokens = await storedUser(page)
  await recorded.close()

  const context = await browser.newContext({ baseURL: origin, viewport: desktop })
  const admin = await context.newPage()
  await signIn(admin, 'owner', '/account-management/recordings')
  await settled(admin)
  const read = admin.waitForResponse((response) => /\/data\/recordings\/[0-9a-f-]{36}$/.test(response.url()))
  await admin
    .getByRole('button', { name: /^Download: / })
    .first()
    .click()
  const text = await (await read).text()
  expect(text).toContain('"tagName":"table"')
  for (const secret of [tokens?.access_token ?? 'none', tokens?.refresh_token ?? 'none', '@demo.example', 'eyJ'])
    expect(text).not.toContain(secret)
  await context.close()
})
