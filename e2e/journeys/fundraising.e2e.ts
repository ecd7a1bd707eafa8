import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'
import { linkInMail, mailsTo } from '../src/mail-links.ts'
import { expectGood } from '../src/public-page.ts'

const stamp = () => Date.now().toString(36)
const kits = '/public/giving/field-kits'

/** Chooses among what the page suggests, and says who gives. */
async function fillIn(page: Page, { amount, name, email }: { amount: RegExp; name: string; email: string }) {
  await page.getByRole('group', { name: 'Amount' }).getByRole('radio', { name: amount }).check()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('E-mail', { exact: true }).fill(email)
}
const onToPayment = async (page: Page) => {
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('link', { name: 'Continue to payment' }).click()
}
const arrived = (page: Page, amount: string) =>
  expect
    .poll(
      async () => {
        await page.reload()
        return page.getByText(`We have received ${amount}.`).count()
      },
      { timeout: 60_000 },
    )
    .toBe(1)

journey('a campaign is created, gets its page, and is started', async ({ page }) => {
  const name = `Garden ${stamp()}`
  await signIn(page, 'finance', '/fundraising')
  await page.getByRole('heading', { level: 1, name: 'Fundraising' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New campaign' }).click()
  const dialog = page.getByRole('dialog', { name: 'New campaign' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Goal').fill('2500')
  await dialog.getByRole('button', { name: 'Create campaign' }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()

  // A fund is missing, and leads to its field.
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page
    .getByRole('dialog', { name: `Start ${name}` })
    .getByRole('button', { name: 'Choose the fund that gifts go to.' })
    .click()
  await page.getByRole('combobox', { name: 'Fund', exact: true }).fill('general')
  await page.getByRole('option', { name: 'General fund' }).click()
  await page.getByRole('textbox', { name: 'Summary' }).fill('Beds, tools and a fence.')
  await page.getByRole('button', { name: 'Add amount' }).click()
  await page.getByRole('textbox', { name: 'Amount 1', exact: true }).fill('25')
  await page.getByRole('textbox', { name: 'What amount 1 makes possible' }).fill('a raised bed')
  await page.keyboard.press('Tab')
  await page.getByText('All changes saved').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page
    .getByRole('dialog', { name: `Start ${name}` })
    .getByRole('button', { name: 'Start campaign' })
    .click()
  await page.getByText(`${name} has started`).first().waitFor()

  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  await page.getByRole('heading', { name: 'Goal', exact: true }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const link = await page
    .getByRole('dialog', { name: `Share ${name}` })
    .getByRole('textbox', { name: 'Link' })
    .inputValue()
  await page.goto(link)
  await page.getByText('a raised bed').waitFor()
  await page.goto('/fundraising')
  await page.getByRole('searchbox', { name: 'Search campaigns' }).fill(name.toLowerCase())
  await page.getByRole('main').getByRole('link', { name }).first().waitFor()
})

journey(
  'somebody without an account gives with a card after one was declined, and has to type nothing twice',
  async ({ browser, page }) => {
    const [name, email] = [`Gwen ${stamp()}`, `gwen-${stamp()}@example.org`]
    await page.goto('/public/giving')
    await expectGood(page)
    await page.getByRole('link', { name: 'Field kits for the next generation' }).click()
    await page.getByRole('heading', { level: 1, name: 'Field kits for the next generation' }).waitFor()
    await expectGood(page)
    // Who gives is missing.
    await page
      .getByRole('group', { name: 'Amount' })
      .getByRole('radio', { name: /^€40\.00/ })
      .check()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('E-mail', { exact: true }).fill(email)
    await page.getByText('Add a message').click()
    await page.getByLabel('Message to the organisation').fill('For the poles')
    await page.getByRole('checkbox', { name: /Cover the card fee/ }).check()
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByText('€40.83').first().waitFor()
    await expectGood(page)
    await page.getByRole('link', { name: 'Continue to payment' }).click()
    await page.getByRole('button', { name: 'Card is declined' }).click()
    await page.getByText('Your card was declined. Try another one.').waitFor()
    await page.getByRole('link', { name: 'Back without paying' }).click()
    await page.getByText('You left the payment. Nothing was charged.').waitFor()
    await expectGood(page)
    expect(
      await page
        .getByRole('group', { name: 'Amount' })
        .getByRole('radio', { name: /^€40\.00/ })
        .isChecked(),
    ).toBe(true)
    expect(await page.getByRole('checkbox', { name: /Cover the card fee/ }).isChecked()).toBe(true)
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(name)
    expect(await page.getByLabel('E-mail', { exact: true }).inputValue()).toBe(email)
    expect(await page.getByLabel('Message to the organisation').inputValue()).toBe('For the poles')
    await onToPayment(page)
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Thank you' }).waitFor()
    await arrived(page, '€40.83')
    await expectGood(page)
    // One gift with one receipt, however often a card was tried.
    expect(await mailsTo(browser, { address: email, subject: 'Thank you for your gift to Field kits for the next generation' })).toBe(1)
    await signIn(page, 'finance', '/fundraising/all/donations')
    await page.getByRole('searchbox', { name: 'Search gifts' }).fill(name)
    await expect
      .poll(() =>
        page
          .getByRole('table')
          .getByRole('row', { name: new RegExp(name) })
          .count(),
      )
      .toBe(1)
  },
)

journey('a recurring gift is stopped by the link in its receipt, without signing in', async ({ browser, page }) => {
  const email = `rita-${stamp()}@example.org`
  await page.goto(`${kits}?every=month`)
  expect(await page.getByRole('radio', { name: 'Monthly' }).isChecked()).toBe(true)
  await fillIn(page, { amount: /^€25\.00/, name: 'Rita Regular', email })
  await onToPayment(page)
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await arrived(page, '€25.00')
  await page.goto(await linkInMail(browser, email, 'Thank you for your gift', '/public/recurring-gifts/'))
  await page.getByRole('heading', { level: 1, name: 'Your recurring gift to Field kits for the next generation' }).waitFor()
  await expectGood(page)
  await page.getByRole('button', { name: 'Stop my recurring gift' }).click()
  await page.getByText('Your recurring gift has ended. Nothing more will be charged.').waitFor()
  await expectGood(page)
  // What was given stays given.
  await page.getByText('€25.00 in 1 gift').waitFor()
})

journey('a gift is refunded with four clicks', async ({ page }) => {
  await signIn(page, 'finance')
  const clicks: string[] = []
  const click = async (...[role, options]: Parameters<Page['getByRole']>) => {
    clicks.push(role)
    await page.getByRole(role, options).first().click()
  }
  await page.getByRole('heading', { level: 1 }).waitFor()
  await click('link', { name: 'Fundraising', exact: true })
  // One that has come: others have no refund.
  const latest = page.getByRole('list', { name: 'Latest gifts' }).getByRole('listitem')
  const actions = latest
    .filter({ hasNotText: /Pending|Disputed|Refunded|Not completed/ })
    .getByRole('button', { name: /^Actions for / })
    .first()
  const name = (await actions.getAttribute('aria-label')) ?? ''
  await click('button', { name, exact: true })
  await click('menuitem', { name: 'Refund' })
  const dialog = page.getByRole('dialog', { name: /^Refund gift of / })
  await dialog.getByText('The receipt is replaced, or void if nothing is left.').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Reason' }).pressSequentially('Given twice')
  await click('button', { name: /^Refund €/ })
  await page
    .getByText(/^Refund (recorded|asked for)/)
    .first()
    .waitFor()
  expect(clicks).toHaveLength(4)
  // The provider answers by itself.
  await expect
    .poll(
      async () => {
        await page.reload()
        const gift = latest.filter({ has: page.getByRole('button', { name, exact: true }) })
        await gift.waitFor()
        return gift.getByText('Refunded').count()
      },
      { timeout: 60_000 },
    )
    .toBe(1)
})

journey('a batch of twenty cheques is entered without a mouse', async ({ page }) => {
  const batch = stamp()
  await signIn(page, 'finance', '/fundraising/all/donations?batch=1')
  const grid = page.getByRole('table', { name: 'Gifts of the batch' })
  await grid.waitFor()
  await expectAccessible(page)
  // From the field for the sum, over count and receipts, into the first cell; nothing is clicked from here on.
  await page.getByRole('textbox', { name: 'Control total' }).focus()
  await page.keyboard.type('410.00')
  await page.keyboard.press('Tab')
  await page.keyboard.type('20')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  for (let nth = 1; nth <= 20; nth++) {
    await page.keyboard.type(`Donor ${batch} ${nth}`)
    await page.keyboard.press('Tab')
    await page.keyboard.type(nth === 20 ? '11' : '21')
    await page.keyboard.press('Tab')
    await page.keyboard.type(String(7000 + nth))
    await page.keyboard.press('Tab')
    await page.keyboard.type('Gen')
    if (nth < 20) await page.keyboard.press('Enter')
  }
  await page.getByText('Matches the control total').waitFor()
  // One amount is no amount: it is found, and what was typed stays.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type('eleven')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => page.getByRole('textbox', { name: 'Amount, row 20' }).getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Amount, row 20' }).press('Control+a')
  await page.keyboard.type('11')
  await page.keyboard.press('Control+Enter')
  await page.getByText('20 gifts recorded: €410.00').first().waitFor()
  await page.getByRole('searchbox', { name: 'Search gifts' }).fill(`Donor ${batch} 17`)
  await expect
    .poll(() =>
      page
        .getByRole('table')
        .getByRole('row', { name: new RegExp(`Donor ${batch} 17`) })
        .count(),
    )
    .toBe(1)
})

journey('donors are thanked one after the other, and found by what they gave', async ({ page }) => {
  await signIn(page, 'finance', '/fundraising/all/thanks')
  const waiting = page.getByRole('list', { name: 'Donors to thank' })
  await waiting.waitFor()
  await expectAccessible(page)
  const before = await waiting.getByRole('listitem').count()
  const first = await waiting.getByRole('listitem').first().innerText()
  await page.getByRole('group', { name: 'Thanked already' }).getByRole('button', { name: 'Called' }).click()
  await expect.poll(() => waiting.getByRole('listitem').count()).toBe(before - 1)
  expect(await waiting.getByRole('listitem').first().innerText()).not.toBe(first)

  await page.goto('/fundraising/all/donors')
  await page.getByRole('table').getByRole('row').nth(1).waitFor()
  await expectAccessible(page)
  await page.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click()
  await page.getByRole('link', { name: 'Giving', exact: true }).click()
  await page.getByText('Lifetime').first().waitFor()
  await expectAccessible(page)
})
