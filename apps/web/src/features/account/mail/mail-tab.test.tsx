import { configure, screen, waitFor, within } from '@testing-library/react'
import { notifications } from '@mantine/notifications'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { fake, me, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import type { OutgoingMail } from '../account-api.ts'

// The first of them fetches the page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })
afterEach(() => notifications.clean())

const mail = (number: number, more: Partial<OutgoingMail>): OutgoingMail => ({
  id: uuid(number),
  kind: 'invitation',
  state: 'sent',
  subject: `Subject ${number}`,
  address: `p${number}@example.org`,
  person: null,
  account: null,
  attempts: 1,
  nextAt: null,
  outcome: '',
  answer: '',
  createdAt: '2026-03-01T12:00:00Z',
  settledAt: '2026-03-01T12:00:05Z',
  ...more,
})

function open(path: string, stored: OutgoingMail[]) {
  const asked: object[] = []
  let rows = stored
  const become = (id: string, more: Partial<OutgoingMail>) => {
    rows = rows.map((row) => (row.id === id ? { ...row, ...more } : row))
    return rows.find((row) => row.id === id) ?? mail(0, {})
  }
  const mails = {
    list: fake.data.account.mails.list.handler(({ input }) => {
      asked.push(input)
      return { items: rows, nextCursor: null, total: rows.length, totalIsExact: true }
    }),
    retry: fake.data.account.mails.retry.handler(({ input: { mailId } }) => become(mailId, { state: 'queued', outcome: '' })),
    cancel: fake.data.account.mails.cancel.handler(({ input: { mailId } }) =>
      become(mailId, { state: 'suppressed', outcome: 'cancelled' }),
    ),
  }
  const account = {
    me: fake.data.account.me.handler(() => me()),
    updateLogin: fake.data.account.updateLogin.handler(() => {}),
    changes: fake.data.account.changes.handler(async function* () {}),
    mails,
  }
  renderPath(path, { data: { account } })
  return asked
}

const row = async (name: string) => {
  const table = await screen.findByRole('table', { name: 'Outgoing mail' })
  return within(
    within(table)
      .getByRole('rowheader', { name: new RegExp(name) })
      .closest('tr') ?? table,
  )
}

test('a mail stands with its recipient, state, subject, kind, attempts and why it is so', async () => {
  open('/account-management/mail', [
    mail(1, {
      state: 'failed',
      outcome: 'refused',
      answer: '550 no such user',
      attempts: 3,
      person: { id: uuid(9), displayName: 'Ada Ash' },
    }),
  ])
  const ada = await row('Ada Ash')
  for (const text of ['Failed', 'The mail server refused it.', '550 no such user', 'Subject 1', 'Invitation', '3', 'p1@example.org'])
    expect(ada.getByText(text)).toBeVisible()
  expect(screen.getByText('1 mail')).toBeVisible()
})

test('what failed is sent again, what waits is cancelled, and what may have arrived only after a second look', async () => {
  const user = userEvent.setup()
  open('/account-management/mail', [
    mail(1, { state: 'failed', outcome: 'refused' }),
    mail(2, { state: 'queued', nextAt: '2026-03-01T13:00:00Z' }),
    mail(3, { state: 'unknown', outcome: 'cut_off' }),
    mail(4, {}),
  ])
  await user.click((await row('p1@')).getByRole('button', { name: 'Send again' }))
  expect(await (await row('p1@')).findByText('Waiting')).toBeVisible()
  await user.click((await row('p2@')).getByRole('button', { name: 'Cancel mail' }))
  expect(await (await row('p2@')).findByText('Not sent')).toBeVisible()
  await user.click((await row('p3@')).getByRole('button', { name: 'Send again' }))
  expect((await row('p3@')).getByText('Unknown')).toBeVisible()
  await user.click((await row('p3@')).getByRole('button', { name: 'Send again, although it may have arrived' }))
  expect(await (await row('p3@')).findByText('Waiting')).toBeVisible()
  expect((await row('p4@')).queryByRole('button')).toBeNull()
})

test('the address of the page says what is asked, and the filters say what the address says', async () => {
  const user = userEvent.setup()
  const asked = open('/account-management/mail?state=failed&to=ada@example.org', [mail(1, { state: 'failed' })])
  await row('p1@')
  expect(asked.at(-1)).toMatchObject({ state: 'failed', address: 'ada@example.org' })
  expect(screen.getByLabelText('State')).toHaveValue('failed')
  await user.selectOptions(screen.getByLabelText('Kind'), 'Invitation')
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ state: 'failed', kind: 'invitation' }))
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(asked.at(-1)).toEqual({ limit: 50 }))
})
