import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
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
