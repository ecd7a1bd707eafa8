import { configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderWithApi } from '../../../testing/render-with-api.tsx'
import { Statement } from './statement.tsx'

configure({ asyncUtilTimeout: 15_000 })

test('a statement is read once it is asked for, with the balance after each entry', async () => {
  const asked: object[] = []
  const mailed: object[] = []
  renderWithApi(<Statement owedById={uuid(2)} />, {
    data: {
      finance: {
        statement: fake.data.finance.statement.handler(({ input }) => {
          asked.push(input)
          return {
            ...{
              since: input.since,
              until: input.until,
              currency: 'EUR',
              currencies: ['EUR'],
              opening: 1000,
              closing: 4500,
              may: { mail: true },
            },
            entries: [
              { on: '2026-01-05', kind: 'invoice', number: '2026-00001', text: 'Dues', amount: 6000, balance: 7000, invoiceId: uuid(61) },
              { on: '2026-01-09', kind: 'payment', number: null, text: 'cash', amount: -2500, balance: 4500, invoiceId: null },
            ],
          }
        }),
        mailStatement: fake.data.finance.mailStatement.handler(({ input }) => {
          mailed.push(input)
          return { mails: 1 }
        }),
      },
    },
  })
  const user = userEvent.setup()
  const from = await screen.findByLabelText('From')
  await user.clear(from)
  await user.type(from, '2026-01-01')
  expect(asked).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Show statement' }))
  const rows = within(await screen.findByRole('table', { name: 'Statement' })).getAllByRole('row')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Balance'),
    expect.stringMatching(/Opening balance.*10\.00/),
    expect.stringMatching(/Invoice 2026-00001 Dues.*60\.00.*70\.00/),
    expect.stringMatching(/Payment.*25\.00.*45\.00/),
    expect.stringMatching(/Closing balance.*45\.00/),
  ])
  expect(asked).toMatchObject([{ owedById: uuid(2), since: '2026-01-01' }])
  await user.click(screen.getByRole('button', { name: 'Send by e-mail' }))
  expect(mailed).toMatchObject([{ owedById: uuid(2), since: '2026-01-01' }])
})
