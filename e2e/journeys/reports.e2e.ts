import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'
import { mailsTo } from '../src/mail-links.ts'

const stamp = () => Date.now().toString(36)

journey(
  'how many of those who joined in 2021 stayed, by region, is asked, checked, saved and mailed every month',
  async ({ browser, page }) => {
    const name = `2021 joiners ${stamp()}`
    await signIn(page, 'owner', '/reports')
    await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
    await page.getByRole('list', { name: 'Membership' }).getByRole('link', { name: 'Retention', exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('searchbox', { name: 'Search reports' }).fill('still members')
    await page.getByRole('link', { name: 'Retention', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Retention' }).waitFor()
    await page.getByRole('combobox', { name: 'Range' }).click()
    await page.getByRole('option', { name: 'From and to' }).click()
    await page.getByLabel('From', { exact: true }).fill('2021-01-01')
    await page.getByLabel('To', { exact: true }).fill('2021-12-31')
    await page.getByRole('combobox', { name: 'Group by' }).click()
    await page.getByRole('option', { name: 'Region' }).click()
    const table = page.getByRole('region', { name: 'Table: Retention' }).getByRole('table')
    await table.getByRole('columnheader', { name: 'Region' }).waitFor()
    expect(new URL(page.url()).searchParams.get('by')).toBe('region')

    // The list behind a figure, and back.
    await table
      .getByRole('button', { name: /list behind Still members/ })
      .first()
      .click()
    const behind = page.getByRole('complementary', { name: /^Still members/ })
    await behind.getByText(/in the list$/).waitFor()
    await expectAccessible(page)
    await behind.getByRole('button', { name: 'Close panel' }).click()
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByRole('list', { name: 'Outcome of the check' }).getByRole('listitem').first().waitFor()
    expect(await page.getByText(/a difference of/).count()).toBe(0)

    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const save = page.getByRole('dialog', { name: 'Save report' })
    await save.getByLabel('Name').fill(name)
    await save.getByLabel('Show on my home page').check()
    await save.getByRole('button', { name: 'Save report' }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.getByRole('columnheader', { name: 'Region' }).first().waitFor()

    await page.getByRole('button', { name: 'Mail', exact: true }).click()
    const mail = page.getByRole('dialog', { name: 'Mail on a schedule' })
    expect(await mail.getByLabel('How often').inputValue()).toBe('monthly')
    await expectAccessible(page)
    await mail.getByRole('button', { name: 'Schedule report' }).click()
    await page.getByText(`${name} will be mailed`).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Schedules' }).click()
    const schedules = page.getByRole('complementary', { name: 'Mailed reports' })
    await schedules.getByText(/Monthly/).waitFor()
    await schedules.getByRole('button', { name: `Actions for the schedule of ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Send now' }).click()
    await page.getByText(`${name} is on its way`).waitFor()
    expect(await mailsTo(browser, { address: 'owner@demo.example', subject: name })).toBe(1)

    await page.goto('/')
    await page.getByRole('list', { name: 'Reports on home' }).getByRole('link', { name }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  },
)

journey('which children have no guardian is found among the problems, and one gets a guardian from there', async ({ page }) => {
  await signIn(page, 'owner', '/reports')
  await page.getByRole('link', { name: 'Parent-child report' }).click()
  await page.getByRole('heading', { level: 1, name: 'Parent-child report' }).waitFor()
  await page.goto('/reports/parent-child?kind=guardian&view=problems')
  const kinds = page.getByRole('group', { name: 'Kinds of problems' })
  await kinds.getByRole('button', { name: /^Minor without guardian/ }).click()
  const problems = page.getByRole('list', { name: 'Problems' })
  await problems.getByRole('listitem').first().waitFor()
  await expect.poll(() => problems.getAttribute('aria-busy')).toBe(null)
  await expectAccessible(page)
  const add = problems.getByRole('button', { name: /^Add guardian of / }).first()
  const child = (await add.getAttribute('aria-label'))?.replace('Add guardian of ', '') ?? ''
  expect(child).not.toBe('')
  await add.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').first().fill('Ada')
  await page.getByRole('listbox').getByRole('option').first().click()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await problems.getByRole('button', { name: `Add guardian of ${child}` }).waitFor({ state: 'detached' })
})

journey('the line of somebody is shown as a tree and as a table, by search and by keys', async ({ page }) => {
  await signIn(page, 'owner', '/reports/parent-child?kind=lineage&view=roots')
  const roots = page.getByRole('grid', { name: 'Roots' }).or(page.getByRole('table', { name: 'Roots' }))
  await roots.getByRole('row').nth(1).waitFor()
  const name = (await roots.getByRole('row').nth(1).getByRole('link').first().textContent()) ?? ''
  expect(name).not.toBe('')
  await page.getByRole('link', { name: 'Tree', exact: true }).click()
  await page
    .getByRole('treegrid')
    .or(page.getByRole('button', { name: 'Show the roots' }))
    .first()
    .waitFor()
  await page.getByRole('combobox', { name: 'Root' }).fill(name)
  await page.getByRole('option', { name }).first().click()
  const tree = page.getByRole('treegrid', { name: `Line of ${name}` })
  await tree.getByRole('row').nth(1).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Collapse all' }).click()
  await expect.poll(() => tree.getByRole('row').count()).toBe(2)
  await tree.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => tree.getByRole('row').count()).toBeGreaterThan(2)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Show the line of / }).click()
  await page.getByRole('navigation', { name: /^Above / }).waitFor()
})
