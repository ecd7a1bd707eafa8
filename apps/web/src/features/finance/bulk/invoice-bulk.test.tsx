import { configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Invoice } from '@guildhall/contract/features/finance'
import { wholeChapter } from '../../../testing/chapters.ts'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'

configure({ asyncUtilTimeout: 15_000 })

const chapter = wholeChapter()
const euros = (amount: number) => ({ amount, currency: 'EUR' })
const invoice = (place: number): Invoice => ({
  ...{ id: uuid(60 + place), kind: 'invoice', state: 'issued', overdue: false, number: `2026-0000${place}`, chapter: null, reason: 'Dues' },
  ...{ person: { id: uuid(2), displayName: 'Ann Bell' }, billedTo: 'Ann Bell', paid: euros(0), credited: euros(0), paidOn: null },
  ...{ total: euros(6000), balance: euros(6000), issuedOn: '2026-11-01', dueOn: '2026-12-01', sentAt: null, remindedAt: null },
  ...{ createdAt: '2026-11-01T10:00:00Z', version: 1 },
})

test('many invoices are sent after a count that says how many go out and why others stay', async () => {
  const user = userEvent.setup()
  const sent: unknown[] = []
  const counts = { matched: 4, changed: 1, unchanged: 3, refused: 0 }
  const items = [1, 2, 3, 4].map(invoice)
  const { invoices } = fake.data.finance
  const { bulk } = fake.actions.finance.invoices
  renderPath(`/chapter/${chapter.id}/finance/invoices`, {
    data: {
      chapters: { get: fake.data.chapters.get.handler(() => chapter) },
      finance: {
        invoices: {
          list: invoices.list.handler(() => ({ items, nextCursor: null, total: 4, totalIsExact: true })),
          totals: invoices.totals.handler(() => ({ items: [] })),
        },
      },
    },
    actions: {
      finance: {
        invoices: {
          bulk: {
            preview: bulk.preview.handler(() => ({
              ...{ ...counts, sample: [{ id: uuid(61), name: '2026-00001 · Ann Bell' }], refusedSample: [] },
              unchangedWhy: [
                { reason: 'sent', total: 2, first: [{ id: uuid(62), name: '2026-00002' }] },
                { reason: 'no_address', total: 1, first: [{ id: uuid(64), name: '2026-00004' }] },
              ],
            })),
            run: bulk.run.handler(({ input }) => {
              sent.push(input)
              const job = {
                id: uuid(71),
                kind: 'bulk' as const,
                title: '',
                status: 'done' as const,
                done: 4,
                total: 4,
                result: {},
                error: null,
              }
              const times = { createdAt: '2026-01-02T10:00:00Z', startedAt: null, finishedAt: '2026-01-02T10:00:00Z' }
              return { job: { ...job, ...times }, counts, undoableUntil: null }
            }),
          },
        },
      },
    },
  })
  for (const { number } of items) await user.click(await screen.findByRole('checkbox', { name: `Select ${number}, Ann Bell` }))
  const bar = within(screen.getByRole('region', { name: 'Selected rows' }))
  expect(bar.getByRole('button', { name: 'Remind' })).toBeVisible()
  await user.click(bar.getByRole('button', { name: 'Send' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Send 4 invoices' }))
  expect(await dialog.findByText('1 invoice would be sent.')).toBeVisible()
  expect(dialog.getByText('2 were already sent.')).toBeVisible()
  expect(dialog.getByText('1 has no e-mail address to go to.')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Send 1 invoice' }))
  expect(await screen.findByText('1 invoice on the way')).toBeVisible()
  expect(sent).toEqual([{ selection: { ids: items.map(({ id }) => id) }, change: { do: 'send' } }])
})
