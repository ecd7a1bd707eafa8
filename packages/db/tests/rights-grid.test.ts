import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { beforeAll, expect, inject, test } from 'vitest'
import { copyTemplate } from '../src/testing.ts'
import { gridPage, measureGrid } from './rights-grid.ts'
import type { Grid } from './rights-grid.ts'

const page = fileURLToPath(new URL('../../../docs/users/rights-by-table.md', import.meta.url))
let grid: Grid
beforeAll(async () => {
  grid = await measureGrid(await copyTemplate(inject('testServer'), 'rights_grid'))
}, 300_000)

test('everybody may do with each table what the page of rights by table says', async () => {
  const text = await format(gridPage(grid), { ...(await resolveConfig(page)), parser: 'markdown' })
  await expect(text, 'where this is meant, npx vitest run rights-grid -u writes the page anew').toMatchFileSnapshot(page)
})

// What must never be, whatever the page says.
const cells = () =>
  [...grid].flatMap(([table, lines]) =>
    [...lines].flatMap(([role, of]) => Object.entries(of).map(([relation, may]) => ({ table, role, relation, may }))),
  )
const does = (may: string) => /[a-z]/i.test(may)
const said = ({ table, role, relation, may }: ReturnType<typeof cells>[number]) => `${role} × ${relation} × ${table}: ${may}`

test('nobody reaches another organisation', () => {
  const across = cells().filter(({ role, relation }) =>
    role === 'stranger' ? ['west', 'below', 'east'].includes(relation) : relation === 'foreign',
  )
  expect(across.filter(({ may }) => does(may)).map(said)).toEqual([])
  expect(cells().filter(({ role, relation, may }) => role === 'stranger' && relation === 'foreign' && does(may)).length).toBeGreaterThan(20)
})

test('a suspended account reaches nothing, and a guest nobody', () => {
  expect(
    cells()
      .filter(({ role, may }) => role === 'suspended' && does(may))
      .map(said),
  ).toEqual([])
  const about = /^(people|person_|affiliations|group_members|position_holders)/
  expect(
    cells()
      .filter(({ role, table, may }) => role === 'guest' && about.test(table) && does(may))
      .map(said),
  ).toEqual([])
})

test('only administrators give roles and change what roles hold', () => {
  const given = cells().filter(
    ({ table, role, may }) =>
      /^(grants|roles|role_permissions)$/.test(table) && !['owner', 'admin', 'stranger'].includes(role) && /[acd]/i.test(may),
  )
  expect(given.map(said)).toEqual([])
})

test('nobody changes the log or a count', () => {
  const changed = cells().filter(
    ({ table, may }) => /^(audit_|.*_counts$|chapter_months|chapter_ancestors|data_health)/.test(table) && /[acd]/i.test(may),
  )
  expect(changed.map(said)).toEqual([])
})
