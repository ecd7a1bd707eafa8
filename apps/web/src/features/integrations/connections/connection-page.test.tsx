import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ORPCError } from '@orpc/client'
import { fake } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import type { Connection } from '../integrations-api.ts'
import { answers, change, integrations, list, pageOf, run, sheet } from '../integrations-testing.ts'

configure({ asyncUtilTimeout: 25_000 })
const { actions } = fake
const at = '/integrations/volunteers'
const metrics = { alerts: fake.data.integrations.metrics.alerts.handler(() => ({ items: [] })) }

/** A connection that answers what is done with it. */
function stored(first: Connection) {
  let now = first
  const put = (part: Partial<Connection>) => (now = { ...now, ...part, version: now.version + 1 })
  const seen: unknown[] = []
  return {
    seen,
    handlers: {
      ...answers(() => now),
      metrics,
      pause: integrations.pause.handler(() => put({ state: 'paused' })),
      resume: integrations.resume.handler(() => put({ state: 'connected' })),
      disconnect: integrations.disconnect.handler(() => put({ state: 'disconnected' })),
      update: integrations.update.handler(({ input: { connectionId: _id, ...part } }) => {
        seen.push(part)
        return put({
          everyMinutes: part.everyMinutes === undefined ? now.everyMinutes : part.everyMinutes,
          settings: part.settings ?? now.settings,
        })
      }),
    },
  }
}

test('the overview shows how it is doing: records in and out, runs, and whether the promise is kept', async () => {
  renderPath(at, { data: { integrations: answers(() => ({ ...sheet, lastSuccessAt: '2026-11-20T09:00:00Z' })) } })
  expect(await screen.findByRole('heading', { level: 1, name: 'Volunteers' })).toBeVisible()
  expect(await screen.findByText('196 records written in 14 days')).toBeVisible()
  expect(screen.getByText('3 rows failed.')).toBeVisible()
  expect(screen.getByText(/Not kept: the data is from/)).toBeVisible()
  expect(await within(await screen.findByRole('table', { name: 'Runs' })).findByText('2 created, 5 updated, 3 failed')).toBeVisible()
  expect(screen.getByRole('link', { name: /^Run / })).toHaveAttribute('href', `/integrations/volunteers?tab=runs&run=${run.id}`)
})

test('it is paused with Undo, and resumed', async () => {
  const user = userEvent.setup()
  const { handlers } = stored(sheet)
  renderPath(at, { data: { integrations: handlers } })
  await user.click(await screen.findByRole('button', { name: 'More actions for Volunteers' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Pause' }))
  expect(await screen.findByText('Paused')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Run now' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Resume' }))
  expect(await screen.findByText('Connected')).toBeVisible()
})

test('disconnecting says what is deleted and what is kept, and wants the name typed', async () => {
  const user = userEvent.setup()
  const { handlers } = stored(sheet)
  renderPath(`${at}?open=disconnect`, { data: { integrations: handlers } })
  const dialog = within(await screen.findByRole('dialog', { name: 'Disconnect Volunteers' }))
  expect(dialog.getByText('120 records that it brought in or updated, and their ids on the other side.')).toBeVisible()
  const confirm = dialog.getByRole('button', { name: 'Disconnect' })
  expect(confirm).toBeDisabled()
  await user.type(dialog.getByRole('textbox'), 'Volunteers')
  await user.click(confirm)
  expect(await screen.findByText('Disconnected')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Dry run' })).toBeNull())
})

test('before its first run only a dry run is offered', async () => {
  renderPath(at, { data: { integrations: answers(() => ({ ...sheet, needsDryRun: true })) } })
  expect(await screen.findByRole('button', { name: 'Dry run' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Run now' })).toBeNull()
  expect(await screen.findByRole('heading', { name: 'Before the first run' })).toBeVisible()
})

test('one in trouble says why on top, and its test says what the other side answers', async () => {
  const user = userEvent.setup()
  renderPath('/integrations/newsletter', {
    data: { integrations: answers(() => ({ ...list, waiting: 0 })) },
    actions: {
      integrations: {
        test: actions.integrations.test.handler(() => ({
          ...{ works: false, found: [], milliseconds: 12 },
          failure: { reason: 'sync_unauthorized', detail: 'Refused' },
        })),
      },
    },
  })
  expect(await screen.findByRole('link', { name: 'Replace secret' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'More actions for Newsletter list' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Test connection' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Test Newsletter list' }))
  expect(await dialog.findByText(/Enter them again/)).toBeVisible()
})

test('waiting changes stand side by side and are answered from the keyboard', async () => {
  const user = userEvent.setup()
  const decided: boolean[] = []
  const other = { ...change, id: sheet.id, name: 'Bea Lovell', direction: 'out' as const }
  const view = renderPath(at, {
    data: {
      integrations: {
        ...answers(() => ({ ...sheet, waiting: 2 })),
        waiting: integrations.waiting.handler(() => pageOf([change, other])),
        decide: integrations.decide.handler(({ input: { accept } }) => {
          decided.push(accept)
          return { ...change, state: accept ? 'written' : 'refused' }
        }),
      },
    },
  })
  const fields = await screen.findByRole('table', { name: 'Fields of Ada Byron' })
  expect(
    within(fields)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Field', 'Here', 'There'])
  expect(within(fields).getByRole('row', { name: 'City Paris London' })).toBeVisible()
  screen.getByRole('button', { name: 'Accept Ada Byron' }).focus()
  await user.keyboard('r')
  expect(await screen.findByText('Ada Byron refused')).toBeVisible()
  screen.getByRole('button', { name: 'Accept Bea Lovell' }).focus()
  await user.keyboard('a')
  expect(await screen.findByText('Bea Lovell accepted')).toBeVisible()
  view.unmount()
  await waitFor(() => expect(decided).toEqual([false, true]))
})

test('settings are changed in place, a secret is only replaced', async () => {
  const user = userEvent.setup()
  const { seen, handlers } = stored({ ...list, state: 'connected', failure: null, waiting: 0 })
  renderPath('/integrations/newsletter?tab=settings', { data: { integrations: handlers } })
  await user.click(await screen.findByRole('button', { name: 'Edit Schedule' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Schedule' }), 'Every day')
  await user.tab()
  await waitFor(() => expect(seen).toEqual([{ everyMinutes: 1440 }]))
  await user.click(await screen.findByRole('button', { name: 'Edit List' }))
  await user.clear(screen.getByRole('textbox', { name: 'List' }))
  await user.type(screen.getByRole('textbox', { name: 'List' }), '4{Enter}')
  await waitFor(() => expect(seen).toHaveLength(2))
  expect(seen[1]).toEqual({ settings: { address: 'https://lists.example', user: 'guildhall', list: '4' } })
  await user.click(screen.getByRole('button', { name: 'Replace API token' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Replace API token' }))
  await user.type(dialog.getByLabelText('API token'), 'new secret')
  await user.click(dialog.getByRole('button', { name: 'Replace' }))
  await waitFor(() => expect(seen[2]).toEqual({ secrets: { token: 'new secret' } }))
})

test('readers see state, mapping and runs, and nothing to change', async () => {
  const readOnly = { ...sheet, waiting: 2, needsDryRun: true, settings: {}, may: { manage: false } }
  renderPath(`${at}?tab=settings`, { data: { integrations: { ...answers(() => readOnly), metrics } } }, { holding: ['integrations.read'] })
  expect(await screen.findByText('Every hour')).toBeVisible()
  for (const name of ['Edit Name', 'Dry run', 'Run now', 'Disconnect', 'Take over', 'More actions for Volunteers'])
    expect(screen.queryByRole('button', { name })).toBeNull()
  expect(screen.queryByRole('link', { name: 'History' })).toBeNull()
})

test('an address that names no connection lists those there are', async () => {
  const missing = integrations.get.handler(() => {
    throw new ORPCError('NOT_FOUND')
  })
  renderPath('/integrations/nothing', { data: { integrations: { ...answers(), get: missing } } })
  expect(await screen.findByRole('heading', { level: 1, name: 'Connection not found' })).toBeVisible()
  expect(await screen.findByRole('link', { name: 'Newsletter list' })).toHaveAttribute('href', '/integrations/newsletter')
})

test('one without runs has no mapping and no runs', async () => {
  const chat = { ...sheet, connector: 'chat' as const, syncs: false }
  renderPath(at, { data: { integrations: answers(() => chat) } })
  expect(await screen.findByRole('link', { name: 'View metrics' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Mapping' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Dry run' })).toBeNull()
})
