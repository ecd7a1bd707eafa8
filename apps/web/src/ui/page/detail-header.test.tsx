import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { PathTabs } from './detail-header.tsx'

test('the open tab is brought into view again when the row of tabs changes its width', () => {
  const resized: (() => void)[] = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(tell: () => void) {
        resized.push(tell)
      }
      observe() {}
      disconnect() {}
    },
  )
  render(
    <PathTabs label="Sections">
      <a href="/accounts">Accounts</a>
      <a href="/audit" aria-current="page">
        Audit log
      </a>
    </PathTabs>,
  )
  const tabs = screen.getByRole('navigation', { name: 'Sections' })
  expect(tabs.scrollLeft).toBe(0)
  // A phone: 300 wide, and the open tab begins where the row ends.
  vi.spyOn(tabs, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 300, 40))
  vi.spyOn(screen.getByRole('link', { name: 'Audit log' }), 'getBoundingClientRect').mockReturnValue(new DOMRect(320, 0, 80, 40))
  act(() => resized.forEach((tell) => tell()))
  expect(tabs.scrollLeft).toBe(210)
  vi.unstubAllGlobals()
})
