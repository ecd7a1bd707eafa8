import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { AuditEntry } from '../account-api.ts'
import { fake, me, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'

const entry: AuditEntry = {
  seq: 7,
  at: '2026-03-04T10:00:00Z',
  actor: { accountId: uuid(6), name: 'Ada Byron', personId: null },
  action: 'update',
  entity: 'chapters',
  entityId: uuid(8),
  subject: 'Bern',
  changes: [
    { field: 'status', before: 'probation', after: 'active' },
    { field: 'chartered_on', before: null, after: '1901-05-06' },
  ],
  actingFor: null,
  via: 'import:1',
  requestId: null,
  person: null,
  chapter: { id: uuid(8), name: 'Bern', code: 'BE' },
  group: null,
}
const exported: AuditEntry = {
  ...entry,
  seq: 6,
  action: 'export',
  entity: 'group_members',
  chapter: null,
  subject: null,
  actingFor: null,
  via: null,
  changes: [
    { field: 'list', before: null, after: 'group_members' },
    { field: 'rows', before: null, after: 12 },
  ],
}

/** A log that answers with these, and what it was asked. */
function log(...items: AuditEntry[]) {
  const asked: object[] = []
  const audit = {
    list: fake.data.account.audit.list.handler(({ input: { limit: _limit, ...question } }) => {
      asked.push(question)
      return { items, nextCursor: null }
    }),
  }
  const chapters = {
    get: fake.data.chapters.get.handler(({ errors }) => {
      throw errors.NOT_FOUND()
    }),
  }
  const account = {
    audit,
    me: fake.data.account.me.handler(() => me()),
    updateLogin: fake.data.account.updateLogin.handler(() => {}),
    changes: fake.data.account.changes.handler(async function* () {}),
  }
  return { asked, handlers: { data: { account, chapters } } }
}

test('the audit log is read in words, not in the names of columns and their values', async () => {
  renderPath('/account-management/audit', log(entry, exported).handlers)
  const table = await screen.findByRole('table', { name: 'Audit log' })
  const [, changed, sent] = within(table).getAllByRole('row')
  expect(changed).toHaveTextContent('Ada Byronby an import')
  expect(changed).toHaveTextContent('Changed Chapter')
  expect(changed).toHaveTextContent('Status: On probation → Active')
  expect(changed).toHaveTextContent(/Founded: – → .*1901/)
  expect(sent).toHaveTextContent('Exported Group members')
  expect(sent).toHaveTextContent('List: Group membersRows: 12')
})

test('what the log is asked stays in the address, and is cleared at once when nothing matches', async () => {
  const { asked, handlers } = log()
  const { router } = renderPath(
    `/account-management/audit?by=${uuid(6)}&chapter=${uuid(8)}&record=chapters&from=2026-01-01&until=yesterday`,
    handlers,
  )
  expect(await screen.findByText('No entry matches')).toBeVisible()
  expect(asked.at(-1)).toEqual({ accountId: uuid(6), chapterId: uuid(8), entity: 'chapters', from: '2026-01-01' })
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Action' }), 'Removed')
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ action: 'delete', entity: 'chapters' }))
  expect(router.state.location.search).toMatchObject({ action: 'delete', record: 'chapters' })
  // A chapter that is gone still says that it narrows the log.
  await waitFor(() => expect(screen.getByLabelText('Chapter', { selector: 'input' })).toHaveValue('Not found'))
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByText('The audit log is empty')).toBeVisible()
  expect(asked.at(-1)).toEqual({})
  expect(Object.values(router.state.location.search).filter((part) => part !== undefined)).toEqual([])
})
