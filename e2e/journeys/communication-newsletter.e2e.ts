import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { journey, productHere } from '../src/journey.ts'
import { settled, storedUser } from '../src/session.ts'

/** As somebody without a mouse gets there. */
async function tabTo(page: Page, wanted: Locator) {
  await wanted.waitFor()
  for (let presses = 0; presses < 120; presses += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('No number of Tabs leads there.')
}

/** What is not essential does not leave at night, and a journey may run then. */
async function withoutQuietHours(page: Page) {
  const headers = { authorization: `Bearer ${(await storedUser(page))?.access_token ?? ''}` }
  const now: { version: number } = await (await page.request.get('/data/communication/settings', { headers })).json()
  const answer = await page.request.patch('/data/communication/settings', {
    headers: { ...headers, 'if-match': `"${now.version}"` },
    data: { quietFrom: null, quietUntil: null },
  })
  expect(answer.status(), await answer.text()).toBe(200)
}

/** Whom the mails with a subject went to. */
async function inboxOf(subject: string): Promise<string[]> {
  const mails: { to: string[]; subject: string }[] = await (
    await fetch(`${productHere().mail}/messages.json?search=${encodeURIComponent(subject)}`)
  ).json()
  return mails.filter((mail) => mail.subject.includes(subject)).flatMap(({ to }) => to)
}

journey(
  'a newsletter to some members is written and sent by keyboard, and arrives once with each of them',
  async ({ page }) => {
    await signIn(page, 'owner', '/members?q=berg')
    await settled(page)
    await withoutQuietHours(page)
    let chosen = 0
    const choose = async (wanted: Locator) => {
      await tabTo(page, wanted)
      await page.keyboard.press('Enter')
      chosen += 1
    }
    await page
      .getByRole('status')
      .filter({ hasText: /people$/ })
      .waitFor()
    await page.keyboard.press('Control+a')
    await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'E-mail' }).waitFor()
    await page.keyboard.press('w')
    chosen += 1
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor()
    await page.keyboard.type('News for some')
    await tabTo(page, page.getByRole('combobox', { name: 'Begin with' }))
    await page.keyboard.type('Newsletter')
    await choose(page.getByRole('button', { name: 'Start writing' }))

    await tabTo(page, page.getByRole('combobox', { name: 'Topic' }))
    await page.keyboard.type('Newsletter')
    const subject = `Sent by keyboard ${Date.now()}`
    await tabTo(page, page.getByRole('textbox', { name: 'Subject' }))
    await page.keyboard.press('Control+a')
    await page.keyboard.type(subject)
    await page.getByText('Saved', { exact: true }).waitFor()
    await expectAccessible(page)
    await choose(page.getByRole('button', { name: 'Check and send' }))
    const dialog = page.getByRole('dialog', { name: 'Check and send' })
    const told = await dialog.getByText(/will get this message/).textContent()
    const recipients = Number(/\d+/.exec(told ?? '')?.[0])
    expect(recipients).toBeGreaterThan(3)
    await expectAccessible(page)
    await choose(dialog.getByRole('button', { name: 'Send', exact: true }))
    expect(chosen).toBeLessThanOrEqual(6)

    await page.getByText(/It leaves in \d+ second/).waitFor()
    await expectAccessible(page)
    // It can be undone for a minute, and is started by the worker then.
    await page.getByText('What became of it').waitFor({ timeout: 150_000 })
    await expect.poll(async () => (await inboxOf(subject)).length, { timeout: 150_000, interval: 1_000 }).toBe(recipients)
    await page.getByText('Sent', { exact: true }).first().waitFor()
    await expectAccessible(page)
    const arrived = await inboxOf(subject)
    expect(new Set(arrived).size).toBe(recipients)
  },
  300_000,
)
