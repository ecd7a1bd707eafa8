import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import { fake } from '../../../testing/fake-api.ts'
import { personRow } from '../../../testing/people.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { ada, appeal, around, euros, funds, getCampaign, library, pageOf } from '../giving-testing.ts'
import { blankRow, faultsFrom, pasted, tableOf } from './batch-rows.ts'

configure({ asyncUtilTimeout: 25_000 })
// The code of the page, which a busy machine takes its time to make.
beforeAll(
  () => Promise.all([import('../campaigns/campaign-page.tsx'), import('./gift-batch.tsx'), import('../gifts/gifts-tab.tsx')]),
  180_000,
)

const { gifts } = fake.data.fundraising

function opened(recordBatch: ReturnType<typeof gifts.recordBatch.handler>) {
  return renderPath(`/fundraising/${appeal.id}/donations?batch=1`, {
    data: {
      ...around,
      people: {
        list: fake.data.people.list.handler(({ input: { q = '' } }) =>
          pageOf([personRow(11, 'Ada', 'Byron')].filter(({ displayName }) => displayName.toLowerCase().includes(q.toLowerCase()))),
        ),
      },
      fundraising: {
        funds,
        get: getCampaign,
        list: fake.data.fundraising.list.handler(() => pageOf([])),
        overview: fake.data.fundraising.overview.handler(() => {
          throw new Error('not asked for')
        }),
        gifts: {
          recordBatch,
          list: gifts.list.handler(() => pageOf([])),
          totals: gifts.totals.handler(() => ({ items: [] })),
        },
      },
    },
  })
}
const cell = (name: string) => screen.findByRole('textbox', { name })
const donor = (row: number) => screen.findByRole('combobox', { name: `Donor, row ${row}` })

test('a pile of cheques is entered by keyboard alone, against a control total', async () => {
  const user = userEvent.setup()
  const sent: unknown[] = []
  opened(
    gifts.recordBatch.handler(({ input }) => {
      sent.push(input)
      return { gifts: 2, total: euros(12_500), giftIds: [] }
    }),
  )
  await user.type(await screen.findByRole('textbox', { name: /Control total/ }), '125')
  await user.click(await donor(1))
  await user.keyboard('Ada')
  await screen.findByRole('option', { name: /Ada Byron/ })
  await user.keyboard('{ArrowDown}{Enter}')
  expect(await donor(1)).toHaveValue('Ada Byron')
  await user.keyboard('{Tab}')
  expect(await cell('Amount, row 1')).toHaveFocus()
  await user.keyboard('100{Tab}1001{Tab}')
  expect(screen.getByRole('combobox', { name: 'Fund, row 1' })).toHaveFocus()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Fund, row 1' }), 'Library')
  expect(screen.getByRole('status', { name: 'Entered so far' })).toHaveTextContent('€100.001 gift€25.00 short of the control total')
  await user.keyboard('{Enter}')
  expect(await donor(2)).toHaveFocus()
  await user.keyboard('Hill Bakery{Tab}25')
  // Up and down stay in the column.
  await user.keyboard('{ArrowUp}')
  expect(await cell('Amount, row 1')).toHaveFocus()
  expect(await cell('Amount, row 2')).toHaveValue('25.00')
  expect(screen.getByRole('status', { name: 'Entered so far' })).toHaveTextContent('€125.002 giftsMatches the control total')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({
    ...{ campaignId: appeal.id, method: 'cheque', currency: 'EUR', sendReceipts: true },
    rows: [
      { personId: ada.id, donorName: '', amount: 10_000, reference: '1001', fundId: library.id },
      { personId: null, donorName: 'Hill Bakery', amount: 2500, reference: '', fundId: null },
    ],
  })
  expect(await screen.findByText('2 gifts recorded: €125.00')).toBeVisible()
})

test('Enter on the last row adds one, and what is missing is said at its cell before anything is sent', async () => {
  const user = userEvent.setup()
  opened(
    gifts.recordBatch.handler(() => {
      throw new Error('not sent')
    }),
  )
  await user.click(await donor(5))
  await user.keyboard('Mill Bank{Enter}')
  expect(await donor(6)).toHaveFocus()
  await user.type(await cell('Amount, row 2'), 'lots')
  await user.click(screen.getByRole('button', { name: 'Record 2 gifts' }))
  expect(await cell('Amount, row 2')).toHaveAccessibleDescription('This is not an amount.')
  expect(await donor(2)).toHaveAccessibleDescription('Enter who gave.')
  expect(await cell('Amount, row 5')).toHaveAccessibleDescription('Enter an amount.')
  await waitFor(async () => expect(await donor(2)).toHaveFocus())
})

test('nothing is lost when the server refuses: its reason stands at the cell, and the batch is there after leaving', async () => {
  const user = userEvent.setup()
  const { router } = opened(
    gifts.recordBatch.handler(({ errors }) => {
      throw errors.UNPROCESSABLE_CONTENT({
        data: { errors: [{ path: 'rows.1.personId', code: 'person_not_found', message: 'There is no such person.' }] },
      })
    }),
  )
  await user.click(await donor(1))
  await user.keyboard('Hill Bakery{Tab}10')
  await user.click(await donor(3))
  await user.keyboard('Mill Bank{Tab}20')
  await user.click(screen.getByRole('button', { name: 'Record 2 gifts' }))
  // The second row that was sent is the third of the grid.
  await waitFor(async () => expect(await donor(3)).toHaveAccessibleDescription(/.+/))
  expect(await donor(1)).not.toHaveAccessibleDescription()
  await router.navigate({ to: '/menu' })
  await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Donor, row 1' })).toBeNull())
  router.history.back()
  expect(await screen.findByText('This is what you typed before.')).toBeVisible()
  expect(await donor(3)).toHaveValue('Mill Bank')
  expect(await cell('Amount, row 3')).toHaveValue('20.00')
  await user.click(screen.getByRole('button', { name: 'Start over' }))
  expect(await donor(3)).toHaveValue('')
})

test('rows of a spreadsheet are pasted, and donors who are in the directory are found', async () => {
  const user = userEvent.setup()
  opened(gifts.recordBatch.handler(() => ({ gifts: 2, total: euros(1), giftIds: [] })))
  await user.click(await donor(1))
  await user.paste('ada byron\t1,250.50\t1001\tlibrary\tfirst\nHill Bakery\t20\t1002\t\t\n')
  expect(await cell('Amount, row 1')).toHaveValue('1,250.50')
  await waitFor(async () => expect(await donor(1)).toHaveValue('Ada Byron'))
  expect(screen.getByRole('combobox', { name: 'Fund, row 1' })).toHaveValue(library.id)
  expect(await donor(2)).toHaveValue('Hill Bakery')
  expect(await screen.findByText('1 of 2 names found in the directory. The others are kept as typed.')).toBeVisible()
  expect(within(screen.getByRole('status', { name: 'Entered so far' })).getByText('€1,270.50')).toBeVisible()
})

test('a copied table keeps quoted tabs and line breaks within their cells', () => {
  expect(tableOf('a\tb\r\n"c\t""d"""\t"e\nf"\r\n')).toEqual([
    ['a', 'b'],
    ['c\t"d"', 'e\nf'],
  ])
  expect(tableOf('one')).toEqual([['one']])
  const rows = pasted([blankRow('f1')], { row: 0, column: 1 }, [['10'], ['20']], [])
  expect(rows.map(({ amount, fundId }) => [amount, fundId])).toEqual([
    ['10', 'f1'],
    ['20', 'f1'],
  ])
})

test('faults of the server find the rows of the grid, of which the empty ones were not sent', () => {
  const faults = faultsFrom(
    [
      { path: 'rows.1.amount', message: 'Too much' },
      { path: 'body.rows.0.donorName', message: 'Who?' },
      { path: 'rows.1', message: 'No' },
      { path: 'receivedOn', message: 'Other' },
    ],
    [0, 4],
  )
  expect(Object.fromEntries(faults)).toEqual({ '4.amount': 'Too much', '0.donor': 'Who?', '4.donor': 'No' })
})
