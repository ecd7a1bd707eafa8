import { expect, test, vi } from 'vitest'

test('what was changed is still listed after a reload, without its undo, and gone after signing out', async () => {
  const before = await import('./recent-changes.ts')
  before.recordChange('Ada Byron archived', () => Promise.resolve())
  vi.resetModules()
  const reloaded = await import('./recent-changes.ts')
  expect(reloaded.lastUndoable()).toBeUndefined()
  expect(sessionStorage.getItem('guildhall.changes')).toContain('Ada Byron archived')
  reloaded.recordChange('Ben Okafor archived')
  expect(sessionStorage.getItem('guildhall.changes')).toMatch(/Ben Okafor.*Ada Byron/)
  reloaded.forgetChanges()
  expect(sessionStorage.getItem('guildhall.changes')).toBeNull()
})
