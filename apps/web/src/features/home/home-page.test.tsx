import { msg } from '@lingui/core/macro'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Home } from '@guildhall/contract/features/home'
import { expect, onTestFinished, test, vi } from 'vitest'
import { slots as app } from '../../app/features.tsx'
import { pageSlots } from '../../app/page-slots.tsx'
import { gatherSlots } from '../../platform/navigation/slots.tsx'
import { fake, me } from '../../testing/fake-api.ts'
import { renderPath } from '../../testing/render-with-api.tsx'

const id = (last: number) => `01920000-0000-7000-8000-00000000000${last}`
const memberHome: Home = {
  scope: 'me',
  chapter: null,
  top: null,
  scopes: { organisation: false, chapters: [] },
  today: '2026-11-21',
  asOf: '2026-11-21T08:00:00Z',
  me: {
    person: { id: id(1), displayName: 'Mia Lindqvist' },
    chapters: [{ id: id(2), name: 'Lisbon', code: 'LIS', kind: 'member', isPrimary: true }],
    positions: [],
    groups: [],
  },
  members: null,
  endingTerms: null,
  vacancies: null,
  dataHealth: null,
  birthdays: null,
  requests: { total: 0, items: [] },
  recentChanges: [],
  gettingStarted: null,
}
const monthsOf = (year: number) =>
  Array.from({ length: 12 }, (_, month) => ({ month: `${year}-${String(month + 1).padStart(2, '0')}`, joins: 12, leaves: 5 }))
const officerHome: Home = {
  ...memberHome,
  scope: 'organisation',
  scopes: { organisation: true, chapters: [] },
  members: {
    current: 2412,
    alumni: 310,
    newThisMonth: 9,
    netChange: 84,
    months: monthsOf(2026),
    before: monthsOf(2025),
  },
  requests: {
    total: 1,
    items: [
      {
        memberId: id(3),
        group: { id: id(4), name: 'Archive committee' },
        person: { id: id(5), displayName: 'Ada Okafor' },
        askedAt: '2026-11-20T08:00:00Z',
        version: 1,
      },
    ],
  },
}

test('a member sees the own chapters and no figures of the office', async () => {
  renderPath('/', { data: { home: { home: fake.data.home.home.handler(() => memberHome) } } })
  expect(await screen.findByRole('link', { name: 'Lisbon' })).toHaveAttribute('href', `/chapter/${id(2)}`)
  expect(screen.queryByText('New this month')).not.toBeInTheDocument()
})

test('an administrator sees figures, and lets someone into a group from here', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  const approved: string[] = []
  renderPath('/', {
    data: {
      home: { home: fake.data.home.home.handler(() => officerHome) },
      groups: {
        members: {
          approve: fake.data.groups.members.approve.handler(({ input, errors }) => {
            approved.push(input.memberId)
            throw errors.CONFLICT({ data: { reason: 'not_requested', detail: 'Said by the server.' } })
          }),
        },
      },
    },
  })
  expect(await screen.findByText('2,412')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Approve Ada Okafor' }))
  expect(approved).toEqual([])
  // The time for Undo is over.
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(await screen.findByText(/has already been answered or withdrawn/)).toBeVisible()
  expect(approved).toEqual([id(3)])
})

test('when home cannot be loaded it says so and offers another try', async () => {
  renderPath('/', {
    data: {
      home: {
        home: fake.data.home.home.handler(({ errors }) => {
          throw errors.SERVICE_UNAVAILABLE({ data: { detail: 'The database is busy.' } })
        }),
      },
    },
  })
  expect(await screen.findByText('Home could not be loaded')).toBeVisible()
  expect(screen.getByRole('button', { name: /again|retry/i })).toBeVisible()
})

/** An account that remembers its hidden cards, as the server does. */
function remembering(hiddenCards: string[], refuses = false) {
  const kept = { hiddenCards }
  const owner = me()
  const account = {
    me: fake.data.account.me.handler(() => ({ ...owner, account: { ...owner.account, preferences: { ...kept } } })),
    updateLogin: fake.data.account.updateLogin.handler(() => {}),
    changes: fake.data.account.changes.handler(async function* () {}),
    updatePreferences: fake.data.account.updatePreferences.handler(({ input, errors }) => {
      if (refuses) throw errors.SERVICE_UNAVAILABLE({ data: { detail: 'The database is busy.' } })
      return Object.assign(kept, input)
    }),
  }
  return { kept, handlers: { data: { account, home: { home: fake.data.home.home.handler(() => officerHome) } } } }
}
const cardOf = (name: string) => screen.queryByRole('heading', { level: 2, name: new RegExp(name) })

test('a card is hidden from its menu, kept for the account, and brought back by undo', async () => {
  const user = userEvent.setup()
  const { kept, handlers } = remembering([])
  renderPath('/', handlers)
  await user.click(await screen.findByRole('button', { name: 'Card: Waiting for you' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Hide this card' }))
  expect(cardOf('Waiting for you')).not.toBeInTheDocument()
  await waitFor(() => expect(kept.hiddenCards).toEqual(['requests']))
  // The menu went with its card; the next card's has the focus.
  await waitFor(() => expect(screen.getByRole('button', { name: 'Card: Next events' })).toHaveFocus())

  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('heading', { level: 2, name: /Waiting for you/ })).toBeVisible()
  await waitFor(() => expect(kept.hiddenCards).toEqual([]))
  expect(cardOf('Hidden cards')).not.toBeInTheDocument()
})

test('what was hidden earlier stays so, except for cards there is nothing to show on, and comes back where it was', async () => {
  const user = userEvent.setup()
  const { kept, handlers } = remembering(['figures', 'birthdays', 'aCardOfOld'])
  renderPath('/', handlers)
  await user.click(await screen.findByRole('button', { name: 'Show Figures' }))
  expect(await screen.findByText('2,412')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Show Birthdays' })).not.toBeInTheDocument()
  await waitFor(() => expect(kept.hiddenCards).toEqual(['birthdays', 'aCardOfOld']))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Card: Figures' })).toHaveFocus())
})

test('a card that could not be hidden is there again', async () => {
  const user = userEvent.setup()
  renderPath('/', remembering([], true).handlers)
  await user.click(await screen.findByRole('button', { name: 'Card: Joins and leaves' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Hide this card' }))
  expect(await screen.findByText('The cards could not be changed.')).toBeVisible()
  expect(cardOf('Joins and leaves')).toBeVisible()
})

test('another area adds a card, which can be hidden like the others', async () => {
  const page = gatherSlots([
    pageSlots,
    {
      homeCards: [
        { key: 'shifts', label: msg`My shifts`, order: 10, content: ({ home }) => <p>Shifts on {home.today}</p> },
        { key: 'rota', label: msg`Rota`, order: 20, may: ({ home }) => home.scope === 'me', content: () => <p>All shifts</p> },
      ],
    },
  ])
  const user = userEvent.setup()
  const { kept, handlers } = remembering([])
  renderPath('/', handlers, { slots: { ...app, page: () => page } })
  expect(await screen.findByText('Shifts on 2026-11-21')).toBeVisible()
  expect(screen.queryByText('All shifts')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Card: My shifts' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Hide this card' }))
  await waitFor(() => expect(screen.queryByText('Shifts on 2026-11-21')).toBeNull())
  await waitFor(() => expect(kept.hiddenCards).toEqual(['shifts']))
  expect(screen.getByRole('button', { name: 'Show My shifts' })).toBeVisible()
})
