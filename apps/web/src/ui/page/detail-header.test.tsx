import { MantineProvider } from '@mantine/core'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
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
    <MantineProvider>
      <PathTabs label="Sections">
        <a href="/accounts">Accounts</a>
        <a href="/audit" aria-current="page">
          Audit log
        </a>
      </PathTabs>
    </MantineProvider>,
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

test('tabs that find no room in one line are in a list, whose button is called as the open one', async () => {
  // Two of them fit; the others wrapped.
  vi.spyOn(HTMLElement.prototype, 'offsetTop', 'get').mockImplementation(function (this: HTMLElement) {
    return ['Accounts', 'Roles'].includes(this.textContent) ? 0 : 38
  })
  onTestFinished(() => void vi.restoreAllMocks())
  const tabs = (current: string) => (
    <MantineProvider>
      <PathTabs label="Sections">
        {['Accounts', 'Roles', 'Tags', 'Audit log'].map((name) => (
          <a key={name} href={`#${name}`} aria-current={name === current ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </PathTabs>
    </MantineProvider>
  )
  const { rerender } = render(tabs('Accounts'))
  const row = within(screen.getByRole('navigation', { name: 'Sections' }))
  expect(row.getByText('Roles').inert).toBe(false)
  expect(row.getByText('Tags').inert).toBe(true)
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'More' }))
  const list = within(await screen.findByRole('navigation', { name: 'More: Sections' }))
  expect(list.getAllByRole('link').map((link) => link.textContent)).toEqual(['Tags', 'Audit log'])
  await user.click(list.getByRole('link', { name: 'Tags' }))
  expect(screen.getByRole('button', { name: 'More' })).toHaveAttribute('aria-expanded', 'false')
  rerender(tabs('Audit log'))
  expect(screen.getByRole('button', { name: 'Audit log' })).toHaveAttribute('aria-current', 'true')
})
