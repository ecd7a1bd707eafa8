import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'

/** A family name nobody else has, so that a journey can run against a product that is in use. */
const unique = (name: string) => `${name}${Date.now().toString(36)}`

async function enter(page: Page, given: string, family: string) {
  await page.goto('/members?new=1')
  const dialog = page.getByRole('dialog', { name: 'New member' })
  await dialog.getByLabel('Given name').fill(given)
  await dialog.getByLabel('Family name').fill(family)
  await dialog.getByRole('button', { name: 'Create member' }).click()
  await page.getByText(`${given} ${family} entered`).waitFor()
}

const openRelationships = async (page: Page, name: string) => {
  await page.goto(`/members?q=${encodeURIComponent(name)}`)
  await page.getByRole('table', { name: 'Members' }).getByRole('link', { name }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByRole('link', { name: 'Relationships', exact: true }).click()
}

/** Opens the form and says what the person is to whom. */
async function propose(page: Page, { name, is, other, label }: { name: string; is: string; other: string; label: string }) {
  await page.getByRole('button', { name: 'Add relationship' }).click()
  const dialog = page.getByRole('dialog', { name: `New relationship of ${name}` })
  await dialog.getByRole('combobox', { name: 'Type' }).selectOption({ label: 'Big and little' })
  await dialog.getByRole('combobox', { name: `${name} is the` }).selectOption({ label: is })
  await dialog.getByRole('combobox', { name: label }).fill(other)
  await page.getByRole('option', { name: other }).click()
  return dialog
}

journey('an officer records a big and a little, is refused a circle with its path, ends the pair and undoes that', async ({ page }) => {
  const family = unique('Kinship')
  const [big, little] = [`Bea ${family}`, `Lio ${family}`]
  await signIn(page, 'secretary', '/members')
  await page.getByRole('table', { name: 'Members' }).waitFor()
  await enter(page, 'Bea', family)
  await enter(page, 'Lio', family)

  await openRelationships(page, big)
  await page.getByRole('heading', { name: 'No active relationships' }).waitFor()
  const dialog = await propose(page, { name: big, is: 'Big', other: little, label: 'Little' })
  await dialog.getByLabel('Since').fill('2024-10-01')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add relationship' }).click()
  const pairs = page.getByRole('list', { name: 'Big and little' })
  await pairs.getByRole('link', { name: little }).waitFor()
  await page
    .getByRole('group', { name: `People around ${big}` })
    .getByRole('link', { name: `${little}, Little` })
    .waitFor()
  await expectAccessible(page)

  const again = await propose(page, { name: big, is: 'Little', other: little, label: 'Big' })
  await again.getByRole('button', { name: 'Add relationship' }).click()
  await again.getByText(`This would form a circle: ${big} → ${little} → ${big}.`).waitFor()
  await again.getByRole('button', { name: 'Cancel' }).click()

  await pairs.getByRole('button', { name: `Actions for ${big} and ${little}` }).click()
  await page.getByRole('menuitem', { name: 'End relationship' }).click()
  const end = page.getByRole('dialog', { name: 'End relationship' })
  await end.getByLabel('Last day').fill('2025-06-30')
  await end.getByRole('button', { name: 'End relationship' }).click()
  await pairs.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await pairs.getByRole('link', { name: little }).waitFor()
  expect(await pairs.getByText('Ended').count()).toBe(0)

  await page.getByRole('link', { name: 'Show as tree: Big and little' }).click()
  await page.getByRole('heading', { level: 1, name: 'Parent-child report' }).waitFor()
  await page
    .getByRole('treegrid', { name: `Line of ${big}` })
    .getByRole('row', { name: new RegExp(little) })
    .waitFor()
})

journey('a member accepts what another proposed, from home', async ({ page }) => {
  await signIn(page, 'member', '/')
  const waiting = page.getByRole('list', { name: 'Relationships to confirm' })
  await waiting.getByRole('button', { name: 'Accept: Leah Goldberg, Mentor of Mateo Silva' }).click()
  await waiting.getByText('Leah Goldberg, Mentor of Mateo Silva: accepted').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Undo: Leah Goldberg, Mentor of Mateo Silva: accepted' }).click()
  await waiting.getByRole('button', { name: 'Accept: Leah Goldberg, Mentor of Mateo Silva' }).waitFor()
})
