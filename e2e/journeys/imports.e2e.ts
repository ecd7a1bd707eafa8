import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'
import { screenshot } from '../src/screenshots.ts'

const folder = path.resolve(import.meta.dirname, '../fixtures/us-congress')
const files = [
  { kind: 'Chapters', file: 'chapters.csv', taken: 499, rejected: 0 },
  { kind: 'People', file: 'people.csv', taken: 537, rejected: 0 },
  { kind: 'Offices and terms', file: 'positions.csv', taken: 2764, rejected: 28 },
  { kind: 'Groups', file: 'groups.csv', taken: 230, rejected: 0 },
  { kind: 'Group members', file: 'group_members.csv', taken: 3879, rejected: 0 },
]

journey(
  'a secretary brings in a real organisation, finds her way in it, and a second import changes nothing',
  { timeout: 240_000 },
  async ({ page }) => {
    await signIn(page, 'secretary', '/members')
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
    const before = await demoOrganisation(page)
    expect(before.chapters).toEqual(expect.arrayContaining([expect.stringContaining('Meridian Society')]))
    await page.getByRole('link', { name: 'Import' }).click()
    for (const { kind, file, taken, rejected } of files) {
      await upload(page, kind, file)
      await page.getByRole('button', { name: 'Check file' }).click()
      await page.getByText('This is what would happen').waitFor({ timeout: 60_000 })
      if (file === 'positions.csv') {
        await page.getByText('There is no chapter “IL-20”.').first().waitFor()
        await screenshot(page, 'import-check')
        await expectAccessible(page)
      }
      expect(await page.getByText('Changes to existing chapters').count()).toBe(0)
      await page.getByRole('button', { name: /^Import [\d,]+ rows$/ }).click()
      await page.getByText('The import is done').waitFor({ timeout: 90_000 })
      const counts = await figures(page)
      expect(counts['New']! + counts['Changed']!, file).toBe(taken)
      expect(counts['Rejected'], file).toBe(rejected)
      await page.getByRole('button', { name: 'All imports' }).click()
    }

    // The demo organisation is as it was, and the tour beside it.
    const after = await demoOrganisation(page)
    for (const list of ['chapters', 'groups', 'people'] as const) {
      expect(before[list].length, list).toBeGreaterThan(10)
      expect(
        before[list].filter((row) => !after[list].includes(row)),
        list,
      ).toEqual([])
    }
    expect([after.chapters.length - before.chapters.length, after.people.length - before.people.length]).toEqual([499, 537])

    await find(page, 'vermont', 'Vermont', 'VT · Northeast')
    const officers = page.getByRole('listitem').filter({ hasText: 'Senator' })
    await expect.poll(() => officers.count()).toBe(2)
    await page
      .getByRole('link', { name: /Sanders/ })
      .first()
      .waitFor()
    await page.getByRole('link', { name: /Welch/ }).first().waitFor()

    await page.goto('/groups?titles=1')
    await page.getByRole('searchbox', { name: 'Search titles, people and groups' }).fill('Senate Committee on Finance')
    await page.getByRole('cell', { name: 'Chairman' }).first().waitFor()
    await page.getByRole('link', { name: 'Senate Committee on Finance' }).first().waitFor()

    await find(page, 'west', 'West', 'R-WEST · ')
    await screenshot(page, 'chapter')
    await page.getByRole('link', { name: 'Members', exact: true }).last().click()
    await page.getByRole('link', { name: 'Open in Members' }).click()
    await page.getByText(/^\d+ people$/).waitFor()
    await page.getByText('Chapter and below is any of West').waitFor()

    await page.goto('/account-management/imports')
    await upload(page, 'People', 'people.csv')
    await page.getByText('This file was uploaded before').waitFor()
    await page.getByRole('button', { name: 'Check file' }).click()
    await page.getByText('This file would change nothing').waitFor({ timeout: 60_000 })
    expect(await figures(page)).toMatchObject({ New: 0, Changed: 0, Unchanged: 537 })
  },
)

journey('a file that is none is refused in words, and nothing is kept of it', async ({ page, trouble }) => {
  trouble.expect(/4(13|15|22)/)
  await signIn(page, 'secretary', '/account-management/imports')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'members.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%âãÏÓ\n') })
  await page.getByRole('alert').filter({ hasText: 'The file was not taken' }).waitFor()
  await page.getByText('New import').waitFor()
})

journey('an import that another one stands on is undone in part, and its rest once that one is gone', async ({ page }) => {
  await signIn(page, 'secretary', '/account-management/imports')
  for (const [kind, name, text] of [
    ['Chapters', 'branches.csv', 'code,name\nZQ1,Zwolle branch\n'],
    ['People', 'joiners.csv', 'member_no,first_name,last_name,chapter_code\nZQ-1,Zoe,Quist,ZQ1\n'],
  ] as const) {
    await page.getByRole('radio', { name: new RegExp(`^${kind}`) }).check({ force: true })
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.getByRole('button', { name: 'Check file' }).click()
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.getByText('The import is done').waitFor({ timeout: 60_000 })
    await page.getByRole('button', { name: 'All imports' }).click()
  }
  const undo = async (name: string) => {
    await page.getByRole('button', { name }).click()
    await page.getByRole('dialog').getByRole('button', { name }).click()
  }
  await page.getByRole('button', { name: 'branches.csv' }).click()
  await undo('Undo import')
  await page.getByText('The import is partly undone').waitFor({ timeout: 60_000 })
  await page.getByText('Still in use (Zoe Quist), so it stays.').waitFor()
  await screenshot(page, 'import-partly-undone')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Open joiners.csv' }).click()
  await undo('Undo import')
  await page.getByText('The import is undone').waitFor({ timeout: 60_000 })
  await page.goBack()
  await undo('Undo the rest')
  await page.getByText('The import is undone').waitFor({ timeout: 60_000 })
})

async function upload(page: Page, kind: string, file: string) {
  await page.getByRole('radio', { name: new RegExp(`^${kind}`) }).check({ force: true })
  await page.locator('input[type=file]').setInputFiles(path.join(folder, file))
  await page.getByRole('button', { name: 'Check file' }).waitFor()
}

/** Everyone and everything there is, each as the text of all that the lists say about it. */
async function demoOrganisation(page: Page) {
  const asking = page.waitForRequest((request) => request.headers()['authorization'] !== undefined)
  await page.goto('/members')
  const headers = { authorization: (await asking).headers()['authorization'] ?? '' }
  const all = async (list: string) => {
    const rows: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer = await page.request.get(`/data/${list}?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, { headers })
      expect(answer.status(), await answer.text()).toBe(200)
      const body = (await answer.json()) as { items: unknown[]; nextCursor: string | null }
      rows.push(...body.items.map((item) => JSON.stringify(item)))
      cursor = body.nextCursor
    }
    return rows
  }
  return { chapters: await all('chapters'), groups: await all('groups'), people: await all('people') }
}

/** The palette, as one who works with the keyboard uses it. */
async function find(page: Page, typed: string, name: string, hint: string) {
  await page.keyboard.press('Control+k')
  // A machine that does much else besides opens it late; what is typed before goes into the page.
  await page.getByRole('combobox', { name: /^Search people/ }).waitFor()
  await page.keyboard.type(typed)
  await page.getByRole('option').filter({ hasText: hint }).click()
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

/** The counts that an import shows, by their names. */
async function figures(page: Page): Promise<Record<string, number>> {
  const texts = await page
    .locator('[data-outcome]')
    .evaluateAll((nodes) => nodes.map((node) => [node.getAttribute('data-outcome') ?? '', node.textContent]))
  return Object.fromEntries(texts.map(([outcome = '', text = '']) => [outcome, Number(text.replace(outcome, '').replace(/\D/g, ''))]))
}
