import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { renderWithApi } from '../../testing/render-with-api.tsx'
import { Chart } from './chart.tsx'
import type { ChartData, ChartRow } from './chart-data.ts'

const data: ChartData = {
  heading: 'Month',
  series: [
    { key: 'joined', label: 'Joined' },
    { key: 'before', label: 'Year before', previous: true },
  ],
  rows: [
    { key: '2026-10', label: 'October 2026', values: { joined: 12, before: null } },
    { key: '2026-11', label: 'November 2026', values: { joined: 1400, before: 9 } },
  ],
}
const shown = (onSelect?: (row: ChartRow) => void) =>
  renderWithApi(<Chart kind="line" title="1,412 joined" summary="Most in November." data={data} onSelect={onSelect} />)

test('a chart is a figure with its finding, and keeps the height of what is to come', () => {
  shown()
  const figure = screen.getByRole('figure')
  expect(within(figure).getByText('1,412 joined')).toBeVisible()
  expect(within(figure).getByText('Most in November.')).toBeVisible()
  expect(figure.querySelector('[style*="block-size: 220px"]')).not.toBeNull()
})

test('the values are a table, whose rows lead to what they count', async () => {
  const chosen: string[] = []
  shown(({ key }) => chosen.push(key))
  const user = userEvent.setup()
  expect(screen.queryByRole('table')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'View as table' }))
  const table = screen.getByRole('table', { name: '1,412 joined' })
  expect(
    within(table)
      .getAllByRole('row')
      .map((row) => row.textContent),
  ).toEqual(['MonthJoinedYear before', 'October 202612–', 'November 20261,4009'])
  await user.click(within(table).getByRole('button', { name: 'November 2026' }))
  expect(chosen).toEqual(['2026-11'])
  await user.click(screen.getByRole('button', { name: 'Hide table' }))
  expect(screen.queryByRole('table')).toBeNull()
})

test('the table is copied and saved as CSV; a picture that is not there yet says so', async () => {
  const files: Blob[] = []
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file)
    return 'blob:chart'
  })
  onTestFinished(() => create.mockRestore())
  const user = userEvent.setup()
  shown()
  const choose = async (name: string) => {
    await user.click(screen.getByRole('button', { name: 'Download or copy: 1,412 joined' }))
    await user.click(await screen.findByRole('menuitem', { name }))
  }
  await choose('Copy table')
  expect(await navigator.clipboard.readText()).toBe('Month\tJoined\tYear before\nOctober 2026\t12\t\nNovember 2026\t1400\t9')
  expect(await screen.findByText('Copied')).toBeVisible()
  await choose('Download CSV')
  await waitFor(() => expect(files).toHaveLength(1))
  expect(await files[0]?.text()).toContain('Month,Joined,Year before\r\nOctober 2026,12,\r\n')
  await choose('Download PNG')
  expect(await screen.findByText(/The picture could not be made/)).toBeVisible()
})

test('values that are more than numbers are written as what they are', async () => {
  const ages: ChartData = {
    heading: 'Days overdue',
    series: [{ key: 'amount', label: 'Overdue' }],
    rows: [
      { key: '0-30', label: '0–30', values: { amount: 12 } },
      { key: '31-60', label: '31–60', values: { amount: 694.9 } },
    ],
  }
  renderWithApi(<Chart kind="bars" inOrder title="Overdue" summary="By age." data={ages} format={(value) => `€${value.toFixed(2)}`} />)
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'View as table' }))
  expect(screen.getByRole('cell', { name: '€694.90' })).toBeVisible()
})

const crossed: ChartData = {
  heading: 'Joined in',
  series: [
    { key: '0', label: 'Year 0' },
    { key: '1', label: 'Year 1' },
  ],
  rows: [
    { key: '2020', label: '2020', values: { 0: 100, 1: 72 } },
    { key: '2021', label: '2021', values: { 0: 100, 1: null } },
  ],
}

test('a grid is a table of shaded values, each of which leads to what it counts', async () => {
  const chosen: string[] = []
  renderWithApi(
    <Chart
      kind="grid"
      title="Retention"
      summary="By year of joining."
      data={crossed}
      format={(value) => `${value}%`}
      onSelectPart={(row, series) => chosen.push(`${row.key} ${series.key}`)}
    />,
  )
  const user = userEvent.setup()
  const table = screen.getByRole('table', { name: 'Retention' })
  expect(
    within(table)
      .getAllByRole('row')
      .map((row) => row.textContent),
  ).toEqual(['Joined inYear 0Year 1', '2020100%72%', '2021100%–'])
  expect(within(table).getByText('72%').closest('td')?.getAttribute('style')).toContain('29%')
  await user.click(within(table).getByRole('button', { name: '2020, Year 1: 72%' }))
  expect(chosen).toEqual(['2020 1'])
  expect(screen.queryByRole('button', { name: 'View as table' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Download or copy: Retention' }))
  expect(await screen.findByRole('menuitem', { name: 'Download CSV' })).toBeVisible()
  expect(screen.queryByRole('menuitem', { name: 'Download PNG' })).toBeNull()
})

test('stacked bars name their parts, and the table leads to each of them', async () => {
  const chosen: string[] = []
  renderWithApi(
    <Chart
      kind="stacked"
      title="Members"
      summary="By year."
      data={crossed}
      onSelectPart={(row, series) => chosen.push(`${row.key} ${series.key}`)}
    />,
  )
  const user = userEvent.setup()
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Year 0', 'Year 1'])
  await user.click(screen.getByRole('button', { name: 'View as table' }))
  await user.click(within(screen.getByRole('table', { name: 'Members' })).getByRole('button', { name: '72' }))
  expect(chosen).toEqual(['2020 1'])
})
