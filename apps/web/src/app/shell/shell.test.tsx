import { notifications } from '@mantine/notifications'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { usePaletteRecords } from '../../platform/navigation/palette.ts'
import { setPreference } from '../../platform/session/preferences.ts'
import { forgetChanges } from '../../platform/activity/recent-changes.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { fake, me as owner, uuid } from '../../testing/fake-api.ts'
import { renderPath, renderWithApi } from '../../testing/render-with-api.tsx'
import { overlays } from './overlays.ts'
import { Palette } from '../palette/palette.tsx'

beforeEach(() => {
  setPreference('shortcuts', true)
  forgetChanges()
  overlays.close()
  notifications.clean()
})

const opened = async (path = '/careers') => {
  // Keys and dialogs arrive after the first paint; a reader's hands are slower than that, a test's are not.
  await import('./shell-overlays.tsx')
  const view = renderPath(path)
  await screen.findByRole('heading', { level: 1 })
  await screen.findByRole('button', { name: 'Account of Olive Owner' })
  return view
}

test('what a role cannot open is absent', async () => {
  renderPath('/careers', {}, { holding: ['people.directory'] })
  const nav = within(await waitFor(() => screen.getAllByRole('navigation', { name: 'Main' })[0] ?? document.body))
  expect(await nav.findByText('Members')).toBeInTheDocument()
  expect(nav.queryByText('Account management')).toBeNull()
  expect(screen.queryByRole('button', { name: 'New' })).toBeNull()
})

test('an account that may do nothing gets a plain page with the reason and a way out', async () => {
  const me = fake.data.account.me.handler(({ errors }) => {
    throw errors.FORBIDDEN({ data: { reason: 'suspended', detail: 'Said by the server.' } })
  })
  const { authCalls } = renderPath('/members', { data: { account: { me } } })
  expect(await screen.findByRole('heading', { level: 1, name: 'No access with this account' })).toBeVisible()
  expect(screen.getByText('This account is suspended. The organisation’s office can tell you more.')).toBeVisible()
  expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Sign out' }))
  expect(authCalls).toContain('signOut')
})

test('who is known to the sign-in service alone asks for access, and then waits', async () => {
  let asked: string | undefined
  const me = fake.data.account.me.handler(({ errors }) => {
    throw errors.FORBIDDEN({
      data: asked === undefined ? { reason: 'no_account', detail: 'No account yet.' } : { reason: 'pending', detail: 'It waits.' },
    })
  })
  const requestAccess = fake.data.account.requestAccess.handler(({ input }) => {
    asked = input.message ?? ''
  })
  renderPath('/members', { data: { account: { me, requestAccess } } })
  expect(await screen.findByRole('heading', { level: 1, name: 'Ask for access' })).toBeVisible()
  await userEvent.type(screen.getByLabelText('Who are you?'), 'The treasurer of Lyon')
  await userEvent.click(screen.getByRole('button', { name: 'Ask for access' }))
  expect(await screen.findByText('Your account is awaiting approval by the organisation.')).toBeVisible()
  expect(asked).toBe('The treasurer of Lyon')
  expect(screen.getByRole('button', { name: 'Look again' })).toBeVisible()
})

test('what is typed to ask for access stays while the account is asked for again, until it is let in', async () => {
  const answers: (() => void)[] = []
  let isOpen = false
  let isFirst = true
  const me = fake.data.account.me.handler(async ({ errors }) => {
    if (!isFirst) await new Promise<void>((answer) => answers.push(answer))
    isFirst = false
    if (!isOpen) throw errors.FORBIDDEN({ data: { reason: 'no_account' } })
    return owner()
  })
  const lookBack = async () => {
    const asked = answers.length
    window.dispatchEvent(new Event('visibilitychange'))
    await waitFor(() => expect(answers).toHaveLength(asked + 1))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  renderPath('/members', { data: { account: { me } } })
  const field = await screen.findByLabelText('Who are you?')
  await userEvent.type(field, 'The treasurer of Lyon')
  for (const opens of [false, true]) {
    await lookBack()
    expect(screen.getByLabelText('Who are you?')).toBe(field)
    expect(field).toHaveValue('The treasurer of Lyon')
    isOpen = opens
    answers.at(-1)?.()
    if (!opens) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect((await screen.findAllByRole('navigation', { name: 'Main' }))[0]).toBeInTheDocument()
  expect(screen.queryByLabelText('Who are you?')).not.toBeInTheDocument()
})

test('whoever comes from an invitation’s link without an account accepts it with one click, and is told when it has expired', async () => {
  const tokens: string[] = []
  let accepted = false
  const { account } = fake.data
  renderPath('/profile?invitation=the-end-of-an-invitation', {
    data: {
      account: {
        me: account.me.handler(({ errors }) => {
          if (!accepted) throw errors.FORBIDDEN({ data: { reason: 'no_account' } })
          return owner()
        }),
        acceptInvitation: account.acceptInvitation.handler(({ input, errors }) => {
          tokens.push(input.token)
          if (tokens.length === 1) throw errors.GONE({ data: { reason: 'invitation_expired' } })
          accepted = true
        }),
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Accept invitation' }))
  expect(await screen.findByText('This invitation has expired. Ask for a new one.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Ask for access' })).not.toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Accept invitation' }))
  expect((await screen.findAllByRole('navigation', { name: 'Main' }))[0]).toBeInTheDocument()
  expect(tokens).toEqual(['the-end-of-an-invitation', 'the-end-of-an-invitation'])
})

test('Ctrl+K opens the palette; typing and Enter go there, with the roles of a combobox', async () => {
  const { router } = await opened()
  await userEvent.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: /Search people/ })
  await waitFor(() => expect(field).toHaveFocus())
  expect(field).toHaveAttribute('aria-expanded', 'true')
  await userEvent.type(field, 'commu')
  await waitFor(() => expect(field).toHaveAttribute('aria-activedescendant'))
  expect(document.getElementById(field.getAttribute('aria-activedescendant') ?? '')).toHaveTextContent('Communication')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/communication'))
})

test('what is typed before the palette has opened goes into the palette, and nothing of it into the page', async () => {
  const { router } = await opened()
  const below = document.createElement('input')
  document.body.append(below)
  below.focus()
  // In one go: nothing is drawn between these keys, and g m would lead to the members.
  const press = (key: string, more: KeyboardEventInit = {}) => {
    const isWritten = (document.activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
    )
    if (isWritten && key.length === 1) below.value += key
  }
  press('k', { ctrlKey: true })
  below.value = ''
  for (const key of 'gm') press(key)
  const field = await screen.findByRole('combobox', { name: /Search people/ })
  await waitFor(() => expect(field).toHaveValue('gm'))
  await userEvent.keyboard('x')
  expect(field).toHaveValue('gmx')
  expect([below.value, router.state.location.pathname]).toEqual(['', '/careers'])
  below.remove()
})

test.each([
  ['new member', /^New: Member/],
  ['commnuication', /^Communication/],
  ['memvers', /^Members(?!hip)/],
  ['audit', /^Audit log/],
  ['help', /^Help and contact/],
])('the palette understands “%s”', async (typed, found) => {
  await opened()
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.type(await screen.findByRole('combobox', { name: /Search people/ }), typed)
  expect(await screen.findByRole('option', { name: found })).toBeInTheDocument()
})

function PaletteWithPeople({
  search,
}: {
  search: (query: string, signal: AbortSignal) => Promise<{ id: string; label: string; to: string }[]>
}) {
  usePaletteRecords({ group: 'People', search })
  return <Palette onClose={() => {}} />
}

test('records are searched after a pause, and only the newest question counts', async () => {
  const search = vi.fn(async (query: string) => [{ id: query, label: `Found ${query}`, to: '/' }])
  renderWithApi(<PaletteWithPeople search={search} />)
  await userEvent.type(screen.getByRole('combobox'), 'ada')
  expect(await screen.findByText('Found ada')).toBeVisible()
  expect(search.mock.calls.at(-1)?.[0]).toBe('ada')
})

test('a record search that fails leaves pages and commands usable', async () => {
  renderWithApi(<PaletteWithPeople search={() => Promise.reject(new Error('down'))} />)
  await userEvent.type(screen.getByRole('combobox'), 'car')
  expect(await screen.findByText(/Records could not be searched/)).toBeVisible()
  expect(screen.getByRole('option', { name: /Careers/ })).toBeVisible()
})

test('G then M goes to the members; a pause or a field in between does not', async () => {
  const { router } = await opened()
  await userEvent.keyboard('gr')
  await waitFor(() => expect(router.state.location.pathname).toBe('/reports'))
})

test('single letters do nothing when they are switched off, keys with Ctrl still do', async () => {
  const { router } = await opened()
  setPreference('shortcuts', false)
  await userEvent.keyboard('gr?')
  expect(router.state.location.pathname).toBe('/careers')
  expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull()
  await userEvent.keyboard('{Control>}k{/Control}')
  expect(await screen.findByRole('combobox', { name: /Search people/ })).toBeVisible()
})

test('letters typed into a field are text', async () => {
  const { router } = renderPath('/nothing/here')
  await screen.findByRole('button', { name: 'Account of Olive Owner' })
  await userEvent.type(await screen.findByLabelText('Search members instead'), 'gr?')
  expect(router.state.location.pathname).toBe('/nothing/here')
})

test('? lists the keys, in a dialog that says what it is', async () => {
  await opened()
  await userEvent.keyboard('?')
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(within(dialog).getByText('Go to')).toBeVisible()
  expect(within(dialog).getByText('Next row')).toBeVisible()
})

test('a change can be undone by its toast, by Ctrl+Z and from the list of recent changes, and only once', async () => {
  await opened()
  const undo = vi.fn(() => Promise.resolve())
  toast.undo('Ada archived', undo)
  expect(await screen.findByText('Ada archived')).toBeVisible()
  await userEvent.keyboard('{Control>}z{/Control}')
  expect(undo).toHaveBeenCalledOnce()
  await userEvent.keyboard('{Control>}z{/Control}')
  expect(undo).toHaveBeenCalledOnce()
  expect(await screen.findByText('Undone')).toBeVisible()
})

test('an undo that fails says so and stays in the list', async () => {
  await opened()
  toast.undo('Bo removed', () => Promise.reject(new Error('no')))
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('This could not be undone.')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Account of Olive Owner' }))
  await userEvent.click(await screen.findByText('Recent changes'))
  expect(await screen.findByRole('button', { name: 'Undo: Bo removed' })).toBeVisible()
})

test('S2-1 after a change of path the page is at its top, the heading has the focus and the title is said', async () => {
  const { router } = await opened()
  await userEvent.click(within(screen.getAllByRole('navigation', { name: 'Main' })[0] ?? document.body).getByText('Projects'))
  await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Projects' })).toHaveFocus())
  expect(await screen.findByText('Projects · Guildhall')).toBeInTheDocument()
  await router.navigate({ href: '/projects?x=1' })
  expect(router.state.location.search).toEqual({ x: 1 })
})

test('the kind with the best answer comes first: a page so called before people who merely are', async () => {
  const search = vi.fn(async () => [{ id: 'person:1', label: 'Adam Members-Smith', to: '/' }])
  renderWithApi(<PaletteWithPeople search={search} />)
  await userEvent.type(screen.getByRole('combobox'), 'members')
  await screen.findByText('Adam Members-Smith')
  expect(screen.getAllByRole('option')[0]).toHaveTextContent('Members')
  expect(screen.getAllByRole('option').at(-1)).toHaveTextContent('Adam Members-Smith')
})

test('a star keeps a page at the top of the menu, and what waits is counted where it waits', async () => {
  const user = userEvent.setup()
  const saved = vi.fn()
  const site = { menu: fake.data.site.menu.handler(() => ({ pins: [], waiting: { home: 3, account: 0 } })) }
  const account = {
    me: fake.data.account.me.handler(() => owner()),
    updatePreferences: fake.data.account.updatePreferences.handler(({ input }) => {
      saved(input.pins)
      return input
    }),
  }
  renderPath('/menu', { data: { site, account } })
  const main = within(await screen.findByRole('main'))
  expect(await main.findByRole('link', { name: /Home.*3 wait for you/ })).toBeVisible()
  expect(main.queryByRole('heading', { name: 'Pinned' })).toBeNull()
  await user.click(await main.findByRole('button', { name: 'Pin Groups', pressed: false }))
  const pinned = within(await main.findByRole('region', { name: 'Pinned' }))
  expect(pinned.getByRole('link', { name: /Groups/ })).toHaveAttribute('href', '/groups')
  expect(saved).toHaveBeenLastCalledWith([{ kind: 'page', id: 'groups' }])
  await user.click(pinned.getByRole('button', { name: 'Pin Groups', pressed: true }))
  await waitFor(() => expect(saved).toHaveBeenLastCalledWith([]))
  expect(main.queryByRole('heading', { name: 'Pinned' })).toBeNull()
})

test('a pinned record that is gone says so and can be taken off; a pin that is not saved comes back', async () => {
  const user = userEvent.setup()
  const gone = { kind: 'person' as const, id: uuid(7), label: null }
  const site = { menu: fake.data.site.menu.handler(() => ({ pins: [gone], waiting: { home: 0, account: 0 } })) }
  renderPath('/menu', { data: { site } })
  const pinned = within(await screen.findByRole('region', { name: 'Pinned' }))
  expect(pinned.queryByRole('link')).toBeNull()
  await user.click(pinned.getByRole('button', { name: 'Pin No longer there' }))
  expect(await screen.findByText('The pins could not be changed.')).toBeVisible()
  expect(screen.getByRole('region', { name: 'Pinned' })).toBeVisible()
})
