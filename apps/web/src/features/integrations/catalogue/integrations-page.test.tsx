import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ORPCError } from '@orpc/client'
import { fake, me, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { answers, at, integrations, list, sheet } from '../integrations-testing.ts'

configure({ asyncUtilTimeout: 25_000 })
const { actions } = fake

test('connections stand first, those in trouble on top with their cause and one repair', async () => {
  renderPath('/integrations', { data: { integrations: answers() } })
  const [first] = (await screen.findByRole('list', { name: 'Connected' })).children
  const trouble = within(first instanceof HTMLElement ? first : document.body)
  expect(trouble.getByRole('link', { name: 'Newsletter list' })).toHaveAttribute('href', '/integrations/newsletter')
  expect(trouble.getByText('Stopped')).toBeVisible()
  expect(trouble.getByText('2 open errors')).toBeVisible()
  expect(trouble.getByRole('link', { name: 'Replace secret: Newsletter list' })).toHaveAttribute(
    'href',
    '/integrations/newsletter?tab=settings&open=secret',
  )
  expect(screen.getByRole('link', { name: 'Volunteers' })).toBeVisible()
  expect(screen.getByText('120 records')).toBeVisible()
  expect(screen.getAllByRole('img', { name: 'Last 14 days: 52 runs, 1 failed, 3 rows with errors' })[0]).toBeVisible()
})

test('the catalogue is searched and narrowed to an area; what the organisation has one of goes once it is there', async () => {
  const user = userEvent.setup()
  const scim = { ...sheet, connector: 'scim' as const, syncs: false }
  renderPath('/integrations', { data: { integrations: answers(() => scim) } })
  expect(await screen.findByRole('button', { name: 'Connect listmonk' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Connect SCIM 2.0' })).toBeNull()
  // What the installation sets up itself is named, and nobody connects it here.
  expect(screen.getByText('Stripe')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Connect Stripe' })).toBeNull()
  await user.type(screen.getByRole('searchbox', { name: 'Search integrations' }), 'slack')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Connect listmonk' })).toBeNull())
  expect(screen.getByRole('button', { name: 'Connect Chat channel' })).toBeVisible()
  expect(screen.getByText('No connection matches.')).toBeVisible()
})

test('a narrowed address shows that area only', async () => {
  renderPath('/integrations?area=calendar', { data: { integrations: answers() } })
  expect(await screen.findByRole('button', { name: 'Connect iCalendar by address' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Connect listmonk' })).toBeNull()
})

test('readers see connections and nothing to manage', async () => {
  const readOnly = { ...sheet, may: { manage: false } }
  const items = [{ ...list, may: { manage: false } }, readOnly]
  renderPath(
    '/integrations?connect=sheet',
    { data: { integrations: { ...answers(), list: integrations.list.handler(() => ({ items })) } } },
    { holding: ['integrations.read'] },
  )
  expect(await screen.findByRole('link', { name: 'Newsletter list' })).toBeVisible()
  expect(screen.queryByRole('link', { name: /Replace secret/ })).toBeNull()
  expect(screen.queryByRole('heading', { name: 'Available' })).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByRole('link', { name: 'API keys' })).toBeNull()
})

test('without connections the page says how to begin, and a failure can be tried again', async () => {
  const user = userEvent.setup()
  let fails = true
  const answer = integrations.list.handler(() => {
    if (fails) throw new ORPCError('INTERNAL_SERVER_ERROR')
    return { items: [] }
  })
  renderPath('/integrations', { data: { integrations: { list: answer } } })
  expect(await screen.findByText('The connections could not be loaded')).toBeVisible()
  fails = false
  await user.click(screen.getByRole('button', { name: /Try again|Retry/ }))
  expect(await screen.findByRole('heading', { name: 'No connections yet' })).toBeVisible()
})

test('somebody consents to what goes where, fills in what the connector asks for, and is told what the other side says', async () => {
  const user = userEvent.setup()
  const sent: unknown[] = []
  renderPath('/integrations?connect=sheet', {
    data: { integrations: answers() },
    actions: {
      integrations: {
        connect: actions.integrations.connect.handler(({ input }) => {
          sent.push(input)
          return { ...sheet, needsDryRun: true }
        }),
        test: actions.integrations.test.handler(() => ({
          ...{ works: true, failure: null, milliseconds: 80 },
          found: [{ name: 'rows', value: '120' }],
        })),
      },
    },
  })
  const dialog = within(await screen.findByRole('dialog', { name: 'Connect Sheet by address' }))
  expect(dialog.getByText('Contact data: e-mail, telephone, address')).toBeVisible()
  expect(dialog.getByText('Nothing')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Agree and continue' }))
  const name = await dialog.findByRole('textbox', { name: 'Name' })
  await user.clear(name)
  await user.type(name, 'Volunteers')
  await user.click(dialog.getByRole('button', { name: 'Test and connect' }))
  expect(await dialog.findByText('Fill this in.')).toBeVisible()
  await user.type(dialog.getByRole('textbox', { name: 'Address of the CSV file' }), 'https://sheets.example/volunteers.csv')
  await user.click(dialog.getByRole('button', { name: 'Test and connect' }))
  expect(await dialog.findByText('It works. The answer took 80 ms.')).toBeVisible()
  expect(dialog.getByText('120')).toBeVisible()
  expect(dialog.getByRole('link', { name: 'Map fields' })).toHaveAttribute('href', '/integrations/volunteers?tab=mapping')
  expect(sent).toEqual([
    {
      ...{ connector: 'sheet', name: 'Volunteers', chapterId: null, everyMinutes: 1440, freshHours: 48, secrets: {} },
      settings: { address: 'https://sheets.example/volunteers.csv', separator: 'auto' },
    },
  ])
})

test('who manages integrations of chapters only has to choose one', async () => {
  const user = userEvent.setup()
  const permissions = me().permissions.map((held) => ({ ...held, everywhere: false, chapters: [uuid(9)] }))
  const account = { me: fake.data.account.me.handler(() => ({ ...me(), permissions })) }
  renderPath('/integrations?connect=sheet', { data: { account, integrations: answers() } })
  const dialog = within(await screen.findByRole('dialog', { name: 'Connect Sheet by address' }))
  await user.click(dialog.getByRole('button', { name: 'Agree and continue' }))
  await user.type(await dialog.findByRole('textbox', { name: 'Address of the CSV file' }), 'https://sheets.example/volunteers.csv')
  await user.click(dialog.getByRole('button', { name: 'Test and connect' }))
  expect(await dialog.findByText('Choose a chapter.')).toBeVisible()
})

test('what the other side refuses stands at its field, and what was typed stays', async () => {
  const user = userEvent.setup()
  renderPath('/integrations?connect=listmonk', {
    data: { integrations: answers() },
    actions: {
      integrations: {
        connect: actions.integrations.connect.handler(() => {
          throw new ORPCError('VALIDATION_FAILED', {
            status: 422,
            data: { errors: [{ path: 'body.secrets.token', code: 'sync_unauthorized', message: 'The other side refused the token.' }] },
          })
        }),
      },
    },
  })
  const dialog = within(await screen.findByRole('dialog', { name: 'Connect listmonk' }))
  await user.click(dialog.getByRole('button', { name: 'Agree and continue' }))
  await user.type(await dialog.findByLabelText('Address of listmonk'), 'https://lists.example')
  await user.type(dialog.getByLabelText('API user'), 'guildhall')
  await user.type(dialog.getByLabelText('List'), '3')
  await user.type(dialog.getByLabelText('API token'), 'secret')
  await user.click(dialog.getByRole('button', { name: 'Test and connect' }))
  await waitFor(() => expect(dialog.getByLabelText('API token')).toHaveAttribute('aria-invalid', 'true'))
  expect(dialog.getByLabelText('API user')).toHaveValue('guildhall')
})

test('the palette finds a connection by its name', async () => {
  const user = userEvent.setup()
  renderPath('/integrations', { data: { integrations: answers() } })
  await user.click(await screen.findByRole('button', { name: /Search or go to/ }))
  await user.type(within(await screen.findByRole('dialog')).getByRole('combobox'), 'volunt')
  expect(await screen.findByRole('option', { name: /Volunteers.*Sheet by address · Connected/ })).toBeVisible()
})

test('a long name breaks, and one that never ran says so', async () => {
  const name = 'V'.repeat(100)
  const fresh = { ...sheet, name, lastSuccessAt: null, createdAt: at, strip: [] }
  renderPath('/integrations', { data: { integrations: answers(() => fresh) } })
  expect(await screen.findByRole('link', { name })).toBeVisible()
  expect(screen.getByText('Never synced')).toBeVisible()
})
