import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fake } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import type { SyncRun } from '../integrations-api.ts'
import { answers, change, counts, dryRun, failed, integrations, pageOf, run, sheet } from '../integrations-testing.ts'

configure({ asyncUtilTimeout: 25_000 })
const { actions } = fake
const at = '/integrations/volunteers?tab=runs'

test('runs are listed with what came of them; one that works says how far it is', async () => {
  const working: SyncRun = { ...run, id: dryRun.id, state: 'running', done: 30, total: 120, finishedAt: null }
  renderPath(at, { data: { integrations: { ...answers(), runs: integrations.runs.handler(() => pageOf([working, run])) } } })
  const table = await screen.findByRole('table', { name: 'Runs' })
  expect(within(table).getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuetext', '30 of 120 records')
  expect(within(table).getByText('2 created, 5 updated, 3 failed')).toBeVisible()
  expect(within(table).getByText('With errors')).toBeVisible()
  expect(within(table).getAllByText('1 min 0 s')[0]).toBeVisible()
})

test('a dry run lists every change before the first write, and then it is run for real', async () => {
  const user = userEvent.setup()
  const started: unknown[] = []
  const planned = { ...change, state: 'planned' as const }
  renderPath(`${at}&run=${dryRun.id}`, {
    data: {
      integrations: {
        ...answers(),
        run: integrations.run.handler(({ input: { runId } }) => (runId === dryRun.id ? dryRun : run)),
        changes: integrations.changes.handler(({ input: { kind } }) =>
          pageOf(
            [
              {
                ...planned,
                kind: 'create' as const,
                id: sheet.id,
                name: 'Bea Lovell',
                fields: [{ field: 'city', before: null, after: 'Leeds' }],
              },
              planned,
            ].filter((one) => kind === undefined || one.kind === kind),
          ),
        ),
      },
    },
    actions: {
      integrations: {
        run: actions.integrations.run.handler(({ input }) => {
          started.push(input)
          return run
        }),
      },
    },
  })
  expect(await screen.findByText('Nothing was written: 2 to create, 1 to update, 1 conflict.')).toBeVisible()
  expect(await screen.findByText('Bea Lovell')).toBeVisible()
  expect(screen.getByText('Ada Byron')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Update' }))
  await waitFor(() => expect(screen.queryByText('Bea Lovell')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Run now and write 3 records' }))
  expect(await screen.findByText('2 created, 5 updated, 3 failed.')).toBeVisible()
  expect(started).toEqual([{ connectionId: sheet.id, isDry: false }])
})

test('a dry run of which some rows cannot be written is run for real as well', async () => {
  const partial: SyncRun = { ...dryRun, state: 'partial', in: { ...dryRun.in, failed: 2 } }
  renderPath(`${at}&run=${dryRun.id}`, { data: { integrations: { ...answers(), run: integrations.run.handler(() => partial) } } })
  expect(await screen.findByRole('button', { name: 'Run now and write 3 records' })).toBeEnabled()
  expect(screen.getByRole('rowheader', { name: 'Cannot be written' })).toBeVisible()
})

test('errors stand by cause; one row or all are tried again, and one is ignored', async () => {
  const user = userEvent.setup()
  const [started, ignored]: [unknown[], string[]] = [[], []]
  renderPath(`${at}&run=${run.id}`, {
    data: {
      integrations: {
        ...answers(),
        errors: integrations.errors.handler(({ input: { code } }) => ({
          ...pageOf(code === 'ambiguous' ? [] : [failed]),
          causes: [
            { code: 'bad_value', count: 2 },
            { code: 'ambiguous', count: 1 },
          ],
        })),
        ignore: integrations.ignore.handler(({ input: { errorId } }) => {
          ignored.push(errorId)
          return { ...failed, state: 'ignored' }
        }),
      },
    },
    actions: {
      integrations: {
        run: actions.integrations.run.handler(({ input: { connectionId: _id, isDry: _dry, ...input } }) => {
          started.push(input)
          return run
        }),
      },
    },
  })
  const cause = within(await screen.findByRole('region', { name: 'A value does not fit its field.' }))
  expect(await cause.findByText('Line 17')).toBeVisible()
  expect(screen.getByRole('button', { name: /Several records here match/, expanded: false })).toBeVisible()
  await user.click(cause.getByRole('button', { name: 'Actions for Line 17' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Ignore' }))
  expect(await screen.findByText('Line 17 ignored')).toBeVisible()
  await user.click(await cause.findByRole('button', { name: 'Actions for Line 17' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Retry' }))
  await waitFor(() => expect(started).toEqual([{ retryErrorId: failed.id }]))
  await user.click(await screen.findByRole('button', { name: 'Retry all' }))
  await waitFor(() => expect(started[1]).toEqual({ retryRunId: run.id }))
  expect(ignored).toEqual([failed.id])
})

test('a run that works is cancelled', async () => {
  const user = userEvent.setup()
  let now: SyncRun = { ...run, state: 'running', in: counts({ read: 30, created: 30 }), done: 30, total: null, finishedAt: null }
  renderPath(`${at}&run=${run.id}`, {
    data: { integrations: { ...answers(), run: integrations.run.handler(() => now) } },
    actions: { integrations: { cancel: actions.integrations.cancel.handler(() => (now = { ...now, state: 'cancelled' })) } },
  })
  await user.click(await screen.findByRole('button', { name: 'Cancel run' }))
  expect(await screen.findByText('30 created.')).toBeVisible()
  expect(screen.getByText('Cancelled')).toBeVisible()
})

test('without runs the tab says what the first one is, and readers get no changes or errors', async () => {
  renderPath(at, { data: { integrations: { ...answers(), runs: integrations.runs.handler(() => pageOf([])) } } })
  expect(await screen.findByRole('heading', { name: 'No runs yet' })).toBeVisible()
})

test('readers see a run without its rows', async () => {
  renderPath(
    `${at}&run=${run.id}`,
    { data: { integrations: answers(() => ({ ...sheet, may: { manage: false } })) } },
    { holding: ['integrations.read'] },
  )
  expect(await screen.findByText('2 created, 5 updated, 3 failed.')).toBeVisible()
  expect(screen.queryByRole('heading', { name: 'What changed' })).toBeNull()
  expect(screen.queryByRole('heading', { name: 'Errors' })).toBeNull()
})
