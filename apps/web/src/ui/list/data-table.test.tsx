import { MantineProvider } from '@mantine/core'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { BulkActionBar } from './bulk-action-bar.tsx'
import { DataTable } from './data-table.tsx'
import type { DataTableProps, Sort, TableColumn } from './data-table.tsx'
import { useSelection } from './selection.ts'
import { SingleKeysProvider } from '../single-keys.ts'

type Person = { id: string; name: string; gifts: number }
const people: Person[] = Array.from({ length: 500 }, (_, index) => ({ id: `p${index}`, name: `Person ${index}`, gifts: index }))
const columns: TableColumn<Person>[] = [
  { id: 'name', label: 'Name', cell: (row) => row.name, sortable: true },
  { id: 'gifts', label: 'Gifts', cell: (row) => row.gifts, align: 'end' },
]

function List(props: Partial<DataTableProps<Person>> & { scope?: string; singleKeys?: boolean }) {
  const selection = useSelection(props.scope)
  const [sort, setSort] = useState<Sort>({ column: 'name', direction: 'asc' })
  return (
    <I18nProvider i18n={i18n}>
      <MantineProvider>
        <SingleKeysProvider value={props.singleKeys ?? true}>
          <input aria-label="Search" />
          <DataTable
            label="Members"
            columns={columns}
            rows={people}
            rowId={(row) => row.id}
            rowLabel={(row) => row.name}
            total={84_213}
            sort={sort}
            onSort={setSort}
            selection={selection}
            renderCard={(row) => row.name}
            empty={<p>Nobody</p>}
            {...props}
          />
          <BulkActionBar selection={selection} total={84_213}>
            <button type="button">Tag</button>
          </BulkActionBar>
        </SingleKeysProvider>
      </MantineProvider>
    </I18nProvider>
  )
}

const row = (name: string) => screen.getByText(name).closest('tr')

test('only what is visible is drawn, and the whole size is told', () => {
  render(<List />)
  const table = screen.getByRole('table', { name: 'Members' })
  expect(table).toHaveAttribute('aria-rowcount', '84214')
  expect(within(table).getAllByRole('row').length).toBeLessThan(60)
  expect(row('Person 0')).toHaveAttribute('aria-rowindex', '2')
})

test('sorting says its direction and turns round', async () => {
  render(<List />)
  const head = screen.getByRole('columnheader', { name: /Name/ })
  expect(head).toHaveAttribute('aria-sort', 'ascending')
  await userEvent.click(within(head).getByRole('button', { name: 'Name' }))
  expect(head).toHaveAttribute('aria-sort', 'descending')
  expect(screen.getByRole('columnheader', { name: /Gifts/ })).not.toHaveAttribute('aria-sort')
})

test('ticking, shift-ticking a range and selecting everything that matches', async () => {
  render(<List />)
  const user = userEvent.setup()
  await user.click(screen.getByRole('checkbox', { name: 'Select Person 1' }))
  await user.keyboard('{Shift>}')
  await user.click(screen.getByRole('checkbox', { name: 'Select Person 4' }))
  await user.keyboard('{/Shift}')
  expect(screen.getByText('4 selected')).toBeVisible()
  expect(row('Person 3')).toHaveAttribute('aria-selected', 'true')
  await user.click(screen.getByRole('button', { name: 'Select all 84,213 matching' }))
  expect(screen.getByText('84,213 selected')).toBeVisible()
  await user.click(screen.getByRole('checkbox', { name: 'Select Person 2' }))
  expect(screen.getByText('84,212 selected')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Clear selection' }))
  expect(screen.queryByText(/selected$/)).toBeNull()
})

test('another filter starts with nothing selected', async () => {
  const { rerender } = render(<List scope="a" />)
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Person 1' }))
  rerender(<List scope="b" />)
  expect(screen.queryByText('1 selected')).toBeNull()
})

test('J and K walk, X marks, Shift+X marks up to here, Enter opens, Space peeks', async () => {
  const onOpen = vi.fn()
  const onPeek = vi.fn()
  render(<List onOpen={onOpen} onPeek={onPeek} />)
  const user = userEvent.setup()
  await user.keyboard('jjj')
  expect(row('Person 2')).toHaveFocus()
  await user.keyboard('k')
  expect(row('Person 1')).toHaveFocus()
  await user.keyboard('x{ArrowDown}{ArrowDown}{Shift>}X{/Shift}')
  expect(screen.getByText('3 selected')).toBeVisible()
  await user.keyboard('{Enter}')
  expect(onOpen).toHaveBeenCalledWith(people[3])
  await user.keyboard(' ')
  expect(onPeek).toHaveBeenCalledWith(people[3])
})

test('letters typed into a field do nothing to the list, nor do any when they are switched off', async () => {
  const { rerender } = render(<List />)
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('Search'), 'jx')
  expect(screen.getByLabelText('Search')).toHaveFocus()
  expect(screen.queryByText(/selected$/)).toBeNull()
  rerender(<List singleKeys={false} />)
  await user.click(document.body)
  await user.keyboard('jx')
  expect(document.body).toHaveFocus()
  expect(screen.queryByText(/selected$/)).toBeNull()
})

test('a click peeks, but not a click on something that acts by itself', async () => {
  const onPeek = vi.fn()
  render(<List onPeek={onPeek} />)
  await userEvent.click(screen.getByText('Person 5'))
  expect(onPeek).toHaveBeenCalledTimes(1)
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Person 5' }))
  expect(onPeek).toHaveBeenCalledTimes(1)
})

test('columns are shown in the chosen order and widths change with the arrow keys', async () => {
  const onWidthsChange = vi.fn()
  render(<List shown={['gifts', 'name']} onWidthsChange={onWidthsChange} />)
  expect(
    screen
      .getAllByRole('columnheader')
      .slice(1)
      .map((head) => head.textContent),
  ).toEqual(['Gifts', 'Name'])
  screen.getByRole('separator', { name: 'Width of Gifts' }).focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(onWidthsChange).toHaveBeenCalledWith({ gifts: 184 })
})

test('an empty list says so, a loading one shows its shape', () => {
  const { rerender } = render(<List rows={[]} />)
  expect(screen.getByText('Nobody')).toBeVisible()
  rerender(<List rows={[]} loading />)
  expect(screen.getByRole('table', { name: 'Members' })).toHaveAttribute('aria-busy', 'true')
})

test('the end of what was fetched asks for more, once per page', () => {
  const onMore = vi.fn()
  render(<List rows={people.slice(0, 20)} hasMore onMore={onMore} />)
  expect(onMore).toHaveBeenCalledTimes(1)
})

test('the scrollbar stands for all that match, and the position is told', () => {
  const heightOf = () =>
    [...document.querySelectorAll<HTMLElement>('tbody tr')].reduce((sum, one) => sum + (Number.parseInt(one.style.blockSize, 10) || 40), 0)
  const { rerender } = render(<List rows={people.slice(0, 100)} total={400} hasMore />)
  expect(screen.getByText(/^\d+ of 400$/)).toBeVisible()
  const before = heightOf()
  expect(before).toBe(400 * 40)
  rerender(<List rows={people.slice(0, 200)} total={400} hasMore />)
  expect(heightOf()).toBe(before)
})

test('on paper every row fetched is there, with how many there are beyond', () => {
  render(<List rows={people.slice(0, 100)} total={400} hasMore />)
  expect(screen.queryByText('Person 99')).toBeNull()
  window.dispatchEvent(new Event('beforeprint'))
  expect(screen.getByText('Person 99')).toBeVisible()
  expect(screen.getByText(/^The first 100 of 400\./)).toBeInTheDocument()
  window.dispatchEvent(new Event('afterprint'))
  expect(screen.queryByText('Person 99')).toBeNull()
})

test('on a phone each card has its tick', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(new EventTarget(), { matches: true, media: query, onchange: null, addListener: vi.fn(), removeListener: vi.fn() }),
  )
  render(<List />)
  const first = screen.getByRole('checkbox', { name: 'Select Person 0' })
  await userEvent.click(first)
  expect(first).toBeChecked()
  expect(screen.queryByRole('table')).toBeNull()
  vi.restoreAllMocks()
})

test('walking along the rows draws no cell again', async () => {
  const cell = vi.fn((row: Person) => row.name)
  const drawn: TableColumn<Person>[] = [{ id: 'name', label: 'Name', cell }]
  render(<List columns={drawn} />)
  const before = cell.mock.calls.length
  await userEvent.keyboard('jj')
  expect(row('Person 1')).toHaveFocus()
  // Rows that come into view are drawn; those that are there are not.
  expect(cell.mock.calls.length - before).toBeLessThan(4)
})
