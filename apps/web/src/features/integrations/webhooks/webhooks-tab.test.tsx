import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { pageOf } from '../integrations-testing.ts'
import { dead, delivered, detailOf, secret, webhookActions, webhooks, website } from './webhooks-testing.ts'
import type { WebhookDelivery, WebhookEndpoint } from './webhooks-api.ts'

configure({ asyncUtilTimeout: 15_000 })

const open = (more: Record<string, object> = {}, actions: Record<string, object> = {}, path = '') =>
  renderPath(`/account-management/webhooks${path}`, {
    data: { integrations: { webhooks: { list: webhooks.list.handler(() => ({ items: [website] })), ...more } } },
    actions: { integrations: { webhooks: { ping: webhookActions.ping.handler(() => delivered), ...actions } } },
  })

test('webhooks are listed with how they are doing', async () => {
  const items: WebhookEndpoint[] = [
    website,
    {
      ...website,
      id: dead.id,
      name: 'Old site',
      state: 'failing',
      failingSince: '2026-11-20T10:00:00Z',
      lastDeliveredAt: null,
      waiting: 0,
      dead: 0,
    },
  ]
  open({ list: webhooks.list.handler(() => ({ items })) })
  const table = await screen.findByRole('table', { name: 'Webhooks' })
  const rows = within(table).getAllByRole('row').slice(1)
  expect(rows[0]).toHaveTextContent('Websitehttps://hooks.example.org/guildhallActive2 events')
  expect(rows[0]).toHaveTextContent('31,000+')
  expect(rows[1]).toHaveTextContent('Paused after failures')
  expect(rows[1]).toHaveTextContent('Never')
})

test('a webhook is added with an address and events, and its secret is shown once', async () => {
  const asked: unknown[] = []
  open({
    list: webhooks.list.handler(() => ({ items: [] })),
    create: webhooks.create.handler(({ input, errors }) => {
      asked.push(input)
      if (asked.length > 1) return { endpoint: website, secret }
      throw errors.UNPROCESSABLE_CONTENT({ data: { errors: [{ path: 'url', code: 'address_refused', message: 'no' }] } })
    }),
  })
  const user = userEvent.setup()
  expect(await screen.findByText('No webhooks yet')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'New webhook' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New webhook' }))
  await user.click(await dialog.findByRole('button', { name: 'Create webhook' }))
  expect((await dialog.findAllByText('Choose at least one event.')).length).toBeGreaterThan(0)
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Website')
  await user.type(dialog.getByRole('textbox', { name: 'Address' }), website.url)
  await user.click(dialog.getByRole('checkbox', { name: /^An event was published/ }))
  await user.click(dialog.getByRole('button', { name: 'Create webhook' }))
  expect((await dialog.findAllByText('This address isn’t on the public internet.')).length).toBeGreaterThan(0)
  await user.click(dialog.getByRole('button', { name: 'Create webhook' }))
  const shown = within(await screen.findByRole('dialog', { name: 'Copy the signing secret now' }))
  expect(shown.getByRole('textbox', { name: 'Signing secret' })).toHaveValue(secret)
  await user.click(shown.getByRole('button', { name: 'I have copied the secret' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(asked.at(-1)).toEqual({ name: 'Website', url: website.url, eventTypes: ['event.published'] })
})

const page = `?webhook=${website.id}`
function openPage(more: Record<string, object> = {}, actions: Record<string, object> = {}) {
  const stored = { ...website }
  open(
    {
      get: webhooks.get.handler(() => ({ ...stored })),
      deliveries: webhooks.deliveries.handler(({ input }) =>
        pageOf(
          [delivered, dead].filter(
            ({ state, eventType }) => (!input.state || state === input.state) && (!input.eventType || eventType === input.eventType),
          ),
        ),
      ),
      delivery: webhooks.delivery.handler(({ input }) => detailOf(input.deliveryId === dead.id ? dead : delivered)),
      ...more,
    },
    actions,
    page,
  )
  return stored
}

test('the page of a webhook shows what was sent, with the request and each answer', async () => {
  openPage()
  const user = userEvent.setup()
  const table = await screen.findByRole('table', { name: 'Deliveries' })
  expect(within(table).getByText('It answered 503 instead of a number from 200 to 299.')).toBeVisible()
  expect(await screen.findByText('91 delivered in the last 14 days')).toBeVisible()
  await user.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Given up')
  await waitFor(() => expect(within(table).queryByText('event.published')).not.toBeInTheDocument())
  await user.click(within(table).getByRole('button', { name: 'gift.settled' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delivery' }))
  expect(await dialog.findByText('Busy, come back later')).toBeVisible()
  expect(dialog.getByLabelText('Request')).toHaveTextContent(`webhook-id: ${dead.id}`)
})

test('deliveries are replayed: those that are chosen, or all given up', async () => {
  const asked: unknown[] = []
  openPage({}, { replay: webhookActions.replay.handler(({ input }) => (asked.push(input), { replayed: 2 })) })
  const user = userEvent.setup()
  for (const box of await screen.findAllByRole('checkbox', { name: /^Select / })) await user.click(box)
  await user.click(screen.getByRole('button', { name: 'Replay 2 deliveries' }))
  expect(await screen.findByText('2 deliveries are sent again')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Replay all' }))
  await waitFor(() => expect(asked).toHaveLength(2))
  expect(asked).toEqual([
    { endpointId: website.id, deliveryIds: [delivered.id, dead.id] },
    { endpointId: website.id, deadSince: expect.stringMatching(/Z$/) },
  ])
})

test('a webhook is paused, tested, rotated and removed', async () => {
  const ping: WebhookDelivery = { ...delivered, eventType: 'ping', recordId: null }
  const done: string[] = []
  const stored = openPage(
    {
      pause: webhooks.pause.handler(() => (done.push('paused'), Object.assign(stored, { state: 'paused' as const, version: 4 }))),
      rotate: webhooks.rotate.handler(() => (done.push('rotated'), { endpoint: website, secret })),
      remove: webhooks.remove.handler(() => void done.push('removed')),
      delivery: webhooks.delivery.handler(() => detailOf(ping)),
    },
    { ping: webhookActions.ping.handler(() => ping) },
  )
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Pause' }))
  expect(await screen.findByText(/Nothing is sent while it is paused/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Send test event' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delivery' })
  expect(await within(dialog).findByText('ping')).toBeVisible()
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'More actions for Website' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Rotate secret' }))
  await user.click(within(await screen.findByRole('dialog', { name: /^Rotate the secret/ })).getByRole('button', { name: 'Rotate secret' }))
  await user.click(await screen.findByRole('button', { name: 'I have copied the secret' }))
  await user.click(screen.getByRole('button', { name: 'More actions for Website' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Remove' }))
  await user.click(within(await screen.findByRole('dialog', { name: 'Remove Website?' })).getByRole('button', { name: 'Remove webhook' }))
  expect(await screen.findByText('Website removed')).toBeVisible()
  expect(done).toEqual(['paused', 'rotated', 'removed'])
})
