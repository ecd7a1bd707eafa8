import { configure, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { FinanceSettings } from '@guildhall/contract/features/finance'
import { fake } from '../../testing/fake-api.ts'
import { renderWithApi } from '../../testing/render-with-api.tsx'
import { FinanceSettingsTab } from './settings-tab.tsx'

configure({ asyncUtilTimeout: 15_000 })

test('the next numbers are shown in their format, and what has begun cannot be set', async () => {
  const sent: object[] = []
  const stored: FinanceSettings = {
    ...{ invoiceFormat: '{year}-{number:5}', creditNoteFormat: 'CN-{year}-{number:5}', receiptFormat: 'R-{year}-{number:5}' },
    ...{ invoiceStart: 1, creditNoteStart: 1, receiptStart: 1, dueDays: 30, reminderDays: [3, 14, 30] },
    ...{ legalName: '', address: '', taxId: '', invoiceFooter: '', begun: ['invoice'], mayEdit: true, version: 1 },
    next: { year: 2026, invoice: 18, creditNote: 1, receipt: 1 },
  }
  renderWithApi(<FinanceSettingsTab />, {
    data: {
      finance: {
        settings: {
          get: fake.data.finance.settings.get.handler(() => ({ ...stored })),
          update: fake.data.finance.settings.update.handler(({ input }) => {
            sent.push(input)
            return { ...Object.assign(stored, input, { version: stored.version + 1 }) }
          }),
        },
      },
    },
  })
  expect(await screen.findByText('Next number: 2026-00018')).toBeVisible()
  expect(screen.getByText('Next number: CN-2026-00001')).toBeVisible()
  expect(screen.queryByRole('button', { name: /First invoice of 2026/ })).toBeNull()
  expect(screen.getByRole('button', { name: /First receipt of 2026/ })).toBeVisible()
  const user = userEvent.setup()
  const edit = async (label: RegExp, typed: string) => {
    await user.click(screen.getByRole('button', { name: label }))
    const field = await screen.findByRole('textbox', { name: label })
    await user.clear(field)
    await user.click(field)
    await user.paste(typed)
    await user.keyboard('{Enter}')
  }
  await edit(/Invoice number/, '{number}')
  expect(await screen.findByText(/Enter a format such as/)).toBeVisible()
  expect(sent).toEqual([])
  const field = screen.getByRole('textbox', { name: /Invoice number/ })
  await user.clear(field)
  await user.click(field)
  expect(screen.queryByText(/Next number in this format/)).not.toBeInTheDocument()
  await user.paste('INV-{yy}-{number:4}')
  expect(screen.getByText('Next number in this format: INV-26-0018')).toBeVisible()
  expect(sent).toEqual([])
  await user.keyboard('{Enter}')
  expect(await screen.findByText('Next number: INV-26-0018')).toBeVisible()
  await edit(/Reminders after/, '7 21')
  await waitFor(() => expect(sent).toEqual([{ invoiceFormat: 'INV-{yy}-{number:4}' }, { reminderDays: [7, 21] }]))
})
