import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { contextOptions, journey } from '../src/journey.ts'
import { enterPassword, settled, storedUser } from '../src/session.ts'

// Stands here since the guest is one no longer after the next journey, whatever file comes then.
journey('a guest is told whom the directory is for', async ({ page }) => {
  await signIn(page, 'guest', '/members')
  await page.getByRole('heading', { name: 'The directory is for members' }).waitFor()
  await expectAccessible(page)
})

journey(
  'a guest applies, is approved, pays with a card after one was declined, and is a member whose card verifies',
  async ({ page, browser }) => {
    await signIn(page, 'guest', '/?scope=me')
    await page.getByRole('link', { name: 'Apply for membership' }).click()
    const application = page.getByRole('dialog', { name: 'Apply for membership' })
    await application.getByRole('combobox', { name: 'Membership type' }).selectOption({ label: 'Full member – €60.00' })
    await application.getByRole('combobox', { name: 'Chapter' }).fill('Lis')
    await page
      .getByRole('option', { name: /Lisbon/ })
      .first()
      .click()
    await answerQuestions(page)
    await application.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Awaiting approval').first().waitFor()
    // The account has a person from now on, and the page knows.
    await page.getByRole('heading', { name: 'Saved cards' }).waitFor()

    const office = await browser.newContext(contextOptions())
    try {
      const desk = await office.newPage()
      await signIn(desk, 'owner', '/?scope=organisation')
      const guest = await page.getByRole('heading', { level: 1 }).textContent()
      await desk.getByRole('button', { name: `Approve ${guest}` }).click()
      await desk.getByText(`${guest} approved`).first().waitFor()
      // An answer that can be undone is sent when its page is left.
      await desk.getByRole('link', { name: 'Members', exact: true }).first().click()
      await desk.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    } finally {
      await office.close()
    }

    await page.reload()
    await page.getByText('Awaiting payment').first().waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Pay invoice/ }).click()
    await page.getByRole('dialog', { name: 'Pay €60.00' }).getByRole('button', { name: 'Pay €60.00 by card' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Pay €60.00 by card' }).click()

    await page.getByRole('button', { name: 'Card is declined' }).click()
    await page.getByText('Your card was declined. Try another one.').waitFor()
    await page.getByRole('link', { name: 'Back without paying' }).click()
    await page.getByText('Your card was declined').waitFor()
    await page.getByText('Awaiting payment').first().waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Pay €60.00 by card' }).click()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByText('Test payment of €60.00 received').waitFor()
    await page.getByText('Active', { exact: true }).first().waitFor()
    await expectAccessible(page)
    expect(await page.getByRole('button', { name: /^Pay invoice/ }).count()).toBe(0)

    // The address stands in the code only.
    // The card came with the welcome mail, or is made now.
    const shown = page.waitForResponse((response) => /\/card$/.test(response.url()) && response.ok())
    await page.getByRole('link', { name: 'Member card', exact: true }).click()
    const { card }: { card: { address: string } | null } = await (await shown).json()
    const issued = card
      ? undefined
      : page.waitForResponse((response) => /\/card$/.test(response.url()) && response.request().method() === 'POST')
    if (issued) await page.getByRole('button', { name: 'Get my card' }).click()
    const made: { card: { address: string } } | undefined = await (await issued)?.json()
    await page.goto((card ?? made?.card)?.address ?? '')
    await page.getByRole('heading', { level: 1, name: 'Valid member card' }).waitFor()
  },
)

journey(
  'a refund long after signing in asks for the password in a window of its own, and goes on as it was typed',
  async ({ page, context, trouble }) => {
    trouble.expect(/403/)
    await signIn(page, 'finance')
    await settled(page)
    // What an old sign-in proves is nothing: without its proof nobody has to wait for ten minutes.
    const { access_token: token = '', id_token: old } = (await storedUser(page)) ?? {}
    await context.route('**/refund', (route) => {
      const { 'sign-in-proof': proof, ...headers } = route.request().headers()
      return route.continue({ headers: proof === old ? headers : route.request().headers() })
    })
    const asked = (path: string) => page.request.get(path, { headers: { authorization: `Bearer ${token}` } })
    const { items: chapters }: { items: { id: string }[] } = await (await asked('/data/chapters/tree')).json()
    const paid = JSON.stringify({ and: [{ or: [{ field: 'state', op: 'in', value: ['settled'] }] }] })
    const found = await asked(`/data/payments?limit=1&filter=${encodeURIComponent(paid)}`)
    const { items: payments }: { items: { id: string }[] } = await found.json()
    await page.goto(`/chapter/${chapters[0]?.id}/finance/payments?payment=${payments[0]?.id}`)

    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Refund payment' })
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('1')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Paid too much')
    await dialog.getByRole('button', { name: /^Refund/ }).click()
    await dialog.getByText('This needs a sign-in within the last ten minutes').waitFor()
    await expectAccessible(page)
    const [popup] = await Promise.all([page.waitForEvent('popup'), dialog.getByRole('button', { name: 'Sign in again' }).click()])
    await popup.getByLabel('Password').waitFor()
    await enterPassword(popup, 'finance')
    await page
      .getByText(/Refund (recorded|asked for)/)
      .first()
      .waitFor()
    await page.getByText('Paid too much').waitFor()
    await page.getByText('Partly refunded').first().waitFor()
  },
)

/** Whatever the type asks. */
async function answerQuestions(page: Page) {
  for (const question of await page.getByRole('dialog').getByRole('textbox').all()) await question.fill('To sing with others')
}
