import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { renderWithApi } from '../../testing/render-with-api.tsx'
import { ArchiveButton } from './archive-button.tsx'

function Stored() {
  const [record, setRecord] = useState({ name: 'Garden', archivedAt: '', version: 1 })
  const put = (archivedAt: string) => async (version: number) => {
    const next = { ...record, archivedAt, version: version + 1 }
    setRecord(next)
    return next
  }
  return <ArchiveButton record={{ ...record, archivedAt: record.archivedAt || null }} archive={put('2026-01-01')} restore={put('')} />
}

test('archiving can be undone, and an archived record restored', async () => {
  const user = userEvent.setup()
  renderWithApi(<Stored />)
  await user.click(screen.getByRole('button', { name: 'Archive' }))
  expect(await screen.findByRole('button', { name: 'Restore' })).toBeVisible()
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('button', { name: 'Archive' })).toBeVisible()
})

test('a double click archives once', async () => {
  const archive = vi.fn(async () => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    return { version: 2 }
  })
  renderWithApi(<ArchiveButton record={{ name: 'Garden', archivedAt: null, version: 1 }} archive={archive} restore={archive} />)
  await userEvent.dblClick(screen.getByRole('button', { name: 'Archive' }))
  expect(await screen.findByText('Garden archived')).toBeVisible()
  expect(archive).toHaveBeenCalledTimes(1)
})
