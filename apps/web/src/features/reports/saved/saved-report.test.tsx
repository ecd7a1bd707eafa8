import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { uuid } from '../../../testing/fake-api.ts'
import { renderPath, renderWithApi } from '../../../testing/render-with-api.tsx'
import { answering, pageOf, reports, saved } from '../reports-testing.ts'
import { SavedReportsCard } from './saved-reports-card.tsx'

configure({ asyncUtilTimeout: 25_000 })

const get = reports.get.handler(() => saved)

test('a report is saved with its filters and shown on home', async () => {
  const user = userEvent.setup()
  const sent: unknown[] = []
  const { router } = renderPath('/reports/retention?since=2021-01-01&until=2021-12-31&by=region', {
    data: {
      reports: {
        ask: answering(),
        get,
        create: reports.create.handler(({ input }) => {
          sent.push(input)
          return { ...saved, question: input.question, name: input.name }
        }),
        place: reports.place.handler(({ input }) => {
          sent.push(input)
          return { ...saved, isOnHome: true }
        }),
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Save' }))
  const dialog = await screen.findByRole('dialog', { name: 'Save report' })
  const name = within(dialog).getByLabelText('Name')
  await user.clear(name)
  await user.type(name, '2021 joiners')
  await user.click(within(dialog).getByRole('switch', { name: /Share with the organisation/ }))
  await user.click(within(dialog).getByRole('checkbox', { name: 'Show on my home page' }))
  await user.click(within(dialog).getByRole('button', { name: 'Save report' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`/reports/${saved.id}`))
  expect(sent).toMatchObject([
    {
      name: '2021 joiners',
      sharedWith: 'organisation',
      question: { kind: 'standard', report: 'retention', range: { since: '2021-01-01', until: '2021-12-31' }, by: 'region' },
    },
    { reportId: saved.id, isOnHome: true },
  ])
})

test('sharing is offered to those who may share', async () => {
  const user = userEvent.setup()
  renderPath('/reports/membership', { data: { reports: { ask: answering() } } }, { holding: ['reports.read', 'memberships.read'] })
  await user.click(await screen.findByRole('button', { name: 'Save' }))
  const dialog = await screen.findByRole('dialog', { name: 'Save report' })
  expect(within(dialog).getByLabelText('Name')).toHaveValue('Membership')
  expect(within(dialog).queryByRole('switch')).toBeNull()
})

test('a saved report says when its question is changed, and keeps the change with Undo', async () => {
  const user = userEvent.setup()
  const updates: unknown[] = []
  const { router } = renderPath(`/reports/${saved.id}`, {
    data: {
      reports: {
        ask: answering(),
        get,
        update: reports.update.handler(({ input }) => {
          updates.push(input.question)
          return { ...saved, question: input.question ?? saved.question, version: 4 }
        }),
      },
    },
  })
  expect(await screen.findByRole('heading', { level: 1, name: 'Ages of members' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull()
  await user.click(await screen.findByRole('switch', { name: 'Compare with the year before' }))
  expect(router.state.location.search).toMatchObject({ changed: 1, compare: 1, subject: 'people', group: ['ageGroup'] })
  await user.click(await screen.findByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(updates).toMatchObject([{ subject: 'people', compare: true, groupBy: [{ field: 'ageGroup' }] }]))
  expect(await screen.findByText('Ages of members saved')).toBeVisible()
})

test('a report is deleted with Undo; one that is mailed asks first', async () => {
  const user = userEvent.setup()
  const done: unknown[] = []
  const handlers = (schedules: number) => ({
    data: {
      reports: {
        ask: answering(),
        get: reports.get.handler(() => ({ ...saved, schedules, isStarred: true })),
        list: reports.list.handler(() => pageOf([])),
        remove: reports.remove.handler(() => {
          done.push('removed')
        }),
        create: reports.create.handler(({ input }) => {
          done.push(input.name)
          return saved
        }),
        place: reports.place.handler(({ input }) => {
          done.push(input.isStarred)
          return saved
        }),
      },
    },
  })
  const first = renderPath(`/reports/${saved.id}`, handlers(0))
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  expect(await screen.findByText('Ages of members deleted')).toBeVisible()
  await waitFor(() => expect(first.router.state.location.pathname).toBe('/reports'))
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(done).toEqual(['removed', 'Ages of members', true]))
  first.unmount()
  renderPath(`/reports/${saved.id}`, handlers(2))
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete Ages of members?' })
  expect(within(dialog).getByText(/It is mailed on 2 schedules/)).toBeVisible()
})

test('somebody else’s shared report can be copied, not changed', async () => {
  const user = userEvent.setup()
  const shared = {
    ...saved,
    isMine: false,
    owner: 'Sam Secretary',
    sharedWith: 'organisation' as const,
    may: { edit: false, share: false },
  }
  renderPath(`/reports/${saved.id}?changed=1&subject=people&group=%5B%22country%22%5D`, {
    data: { reports: { ask: answering(), get: reports.get.handler(() => shared) } },
  })
  expect(await screen.findByText('Own question, shared by Sam Secretary')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Save as new' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'More actions' }))
  expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull()
  expect(await screen.findByRole('menuitem', { name: 'Add to home' })).toBeVisible()
})

test('a report is mailed every month, and one that was not saved is saved with it', async () => {
  const user = userEvent.setup()
  const sent: unknown[] = []
  const { router } = renderPath(
    '/reports/retention?by=region',
    {
      data: {
        reports: {
          ask: answering(),
          get,
          create: reports.create.handler(({ input }) => {
            sent.push(input.name)
            return saved
          }),
          schedules: {
            create: reports.schedules.create.handler(({ input }) => {
              sent.push(input)
              return {
                id: uuid(80),
                report: { id: saved.id, name: saved.name },
                cadence: input.cadence,
                formats: input.formats,
                recipients: [],
                nextOn: '2026-12-01',
                lastSentAt: null,
                failure: null,
                pausedAt: null,
                version: 1,
              }
            }),
          },
        },
      },
    },
    { holding: ['reports.read', 'memberships.read'] },
  )
  await user.click(await screen.findByRole('button', { name: 'Mail' }))
  const dialog = await screen.findByRole('dialog', { name: 'Mail on a schedule' })
  expect(within(dialog).getByText('It is mailed to you.')).toBeVisible()
  await user.click(within(dialog).getByRole('checkbox', { name: 'CSV' }))
  await user.click(within(dialog).getByRole('button', { name: 'Schedule report' }))
  await waitFor(() =>
    expect(sent).toEqual(['Retention', { reportId: saved.id, cadence: 'monthly', formats: ['pdf'], accountIds: [uuid(1)] }]),
  )
  await waitFor(() => expect(router.state.location.pathname).toBe(`/reports/${saved.id}`))
})

test('home shows the reports that its reader put there', async () => {
  renderWithApi(<SavedReportsCard />, {
    data: {
      reports: {
        list: reports.list.handler(({ input }) => pageOf(input.home ? [{ ...saved, isOnHome: true }] : [])),
      },
    },
  })
  expect(await screen.findByRole('link', { name: 'Ages of members' })).toHaveAttribute('href', `/reports/${saved.id}`)
})
