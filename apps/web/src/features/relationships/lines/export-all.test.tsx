import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import type { Permission } from '@guildhall/contract/permissions'
import { fake } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { lineage, pageOf, person, relationship, types } from './lines-testing.ts'

configure({ asyncUtilTimeout: 15_000 })
beforeAll(() => import('./lines-page.tsx'), 180_000)

const { relationships, lists } = fake.data
function open(holding?: readonly Permission[]) {
  const asked: unknown[] = []
  const one = relationship(501, person(11, 'Ada Byron'), person(12, 'Ben Ito'))
  renderPath(
    '/reports/parent-child?kind=lineage&view=pairs',
    {
      data: {
        relationships: {
          types,
          list: relationships.list.handler(() => ({ ...pageOf([one]), total: 40 })),
          lines: { pairs: relationships.lines.pairs.handler(() => pageOf([])) },
        },
        lists: {
          exports: { columns: lists.exports.columns.handler(() => ({ items: [{ key: 'from', header: 'First', kind: 'text' as const }] })) },
        },
      },
      actions: {
        lists: {
          exports: {
            create: fake.actions.lists.exports.create.handler(({ input, errors }) => {
              asked.push(input)
              throw errors.SERVICE_UNAVAILABLE()
            }),
          },
        },
      },
    },
    holding ? { holding } : {},
  )
  return asked
}
const download = async (user: ReturnType<typeof userEvent.setup>) => {
  await user.click(await screen.findByRole('button', { name: 'Download' }))
  return within(await screen.findByRole('menu'))
}

test('all that is recorded of a type is exported, with what has ended', async () => {
  const user = userEvent.setup()
  const asked = open()
  await user.click((await download(user)).getByRole('menuitem', { name: 'Export all of Big and little, with ended ones' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Export' }))
  await user.click(await dialog.findByRole('button', { name: 'Export 40 rows' }))
  await waitFor(() =>
    expect(asked).toMatchObject([
      {
        ...{ list: 'relationships', format: 'csv', columns: ['from'] },
        selection: { all: { filter: { and: [{ or: [{ field: 'type', op: 'in', value: [lineage.id] }] }] } } },
      },
    ]),
  )
})

test('who may not export people is not offered it', async () => {
  const user = userEvent.setup()
  open(['people.directory', 'reports.read', 'relationships.read'])
  expect((await download(user)).queryByRole('menuitem', { name: /^Export all/ })).toBeNull()
})
