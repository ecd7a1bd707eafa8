import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ReportQuestion } from '@guildhall/contract/features/reports'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { answering, at, membership, nothing, pageOf, person, reports, retention, saved } from '../reports-testing.ts'

configure({ asyncUtilTimeout: 25_000 })

const last = (asked: ReportQuestion[]) => asked.at(-1)

test('a report has a picture, a sentence, a table with totals and comparison, and says what it is about', async () => {
  renderPath('/reports/membership?compare=1', { data: { reports: { ask: answering() } } })
  expect(await screen.findByRole('heading', { level: 1, name: 'Membership' })).toBeVisible()
  const figure = await screen.findByRole('figure')
  expect(within(figure).getByText('Active: 1,200, 80 more than a year before')).toBeVisible()
  expect(within(figure).getByText('2 rows; most for Full: 1,000.')).toBeVisible()
  const table = within(screen.getByRole('region', { name: 'Table: Membership' })).getByRole('table')
  expect(within(table).getByRole('row', { name: /^Full 1,000.* 900 \+100/ })).toBeVisible()
  expect(within(table).getByRole('row', { name: /^Student 200.* 220 −20/ })).toBeVisible()
  expect(within(table).getByRole('row', { name: /^Total 1,200.* 1,120 \+80/ })).toBeVisible()
  expect(screen.getByText('Everything you may see')).toBeVisible()
  expect(screen.getByText('Definitions')).toBeVisible()
  expect(screen.getByText('Memberships with a paid or approved term on the day.')).toBeInTheDocument()
})

test('range, chapter, comparison, day and grouping stand in the address and are asked', async () => {
  const user = userEvent.setup()
  const asked: ReportQuestion[] = []
  const { router } = renderPath(`/reports/membership?chapter=${uuid(61)}&asOf=2024-01-31&by=region`, {
    data: {
      reports: { ask: answering(asked) },
      chapters: {
        get: fake.data.chapters.get.handler(({ errors }) => {
          throw errors.NOT_FOUND({ data: {} })
        }),
      },
    },
  })
  await screen.findByRole('figure')
  expect(last(asked)).toEqual({
    kind: 'standard',
    report: 'membership',
    chapterId: uuid(61),
    range: null,
    compare: false,
    asOf: '2024-01-31',
    by: 'region',
  })
  await user.click(screen.getByRole('switch', { name: 'Compare with the year before' }))
  await waitFor(() => expect(last(asked)).toMatchObject({ compare: true, asOf: '2024-01-31' }))
  expect(router.state.location.search).toMatchObject({ compare: 1, by: 'region' })
  expect(screen.queryByLabelText('Range')).toBeNull()
})

test('a range that moves with the calendar is the usual one, and days of one’s own can be chosen', async () => {
  const user = userEvent.setup()
  const asked: ReportQuestion[] = []
  const { router } = renderPath('/reports/joins-and-leaves', { data: { reports: { ask: answering(asked) } } })
  await screen.findByRole('figure')
  expect(last(asked)).toMatchObject({ range: { span: 'last12Months' } })
  expect(screen.getByText('Nov 29, 2025 to Nov 28, 2026')).toBeVisible()
  await user.click(screen.getByRole('combobox', { name: 'Group by' }))
  await user.click(await screen.findByRole('option', { name: 'Quarter' }))
  await waitFor(() => expect(last(asked)).toMatchObject({ by: 'quarter' }))
  expect(router.state.location.search).toMatchObject({ by: 'quarter' })
  expect(screen.getByText(/From 12 \(October 2026\) to 9 \(November 2026\); most in October 2026: 12/)).toBeVisible()
  await router.navigate({
    to: '/reports/$reportKey',
    params: { reportKey: 'joins-and-leaves' },
    search: { since: '2021-01-01', until: '2021-12-31' },
  })
  await waitFor(() => expect(last(asked)).toMatchObject({ range: { since: '2021-01-01', until: '2021-12-31' } }))
  expect(screen.getByLabelText('From')).toHaveValue('2021-01-01')
  await router.navigate({ to: '/reports/$reportKey', params: { reportKey: 'joins-and-leaves' }, search: { span: 'all' } })
  await waitFor(() => expect(last(asked)).toMatchObject({ range: null }))
})

test('cohorts are a grid of shares whose columns stand in order', async () => {
  const user = userEvent.setup()
  const figures: unknown[] = []
  renderPath('/reports/retention', {
    data: {
      reports: {
        ask: answering(),
        behind: reports.behind.handler(({ input }) => {
          figures.push({ keys: input.keys, measure: input.measure })
          return pageOf([person])
        }),
      },
    },
  })
  const figure = await screen.findByRole('figure')
  const grid = within(figure).getByRole('table')
  expect(
    within(grid)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Joined in', 'Year 0', 'Year 1'])
  await user.click(within(grid).getByRole('button', { name: '2021, Year 1: 80%' }))
  expect(await screen.findByRole('heading', { name: 'Retained: 2021, Year 1' })).toBeVisible()
  expect(await screen.findByRole('link', { name: 'Ada Okafor' })).toHaveAttribute('href', `/person/${uuid(60)}`)
  expect(figures).toEqual([{ keys: ['2021-01-01', '1'], measure: 'retained' }])
})

test('a figure opens the list behind it, with its definition, and closing it returns to the report', async () => {
  const user = userEvent.setup()
  const hidden = { ...person, id: uuid(62), personId: null, name: '' }
  const { router } = renderPath('/reports/membership', {
    data: { reports: { ask: answering(), behind: reports.behind.handler(() => pageOf([person, hidden])) } },
  })
  await user.click(await screen.findByRole('button', { name: '1,000: list behind Active, Full' }))
  const panel = await screen.findByRole('complementary', { name: 'Active: Full' })
  expect(await within(panel).findByText('2 in the list')).toBeVisible()
  expect(within(panel).getAllByText('Active · Lisbon · Mar 4, 2021')).toHaveLength(2)
  expect(within(panel).getByText('Hidden person')).toBeVisible()
  expect(within(panel).getAllByRole('link')).toHaveLength(1)
  expect(router.state.location.search).toMatchObject({ keys: [uuid(41)], of: 'active' })
  await user.click(within(panel).getByRole('button', { name: 'Close panel' }))
  await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Active: Full' })).toBeNull())
})

test('money reads as money, and a difference has no list', async () => {
  const first = renderPath('/reports/giving', { data: { reports: { ask: answering() } } })
  expect(await screen.findByRole('button', { name: '€1,234.50: list behind Raised, November 2026' })).toBeVisible()
  expect(screen.getByRole('button', { name: '€25.00: list behind Average gift, November 2026' })).toBeVisible()
  first.unmount()
  renderPath('/reports/joins-and-leaves', { data: { reports: { ask: answering() } } })
  expect(await screen.findByRole('button', { name: '12: list behind Joined, October 2026' })).toBeVisible()
  expect(screen.queryByRole('button', { name: /list behind Net/ })).toBeNull()
})

test('groups of few people are hidden and explained', async () => {
  renderPath(`/reports/${saved.id}`, { data: { reports: { ask: answering(), get: reports.get.handler(() => saved) } } })
  expect(await screen.findByRole('row', { name: 'Over 65 Hidden: fewer than five people' })).toBeVisible()
  expect(screen.getByText(/^1 row is about fewer than five people/)).toBeVisible()
  expect(screen.getByRole('row', { name: /^Not stated 7/ })).toBeVisible()
})

test('the check says that totals are what their lists come to, or by how much they are not', async () => {
  const user = userEvent.setup()
  renderPath('/reports/membership', {
    data: {
      reports: {
        ask: answering(),
        check: reports.check.handler(({ input: { measure } }) =>
          measure === 'active'
            ? { measure, report: 1200, list: 1200, matches: true, at }
            : { measure, report: 1190, list: 1187, matches: false, at },
        ),
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Check' }))
  expect(await screen.findByText('Active: total 1,200 = list 1,200')).toBeVisible()
  expect(screen.getByText('People: total 1,190, list 1,187; a difference of 3')).toBeVisible()
})

test('a report is downloaded with its question', async () => {
  const user = userEvent.setup()
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation(() => 'blob:report')
  onTestFinished(() => create.mockRestore())
  const files: unknown[] = []
  renderPath('/reports/membership?compare=1', {
    data: { reports: { ask: answering() } },
    actions: {
      reports: {
        file: fake.actions.reports.file.handler(({ input }) => {
          files.push({ format: input.format, name: input.name, compare: input.question.compare })
          return new File(['a,b'], 'membership.csv', { type: 'text/csv' })
        }),
      },
    },
  })
  await screen.findByRole('figure')
  await user.click(screen.getByRole('button', { name: 'Download' }))
  await user.click(await screen.findByRole('menuitem', { name: 'CSV, for any program' }))
  await waitFor(() => expect(files).toEqual([{ format: 'csv', name: 'Membership', compare: true }]))
})

test('a question that takes long runs in the background, and its answer stands in the same place', async () => {
  const started: ReportQuestion[] = []
  const run = {
    id: uuid(70),
    name: null,
    done: 1,
    total: 4,
    error: null,
    createdAt: at,
    finishedAt: null,
    expiresAt: '2026-12-05T09:00:00Z',
  }
  let looks = 0
  const { router } = renderPath('/reports/retention', {
    data: {
      reports: {
        ask: reports.ask.handler(({ errors }) => {
          throw errors.CONFLICT({ data: { reason: 'report_takes_long' } })
        }),
        runs: reports.runs.handler(() => pageOf([])),
        run: reports.run.handler(() => {
          looks += 1
          const question = started[0]
          if (!question) throw new Error('nothing was started')
          return looks < 3
            ? { ...run, question, state: 'running' as const, answer: null }
            : { ...run, question, done: 4, state: 'done' as const, answer: retention }
        }),
      },
    },
    actions: {
      reports: {
        run: fake.actions.reports.run.handler(({ input: { question } }) => {
          started.push(question)
          return { ...run, question, state: 'queued' as const, done: 0, answer: null }
        }),
      },
    },
  })
  expect(await screen.findByText(/This report takes a while/)).toBeVisible()
  expect(await screen.findByText('25% done')).toBeVisible()
  expect(await screen.findByRole('button', { name: '2021, Year 1: 80%' })).toBeVisible()
  expect(started).toHaveLength(1)
  expect(router.state.location.search).toMatchObject({ run: uuid(70) })
})

test('a run that failed says why and can be started again', async () => {
  renderPath(`/reports/retention?run=${uuid(70)}`, {
    data: {
      reports: {
        runs: reports.runs.handler(() => pageOf([])),
        run: reports.run.handler(() => ({
          id: uuid(70),
          question: { kind: 'standard' as const, report: 'retention' as const, chapterId: null, range: null, compare: false, asOf: null },
          name: null,
          state: 'failed' as const,
          done: 1,
          total: 4,
          answer: null,
          error: { reason: 'report_too_long' as const, params: {}, detail: 'Too long.' },
          createdAt: at,
          finishedAt: at,
          expiresAt: at,
        })),
      },
    },
  })
  expect(await screen.findByText(/This report took more than five minutes/)).toBeVisible()
  expect(screen.getByRole('button', { name: /again/ })).toBeVisible()
})

test('a report without rows says so, and what it was asked', async () => {
  renderPath('/reports/officers', { data: { reports: { ask: reports.ask.handler(() => nothing) } } })
  expect(await screen.findByText('Nothing to report')).toBeVisible()
  expect(screen.getByText('Everything you may see')).toBeVisible()
})

test('a report that may not be seen, and one that is not there', async () => {
  const first = renderPath('/reports/giving', {
    data: {
      reports: {
        ask: reports.ask.handler(({ errors }) => {
          throw errors.FORBIDDEN({ data: {} })
        }),
      },
    },
  })
  expect(await screen.findByText('Your role does not open this')).toBeVisible()
  first.unmount()
  renderPath('/reports/no-such-report')
  expect(await screen.findByRole('heading', { level: 1, name: "We can't find this page" })).toBeVisible()
})

test('more than a hundred rows are drawn when they are asked for', async () => {
  const user = userEvent.setup()
  const rows = Array.from({ length: 130 }, (_, index) => ({
    keys: [{ value: uuid(100 + index), label: `Type ${index + 1}` }],
    values: [1, 1],
    previous: null,
    isHidden: false,
  }))
  renderPath('/reports/membership', {
    data: { reports: { ask: reports.ask.handler(() => ({ ...membership, rows, previousTotal: null, isCut: true })) } },
  })
  expect(await screen.findByText(/Only the first 130 rows are shown/)).toBeVisible()
  const table = within(screen.getByRole('region', { name: 'Table: Membership' })).getByRole('table')
  expect(within(table).getAllByRole('row')).toHaveLength(102)
  await user.click(screen.getByRole('button', { name: 'Show all 130 rows' }))
  expect(within(table).getAllByRole('row')).toHaveLength(132)
})
