import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { contextOptions, journey } from '../src/journey.ts'

const write = async (page: Page, title: string, text: string) => {
  await page.getByRole('button', { name: 'New announcement' }).click()
  const dialog = page.getByRole('dialog', { name: 'New announcement' })
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByRole('textbox', { name: 'Text' }).click()
  await page.keyboard.type(text)
  return dialog
}

journey(
  'a pinned announcement stands on Home of a member at once; marked as read, it stays read until it is dismissed',
  async ({ browser, page }) => {
    const title = `Lifts out of order ${Date.now().toString(36)}`
    await signIn(page, 'member', '/')
    await page.getByRole('heading', { name: 'Next events' }).waitFor()
    await page.evaluate(() => Object.assign(window, { stayed: true }))

    const other = await browser.newContext(contextOptions())
    try {
      const writer = await other.newPage()
      await signIn(writer, 'comms', '/')
      // By the palette, and from there without the mouse but for one choice.
      await writer.getByRole('button', { name: /^Account of/ }).waitFor()
      await writer.keyboard.press('Control+k')
      await writer.keyboard.type('announcement')
      await writer
        .getByRole('option', { name: /Announcement/ })
        .first()
        .click()
      const dialog = writer.getByRole('dialog', { name: 'New announcement' })
      await dialog.getByLabel('Title').fill(title)
      await dialog.getByRole('textbox', { name: 'Text' }).click()
      await writer.keyboard.type('Use the entrance in the yard until Friday.')
      await dialog.getByText(/^Reaches [\d,]+ accounts today$/).waitFor()
      await dialog.getByRole('switch', { name: 'Pinned' }).press('Space')
      await dialog.getByText('Publish', { exact: true }).click()
      await dialog.getByRole('button', { name: 'Publish now' }).click()
      await writer.getByText(`${title} published`).waitFor()
      await writer
        .getByRole('row', { name: new RegExp(title) })
        .getByText('Live')
        .waitFor()
      await expectAccessible(writer)
    } finally {
      await other.close()
    }

    const item = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: title, exact: true }) })
    await item.getByText('New', { exact: true }).waitFor()
    expect(await page.evaluate(() => 'stayed' in window)).toBe(true)
    await item.getByText('Use the entrance in the yard until Friday.').waitFor()
    await expectAccessible(page)
    await item.getByRole('button', { name: `Mark as read: ${title}` }).click()
    await item.getByRole('button', { name: `Dismiss ${title}` }).waitFor()
    expect(await item.getByText('New', { exact: true }).count()).toBe(0)

    await page.reload()
    await item.getByRole('button', { name: `Dismiss ${title}` }).waitFor()
    expect(await item.getByText('New', { exact: true }).count()).toBe(0)
    await item.getByRole('button', { name: title, exact: true }).click()
    await page.getByRole('dialog', { name: title }).getByText('Carmen Ortega').waitFor()
    await page.keyboard.press('Escape')
    await item.getByRole('button', { name: `Dismiss ${title}` }).click()
    await item.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Next events' }).waitFor()
    expect(await page.getByText(title).count()).toBe(0)
    // It is over only for this reader's Home.
    await page.goto('/communication/announcements')
    await page
      .getByRole('row', { name: new RegExp(title) })
      .getByText('Live')
      .waitFor()
  },
)

journey('who writes for a region is offered its chapters and groups only, and nobody elsewhere is shown it', async ({ browser, page }) => {
  const title = `Summit moved ${Date.now().toString(36)}`
  await signIn(page, 'chapter', '/communication/announcements')
  const dialog = await write(page, title, 'The summit is a week later.')
  const place = dialog.getByLabel('Announced in')
  await place.click()
  const options = page.locator('[role=option]:visible')
  await options.filter({ hasText: 'Nordic Region' }).first().waitFor()
  expect(await options.filter({ hasText: 'Whole organisation' }).count()).toBe(0)
  await place.fill('Lisbon')
  await page.getByText('Nothing found').waitFor()
  await place.fill('Nordic')
  await options.filter({ hasText: 'Nordic Region' }).first().click()
  await dialog.getByText(/^Reaches [\d,]+ accounts today$/).waitFor()
  await dialog.getByText('Publish', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText(`${title} published`).waitFor()
  await page
    .getByRole('row', { name: new RegExp(title) })
    .getByRole('link', { name: 'Nordic Region' })
    .click()
  await page.getByRole('button', { name: title, exact: true }).waitFor()

  const other = await browser.newContext(contextOptions())
  try {
    // Of Lisbon.
    const reader = await other.newPage()
    await signIn(reader, 'member', '/communication/announcements')
    await reader.getByRole('table', { name: 'Announcements' }).waitFor()
    await reader.getByRole('row').nth(1).waitFor()
    expect(await reader.getByText(title).count()).toBe(0)
    expect(await reader.getByRole('button', { name: 'New announcement' }).count()).toBe(0)
  } finally {
    await other.close()
  }

  await page.goBack()
  await page.getByRole('button', { name: title, exact: true }).click()
  await page.getByRole('button', { name: 'End now' }).click()
  await page.getByText(`${title} ended`).waitFor()
  await page.getByRole('dialog', { name: title }).getByText('Ended').waitFor()
})
