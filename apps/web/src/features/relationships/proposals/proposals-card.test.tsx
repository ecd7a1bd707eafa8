import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Home } from '@guildhall/contract/features/home'
import type { Relationship } from '@guildhall/contract/features/relationships'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { pageOf, person, relationship } from '../lines/lines-testing.ts'

const home: Home = {
  ...{
    scope: 'me',
    chapter: null,
    top: null,
    scopes: { organisation: false, chapters: [] },
    today: '2026-11-21',
    asOf: '2026-11-21T08:00:00Z',
  },
  me: { person: { id: uuid(2), displayName: 'Olive Owner' }, chapters: [], positions: [], groups: [] },
  ...{ members: null, endingTerms: null, vacancies: null, dataHealth: null, birthdays: null, requests: { total: 0, items: [] } },
  ...{ recentChanges: [], gettingStarted: null },
}
const proposal = relationship(501, person(11, 'Ada Byron'), person(2, 'Olive Owner'), {
  ...{ state: 'proposed', proposedBy: 'Ada Byron', version: 4 },
  may: { answer: true, verify: false, edit: false, end: true, reopen: false },
})

const { relationships } = fake.data
const open = (stored: Relationship[], more: Record<string, object> = {}) =>
  renderPath(
    '/',
    {
      data: {
        home: { home: fake.data.home.home.handler(() => home) },
        membership: { mine: fake.data.membership.mine.handler(() => ({ items: [], types: [] })) },
        relationships: {
          list: relationships.list.handler(({ input }) => pageOf(input.mineToAnswer ? stored : [])),
          ...more,
        },
      },
    },
    { holding: [] },
  )

test('home shows proposals that wait for the reader, who answers them there', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  const stored = [proposal]
  open(stored, {
    accept: relationships.accept.handler(() => {
      stored.pop()
      return { ...proposal, state: 'active' as const, version: 5 }
    }),
  })
  expect(await screen.findByRole('heading', { name: 'Relationships to confirm1' }, { timeout: 30_000 })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Accept: Ada Byron, Big of Olive Owner' }))
  expect(await screen.findByText('Ada Byron, Big of Olive Owner: accepted')).toBeVisible()
  expect(stored).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(11_000)
  await waitFor(() => expect(stored).toHaveLength(0))
  await user.unhover(screen.getByRole('main'))
  await waitFor(() => expect(screen.queryByRole('heading', { name: /Relationships to confirm/ })).not.toBeInTheDocument())
})

test('there is no card while nothing waits', async () => {
  const asked = vi.fn()
  open([], {
    list: relationships.list.handler(() => {
      asked()
      return pageOf<Relationship>([])
    }),
  })
  await screen.findByRole('heading', { name: 'My chapters0' }, { timeout: 30_000 })
  await waitFor(() => expect(asked).toHaveBeenCalled())
  expect(screen.queryByText('Relationships to confirm')).not.toBeInTheDocument()
})
