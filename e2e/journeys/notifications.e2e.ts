import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { contextOptions, journey, productHere } from '../src/journey.ts'

journey('an answer to a comment is under the bell of its author at once, without a reload', async ({ browser, page }) => {
  await signIn(page, 'leader', '/')
  const bell = page.getByRole('button', { name: /^Notifications/ })
  await bell.waitFor()
  await page.getByRole('button', { name: /^Notifications, \d+ unread$/ }).waitFor()
  const unread = Number(/\d+/.exec((await bell.getAttribute('aria-label')) ?? '')?.[0] ?? 0)
  await page.evaluate(() => Object.assign(window, { stayed: true }))

  const other = await browser.newContext(contextOptions())
  try {
    const writer = await other.newPage()
    await signIn(writer, 'secretary', '/groups?q=Early+Career+Network')
    await writer.getByRole('link', { name: 'Early Career Network' }).first().click()
    await writer.getByRole('link', { name: 'Discussion' }).click()
    const welcome = writer.getByRole('article').filter({ hasText: 'Welcome, everybody.' }).first()
    await welcome
      .getByRole('button', { name: /^Reply to/ })
      .first()
      .click()
    await writer.getByRole('textbox', { name: 'Reply' }).click()
    await writer.keyboard.type('The hall is free on Tuesday.')
    await writer.keyboard.press('ControlOrMeta+Enter')
    await writer.getByText('The hall is free on Tuesday.').waitFor()
  } finally {
    await other.close()
  }

  await page.getByRole('button', { name: `Notifications, ${unread + 1} unread` }).waitFor()
  expect(await page.evaluate(() => 'stayed' in window)).toBe(true)
  await bell.click()
  await page
    .getByRole('link', { name: /replied to your comment in Early Career Network/ })
    .first()
    .click()
  await page
    .getByRole('article')
    .filter({ hasText: 'Welcome, everybody.' })
    .getByRole('button', { name: /^\d+ repl(y|ies)$/ })
    .click()
  await page.getByText('The hall is free on Tuesday.').waitFor()
})

journey.for([
  { how: 'with the address invited is let in', at: 'new.example' },
  { how: 'with another address accepts', at: 'example.org' },
])(
  'an invitation is mailed, and whoever signs in for the first time $how, with the person and role it names',
  async ({ at }, { browser, page }) => {
    const family = `Newcomer${Date.now().toString(36)}`
    const name = `nadia.${family.toLowerCase()}`
    const [invitedAs, signedInAs] = [`${name}@${at}`, `${name}@new.example`]
    await signIn(page, 'owner', '/members')
    await page.getByRole('button', { name: 'New member' }).click()
    const entry = page.getByRole('dialog', { name: 'New member' })
    await entry.getByLabel('Given name').fill('Nadia')
    await entry.getByLabel('Family name').fill(family)
    await entry.getByRole('button', { name: 'Create member' }).click()
    await page.getByText(`Nadia ${family} entered`).waitFor()

    await page.goto('/account-management/invitations')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
    await dialog.getByLabel('E-mail').fill(invitedAs)
    await dialog.getByLabel(/^Name/).fill('Nadia Newcomer')
    await dialog.getByLabel(/^Person/).fill(family)
    await page.getByRole('option', { name: new RegExp(family) }).click()
    await dialog.getByRole('combobox', { name: /^Roles/ }).focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Communications' }).click()
    await page.keyboard.press('Tab')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByText(`${invitedAs} is invited`).waitFor()

    const guest = await browser.newContext(contextOptions())
    try {
      const invited = await guest.newPage()
      await expect
        .poll(
          async () => {
            await invited.goto(`${productHere().mail}?search=${encodeURIComponent(invitedAs)}`)
            return invited.getByRole('listitem').count()
          },
          { timeout: 30_000 },
        )
        .toBe(1)
      await invited.getByRole('listitem').getByRole('link').click()
      const letter = invited.frameLocator('iframe')
      const link = await letter.locator('a[href*="/public/invitations/"]').first().getAttribute('href')
      await invited.goto(link ?? '')
      await invited.getByText('Hello Nadia Newcomer,').waitFor()
      await expectAccessible(invited)
      await invited.getByRole('link', { name: 'Sign in and accept' }).click()
      // The provider knows her from now on; Guildhall does not yet.
      await invited.getByLabel('Email').fill(signedInAs)
      await invited.getByLabel('Password').fill('guildhall')
      await invited.getByRole('button', { name: 'Sign in', exact: true }).click()
      if (invitedAs !== signedInAs) {
        await invited.getByRole('heading', { level: 1, name: 'Accept invitation' }).waitFor()
        await expectAccessible(invited)
        await invited.getByRole('button', { name: 'Accept invitation' }).click()
      }
      await invited.getByRole('heading', { level: 1, name: `Nadia ${family}` }).waitFor()
    } finally {
      await guest.close()
    }

    await page.goto(`/account-management/accounts?q=${encodeURIComponent(signedInAs)}`)
    const row = page.getByRole('row').filter({ hasText: signedInAs })
    await row.getByText('Communications').waitFor()
    await row.getByText('Active').waitFor()
  },
)
