import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { MetricAlert } from '@guildhall/contract/features/integrations.metrics'
import { daysFrom } from '@guildhall/contract/moments'
import { fake, me, uuid } from '../../../testing/fake-api.ts'
import { renderPath, renderWithApi } from '../../../testing/render-with-api.tsx'
import { AlertsPanel } from './alerts-panel.tsx'
import { MetricLinks } from './metric-links.tsx'
import { alert, connection, overview, records } from './metrics-testing.ts'

configure({ asyncUtilTimeout: 25_000 })

const { metrics } = fake.data.integrations
const answers = (more = {}) => ({
  data: {
    integrations: {
      list: fake.data.integrations.list.handler(() => ({ items: [] })),
      metrics: {
        get: metrics.get.handler(({ input }) => records(input)),
        list: metrics.list.handler(() => overview),
        alerts: metrics.alerts.handler(() => ({ items: [alert] })),
        ...more,
      },
    },
  },
})
const page = '/integrations/volunteers/metrics/records'
const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Lisbon' }).format(new Date())

test('a metric has a sentence, figures, a line with its table, notes, alerts and its relatives', async () => {
  renderPath(page, answers())
  expect(await screen.findByRole('heading', { level: 1, name: 'Mailing list: records written, last 30 days' })).toBeVisible()
  const figure = within(screen.getByRole('figure'))
  expect(figure.getAllByText('Records written: 302')[0]).toBeVisible()
  const table = within(figure.getByRole('table'))
  expect(table.getAllByRole('row')).toHaveLength(31)
  expect(table.getAllByRole('row').at(-1)).toHaveTextContent(/12$/)
  expect(screen.getByText('Peak').parentElement).toHaveTextContent('12')
  const notes = within(screen.getByRole('list', { name: 'Notes' })).getAllByRole('listitem')
  expect(notes.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^1New list Olive Owner/),
    expect.stringMatching(/^2Paused/),
  ])
  // What happened by itself stays.
  expect(screen.getAllByRole('button', { name: /^Remove note/ })).toHaveLength(1)
  expect(await screen.findByText('Records written above 11')).toBeVisible()
  const relatives = within(await screen.findByRole('list', { name: 'Metrics of the last 30 days' }))
  expect(relatives.queryByRole('link', { name: 'Records written' })).toBeNull()
  expect(relatives.getByRole('link', { name: 'Freshness' })).toHaveAttribute('href', '/integrations/volunteers/metrics/freshness')
  expect(relatives.getByText('3.3 days')).toBeVisible()
  await userEvent.click(figure.getByRole('button', { name: 'Download or copy: Records written: 302' }))
  expect(await screen.findByRole('menuitem', { name: 'Download CSV' })).toBeVisible()
})

test('range, grain, comparison and split stand in the address and are asked', async () => {
  const user = userEvent.setup()
  const asked: unknown[] = []
  const { router } = renderPath(
    page,
    answers({
      get: metrics.get.handler(({ input }) => {
        asked.push(input)
        return records(input)
      }),
    }),
  )
  await screen.findByRole('figure')
  expect(asked.at(-1)).toMatchObject({
    connectionId: 'volunteers',
    metricType: 'records',
    from: daysFrom(today, -29),
    to: today,
    bucket: 'day',
  })
  await user.selectOptions(screen.getByLabelText('Range'), 'Last 90 days')
  expect(await screen.findByRole('heading', { level: 1, name: /last 90 days$/ })).toBeVisible()
  await user.selectOptions(screen.getByLabelText('Group by'), 'Hour')
  expect(await screen.findByText('Grouped by day: this range has too many hours to draw.')).toBeVisible()
  await user.click(screen.getByRole('switch', { name: 'Compare with the days before' }))
  expect(await screen.findByText('360 in the days before')).toBeVisible()
  await user.click(screen.getByRole('switch', { name: 'Split by direction' }))
  expect(await screen.findByRole('columnheader', { name: 'Went out' })).toBeVisible()
  expect(router.state.location.search).toMatchObject({ days: '90', bucket: 'hour', compare: 1, split: 1 })
  expect(asked.at(-1)).toMatchObject({ from: daysFrom(today, -89), bucket: 'hour', compare: true, split: true })

  await user.selectOptions(screen.getByLabelText('Range'), 'Choose days')
  const from = await screen.findByLabelText('From')
  expect(from).toHaveValue(daysFrom(today, -89))
  await router.navigate({
    to: '/integrations/$integrationName/metrics/$metricType',
    params: { integrationName: 'volunteers', metricType: 'records' },
    search: { from: '2026-01-01', to: '2026-01-05' },
  })
  expect(await screen.findByRole('heading', { level: 1, name: 'Mailing list: records written, Jan 1, 2026 to Jan 5, 2026' })).toBeVisible()
  await waitFor(() => expect(screen.getByLabelText('To')).toHaveValue('2026-01-05'))
})

test('an alert and a note are added, and removed with Undo', async () => {
  const user = userEvent.setup()
  const added: unknown[] = []
  const removed: unknown[] = []
  renderPath(
    page,
    answers({
      addAlert: metrics.addAlert.handler(({ input }) => (added.push(input), { ...alert, ...input })),
      removeAlert: metrics.removeAlert.handler(({ input }) => void removed.push(input.alertId)),
      annotate: metrics.annotate.handler(({ input }) => (added.push(input), { id: uuid(5) })),
      removeAnnotation: metrics.removeAnnotation.handler(({ input }) => void removed.push(input.annotationId)),
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Alert me' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New alert' }))
  await user.selectOptions(await dialog.findByLabelText('Metric'), 'Freshness')
  await user.click(dialog.getByRole('button', { name: 'Add alert' }))
  expect(await dialog.findByText('Enter a number.')).toBeVisible()
  await user.type(dialog.getByLabelText('Limit'), '2')
  await user.selectOptions(dialog.getByLabelText('Unit'), 'days')
  await user.click(dialog.getByRole('button', { name: 'Add alert' }))
  await waitFor(() => expect(added).toEqual([{ connectionId: connection.id, metricType: 'freshness', above: 48, below: null }]))

  await user.click(await screen.findByRole('button', { name: 'Add note' }))
  const note = within(await screen.findByRole('dialog', { name: 'New note' }))
  await user.type(await note.findByLabelText('Note'), 'Second list')
  await user.click(note.getByRole('button', { name: 'Add note' }))
  await waitFor(() => expect(added.at(-1)).toMatchObject({ connectionId: connection.id, text: 'Second list' }))

  await user.click(await screen.findByRole('button', { name: 'Remove note: New list' }))
  await user.click(screen.getByRole('button', { name: 'Remove alert: Records written above 11' }))
  await waitFor(() => expect(removed).toEqual([uuid(1), alert.id]))
  expect(await screen.findByText('Alert removed')).toBeVisible()
})

test('an unknown metric lists the known ones, and an unknown connection those there are', async () => {
  const refusing = (reason: string, known: string[]) =>
    answers({
      get: metrics.get.handler(({ errors }) => {
        throw errors.NOT_FOUND({
          data: reason === 'metric_unknown' ? { reason, params: { known } } : { reason: 'connection_unknown', params: { known } },
        })
      }),
    })
  const { unmount } = renderPath('/integrations/volunteers/metrics/nonsense', refusing('metric_unknown', ['records', 'success-rate']))
  expect(await screen.findByText('This connection has no metric called “nonsense”')).toBeVisible()
  const known = within(screen.getByRole('navigation', { name: 'Metrics of this connection' }))
  expect(known.getByRole('link', { name: 'Success rate' })).toHaveAttribute('href', '/integrations/volunteers/metrics/success-rate')
  unmount()
  renderPath('/integrations/nobody/metrics/records', refusing('connection_unknown', []))
  expect(await screen.findByText('No connection is called “nobody”')).toBeVisible()
})

test('it follows what happens until that is paused, and says when nothing was measured', async () => {
  const user = userEvent.setup()
  let total = 1
  const more = Promise.withResolvers<void>()
  const watched: unknown[] = []
  const handlers = answers({
    get: metrics.get.handler(({ input }) => {
      const answer = records(input, { total })
      return input.from === daysFrom(today, -6) ? { ...answer, points: answer.points.map(({ at }) => ({ at, value: null })) } : answer
    }),
  })
  renderPath(page, {
    data: {
      ...handlers.data,
      account: {
        me: fake.data.account.me.handler(() => me()),
        updateLogin: fake.data.account.updateLogin.handler(() => {}),
        changes: fake.data.account.changes.handler(async function* ({ input, signal }) {
          const left = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
          watched.push(input.connectionId)
          yield { type: 'ready' as const }
          await Promise.race([more.promise, left])
          if (input.connectionId === connection.id) yield { type: 'connection' as const, connectionId: connection.id }
          await left
        }),
      },
    },
  })
  await screen.findAllByText('Records written: 1')
  expect(screen.getByText(/^Updates by itself/)).toBeVisible()
  await waitFor(() => expect(watched).toContain(connection.id))
  total = 2
  more.resolve()
  await screen.findAllByText('Records written: 2')
  await user.click(screen.getByRole('button', { name: 'Pause updates' }))
  expect(await screen.findByText(/^Updates are paused/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Resume updates' })).toBeVisible()
  await user.selectOptions(screen.getByLabelText('Range'), 'Last 7 days')
  expect(await screen.findByText('Nothing was measured in this time')).toBeVisible()
})

test('the links of a connection and its alerts say when there is nothing', async () => {
  const { unmount } = renderWithApi(<MetricLinks connectionId={connection.id} integrationName="volunteers" />, answers())
  expect((await screen.findByRole('link', { name: 'Errors' })).closest('li')).toHaveTextContent('No data')
  expect(screen.getByRole('img', { name: 'Freshness, last 30 days' })).toBeVisible()
  unmount()
  const none: MetricAlert[] = []
  renderWithApi(
    <AlertsPanel connection={{ id: connection.id, connector: 'sheet' }} />,
    answers({ alerts: metrics.alerts.handler(() => ({ items: none })) }),
  )
  expect(await screen.findByText('No alerts')).toBeVisible()
})
