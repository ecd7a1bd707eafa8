import { documentOf } from '@guildhall/contract/formatted-document'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderWithApi } from '../../testing/render-with-api.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'

test('when two people changed the same formatted text, both are shown as text', async () => {
  const [mine, theirs] = [documentOf('Keeps the minutes since 1901.'), documentOf('Moved to the cellar.')]
  renderWithApi(<ConflictDialog conflict={{ label: 'About', mine, theirs, author: undefined, words: undefined, onDecide: () => {} }} />)
  const dialog = within(await screen.findByRole('dialog', { name: 'About was changed by someone else' }))
  for (const text of ['Keeps the minutes since 1901.', 'Moved to the cellar.']) expect(dialog.getByText(text)).toBeVisible()
  expect(dialog.queryByText(/paragraph|content/)).not.toBeInTheDocument()
})
