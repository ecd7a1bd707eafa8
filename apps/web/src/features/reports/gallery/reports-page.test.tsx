import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { ReportQuestion } from '@guildhall/contract/features/reports'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { answering, pageOf, reports, saved } from '../reports-testing.ts'

configure({ asyncUtilTimeout: 25_000 })

const list = (items = [saved]) => reports.list.handler(() => pageOf(items))

test('reports stand by subject with their figures, saved ones first', async () => {
  const asked: ReportQuestion[] = []
  renderPath('/reports', { data: { reports: { ask: answering(asked), list: list() } } })
  expect(await screen.findByRole('heading', { level: 1, name: 'Reports' })).toBeVisible()
  expect(await screen.findByRole('link', { name: 'Ages of members' })).toHaveAttribute('href', expect.stringContaining(saved.id))
  expect(screen.getByRole('link', { name: 'Retention' })).toHaveAttribute('href', '/reports/retention')
  expect(await screen.findByText('Active: 1,200, 80 more than a year before')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Parent-child report' })).toHaveAttribute('href', '/reports/parent-child')
  expect(asked.some((question) => question.kind === 'standard' && question.report === 'giving')).toBe(true)
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Saved reports',
    'Membership',
    'Giving',
    'Events',
    'Chapters',
    'Communication',
    'Data quality',
    'Relationships',
  ])
})

test('what a reader may not see is not offered', async () => {
  renderPath(
    '/reports',
    { data: { reports: { ask: answering(), list: list([]) } } },
    { holding: ['reports.read', 'people.directory', 'people.contact'] },
  )
  expect(await screen.findByRole('link', { name: 'Joins and leaves' })).toBeVisible()
  expect(screen.queryByRole('heading', { name: 'Giving' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Retention' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Parent-child report' })).toBeVisible()
  expect(screen.getByText('Your own line, and the tree of chapters')).toBeVisible()
})

test('a search finds titles and purposes, and a subject narrows the shelves', async () => {
  const user = userEvent.setup()
  const { router } = renderPath('/reports?category=giving', { data: { reports: { ask: answering(), list: list() } } })
  expect(await screen.findByRole('link', { name: 'Top donors' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Ages of members' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Officers' })).toBeNull()
  await user.type(screen.getByRole('searchbox', { name: 'Search reports' }), 'pledge')
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Top donors' })).toBeNull())
  expect(screen.getByRole('link', { name: 'Overdue pledges' })).toBeVisible()
  await waitFor(() => expect(router.state.location.search).toMatchObject({ q: 'pledge', category: 'giving' }))
  await user.type(screen.getByRole('searchbox', { name: 'Search reports' }), 'xx')
  expect(await screen.findByText('No report matches')).toBeVisible()
})

test('a saved report is starred from its card', async () => {
  const user = userEvent.setup()
  const placed: unknown[] = []
  renderPath('/reports', {
    data: {
      reports: {
        ask: answering(),
        list: list(),
        place: reports.place.handler(({ input }) => {
          placed.push(input)
          return { ...saved, isStarred: true }
        }),
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Star Ages of members' }))
  await waitFor(() => expect(placed).toEqual([{ reportId: saved.id, isStarred: true }]))
})

test('mailed reports are paused, sent now and removed, with Undo', async () => {
  const user = userEvent.setup()
  const schedule = {
    id: saved.id,
    report: { id: saved.id, name: saved.name },
    cadence: 'monthly' as const,
    formats: ['csv' as const, 'pdf' as const],
    recipients: [{ accountId: saved.id, name: 'Olive Owner' }],
    nextOn: '2026-12-01',
    lastSentAt: null,
    failure: { reason: 'report_recipient_unknown' as const, params: {}, detail: 'No such recipient.' },
    pausedAt: null,
    version: 2,
  }
  const done: unknown[] = []
  renderPath('/reports?open=schedules', {
    data: {
      reports: {
        ask: answering(),
        list: list([]),
        schedules: {
          list: reports.schedules.list.handler(() => ({ items: [schedule] })),
          update: reports.schedules.update.handler(({ input: { isPaused } }) => {
            done.push({ isPaused })
            return { ...schedule, version: 3 }
          }),
          remove: reports.schedules.remove.handler(() => {
            done.push('removed')
          }),
        },
      },
    },
  })
  const rows = await screen.findByRole('list', { name: 'Mailed reports' })
  expect(within(rows).getByText(/Monthly · CSV and PDF · Olive Owner/)).toBeVisible()
  expect(within(rows).getByText(/Next on Dec 1, 2026/)).toBeVisible()
  expect(within(rows).getByText(/Not sent the last time: One of the recipients has no active account/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Actions for the schedule of Ages of members' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Pause' }))
  expect(await screen.findByText('Mailing of Ages of members paused')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Actions for the schedule of Ages of members' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Remove schedule' }))
  expect(await screen.findByText('Schedule of Ages of members removed')).toBeVisible()
  expect(done).toEqual([{ isPaused: true }, 'removed'])
})

test('recent runs can be opened again', async () => {
  renderPath('/reports?open=runs', {
    data: {
      reports: {
        ask: answering(),
        list: list([]),
        runs: reports.runs.handler(() =>
          pageOf([
            {
              id: saved.id,
              question: {
                kind: 'standard' as const,
                report: 'retention' as const,
                chapterId: null,
                range: null,
                compare: false,
                asOf: null,
              },
              name: null,
              state: 'done' as const,
              done: 3,
              total: 3,
              error: null,
              createdAt: '2026-11-28T09:00:00Z',
              finishedAt: '2026-11-28T09:01:00Z',
              expiresAt: '2026-12-05T09:00:00Z',
            },
          ]),
        ),
      },
    },
  })
  const rows = await screen.findByRole('list', { name: 'Recent runs' })
  expect(within(rows).getByText('Ready')).toBeVisible()
  expect(within(rows).getByRole('link', { name: 'Retention' })).toHaveAttribute('href', expect.stringContaining(`run=${saved.id}`))
})
