import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fake } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import type { ConnectionMapping } from '../integrations-api.ts'
import { answers, dryRun, integrations, mapping, sheet } from '../integrations-testing.ts'

configure({ asyncUtilTimeout: 25_000 })
const { actions } = fake
const at = '/integrations/volunteers?tab=mapping'

function stored(first: ConnectionMapping) {
  let now = first
  const connection = { ...sheet, needsDryRun: true }
  return {
    ...answers(() => connection),
    mapping: integrations.mapping.handler(() => now),
    setMapping: integrations.setMapping.handler(
      ({ input: { mapping: rows, matchBy = now.matchBy, onMissing = now.onMissing } }) =>
        (now = { ...now, mapping: rows, matchBy, onMissing, version: now.version + 1 }),
    ),
  }
}

test('a target that is taken is refused in place; what is saved leads to a dry run', async () => {
  const user = userEvent.setup()
  renderPath(at, {
    data: { integrations: { ...stored(mapping), run: integrations.run.handler(() => dryRun) } },
    actions: { integrations: { run: actions.integrations.run.handler(({ input: { isDry } }) => ({ ...dryRun, isDry })) } },
  })
  await user.click(await screen.findByRole('button', { name: 'Add field' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Field there, row 3' }), 'Town')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Field here, row 3' }), 'Given name')
  expect(screen.getByText('Given name is already filled from First name. Choose another field, or remove one of them.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Save mapping' }))
  expect(screen.getByText('Unsaved changes')).toBeVisible()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Field here, row 3' }), 'City')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Rule, row 3' }), 'Review')
  expect(screen.getByText('For example London')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Save mapping' }))
  expect(await screen.findByText('All changes saved')).toBeVisible()
  await user.click(await screen.findByRole('button', { name: 'Start dry run' }))
  expect(await screen.findByText('Nothing was written: 2 to create, 1 to update, 1 conflict.')).toBeVisible()
})

test('fields that are called alike are matched, and a preview shows real records before anything is saved', async () => {
  const user = userEvent.setup()
  const asked: unknown[] = []
  renderPath(at, {
    data: { integrations: stored({ ...mapping, mapping: [] }) },
    actions: {
      integrations: {
        preview: actions.integrations.preview.handler(({ input }) => {
          asked.push(input.mapping?.length)
          return {
            records: [
              { name: 'Ada Byron', fields: [{ ours: 'city', before: 'Paris', after: 'London', direction: 'in' }], error: null },
              { name: '4', fields: [], error: { code: 'bad_value', message: 'primaryEmail: This is not an e-mail address.' } },
            ],
          }
        }),
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Match by name' }))
  expect(screen.getByRole('combobox', { name: 'Field here, row 4' })).toHaveValue('city')
  await user.click(screen.getByRole('button', { name: 'Preview with real records' }))
  const record = await screen.findByRole('table', { name: 'Ada Byron' })
  expect(within(record).getByRole('row', { name: 'City Incoming Paris London' })).toBeVisible()
  expect(screen.getByText(/A value does not fit its field\. E-mail: This is not an e-mail address\./)).toBeVisible()
  expect(asked).toEqual([4])
})

test('unsaved changes are not lost by a click on another tab', async () => {
  const user = userEvent.setup()
  const { router } = renderPath(at, { data: { integrations: stored(mapping) } })
  await user.click(await screen.findByRole('button', { name: 'Remove row 2' }))
  await user.click(screen.getByRole('link', { name: 'Overview' }))
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(router.state.location.search).toMatchObject({ tab: 'mapping' })
  await user.click(screen.getByRole('link', { name: 'Overview' }))
  await user.click(within(await screen.findByRole('dialog', { name: 'Leave without saving?' })).getByRole('button', { name: 'Leave' }))
  expect(await screen.findByRole('heading', { name: 'Records in and out' })).toBeVisible()
})

test('readers see the mapping and change nothing', async () => {
  renderPath(at, { data: { integrations: answers(() => ({ ...sheet, may: { manage: false } })) } }, { holding: ['integrations.read'] })
  expect(await screen.findByRole('row', { name: 'First name Incoming Given name Automatic' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Save mapping' })).toBeNull()
})
