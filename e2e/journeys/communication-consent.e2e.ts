import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { contextOptions, journey } from '../src/journey.ts'
import { linkInMail } from '../src/mail-links.ts'

journey(
  'a subscription in the profile is confirmed signed out, by the link of a mail, and stands in the profile then',
  async ({ browser, page }) => {
    await signIn(page, 'member', '/profile?section=notifications')
    const appeals = page.getByRole('switch', { name: /^Appeals/ })
    await appeals.waitFor()
    if (await appeals.isChecked()) {
      await appeals.click()
      await expect.poll(() => appeals.isChecked()).toBe(false)
    }
    await appeals.click()
    await page.getByText(/Awaiting your confirmation/).waitFor()
    await expectAccessible(page)

    const path = await linkInMail(browser, 'Please confirm', 'Please confirm: mails about Appeals', '/public/topic-confirm/')
    const stranger = await browser.newContext(contextOptions())
    try {
      const mail = await stranger.newPage()
      await mail.goto(path)
      await mail.getByRole('button', { name: 'Confirm subscription' }).click()
      await mail.getByRole('heading', { name: 'You are subscribed' }).waitFor()
      await expectAccessible(mail)
    } finally {
      await stranger.close()
    }
    await page.reload()
    await appeals.waitFor()
    expect(await appeals.isChecked()).toBe(true)
    expect(await page.getByText(/Awaiting your confirmation/).count()).toBe(0)
  },
)
