import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderWithApi } from '../../testing/render-with-api.tsx'
import { toast } from './toast.tsx'

test('a long name wraps beside Undo, which stays within reach', async () => {
  let undone = 0
  renderWithApi(<p>A page</p>)
  const name = `${'Wolfeschlegelsteinhausenbergerdorff'.repeat(6)} archived`
  toast.undo(name, () => Promise.resolve((undone += 1)))
  expect(await screen.findByText(name)).toHaveClass('text')
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(undone).toBe(1)
})
