import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPath } from '../testing/render-with-api.tsx'
import { wordsOf } from './shell/not-found-page.tsx'
import { plannedAreas } from './planned-areas.tsx'

test('S2-6 S8-4 an unknown path shows the not-found page inside the shell, searches for its words and names itself', async () => {
  renderPath('/person-list/ada-byron/x')
  expect(await screen.findByRole('heading', { level: 1, name: "We can't find this page" })).toBeVisible()
  expect(screen.getByLabelText('Search members instead')).toHaveValue('list ada byron')
  expect(screen.getAllByRole('navigation', { name: 'Main' })[0]).toBeInTheDocument()
  expect(document.title).toBe('Page not found · Guildhall')
})

test('an unknown path needs no sign-in', async () => {
  const { authCalls } = renderPath('/nothing-here', {}, { signedIn: false })
  expect(await screen.findByRole('heading', { level: 1, name: "We can't find this page" })).toBeVisible()
  expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull()
  expect(authCalls).toEqual([])
})

test('words of a path leave out ids and what every address says', () => {
  expect(wordsOf('/person/0190a000-0000-7000-8000-000000000001')).toBe('')
  expect(wordsOf('/person/jos%C3%A9_garcia')).toBe('josé garcia')
  expect(wordsOf('/ada%E0%A4%A')).toBe('')
})

test.each((plannedAreas.areas ?? []).slice(0, 1))('a planned area, such as $key, says so', async ({ href }) => {
  renderPath(href)
  expect(await screen.findByRole('heading', { level: 1 })).toBeVisible()
  expect(await screen.findByText(/not part of this version yet/)).toBeVisible()
})

test.each(['/', '/members', '/event/create', '/chapter/x/members/all', '/fundraising/all/donors?x=1#y'])(
  'S2-7 S6-3 %s waits for sign-in and keeps the address',
  async (path) => {
    const { authCalls } = renderPath(path, {}, { signedIn: false })
    expect(await screen.findByText('Taking you to sign in')).toBeVisible()
    expect(authCalls[0]).toBe(`signIn ${path}`)
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull()
  },
)

test.each(['/privacy', '/tos', '/contact'])('S2-5 %s is readable without sign-in', async (path) => {
  const { authCalls } = renderPath(path, {}, { signedIn: false })
  expect(await screen.findByRole('heading', { level: 1 })).toBeVisible()
  expect(authCalls).toEqual([])
})

// Every path of the specification, with its optional parts filled and left out.
const paths = [
  '/',
  '/members',
  '/groups',
  '/groups/g1',
  '/person/p1',
  '/person/p1/history',
  '/chapter/c1',
  '/chapter/c1/members',
  '/chapter/c1/members/officers',
  '/profile',
  '/account-management',
  '/account-management/roles',
  '/ai-dashboard',
  '/ai-dashboard/session/s1',
  '/ai-artifacts',
  '/integrations',
  '/integrations/i1',
  '/integrations/mail/metrics/sent',
  '/privacy',
  '/tos',
  '/contact',
  '/menu',
  '/projects',
  '/events',
  '/event/analytics',
  '/event/create',
  '/event/e1',
  '/event/e1/edit',
  '/event/e1/analytics',
  '/fundraising',
  '/fundraising/f1',
  '/fundraising/f1/donors',
  '/careers',
  '/communication',
  '/communication/inbox',
  '/reports',
  '/reports/parent-child',
]

const routeAt = (path: string) => renderPath('/privacy').router.matchRoutes(path, {}).at(-1)?.routeId

test.each(paths)('S2-2 S2-3 S2-4 S2-5 %s has a route', (path) => {
  expect(routeAt(path)).not.toBe('__root__')
})

test.each(['/nope', '/members/x', '/person', '/chapter', '/chapter/a/b/c/d', '/event', '/auth/other/zitadel'])(
  'S2-6 %s is not found, without sign-in',
  async (path) => {
    const { authCalls } = renderPath(path, {}, { signedIn: false })
    expect(await screen.findByRole('heading', { level: 1, name: "We can't find this page" })).toBeVisible()
    expect(authCalls).toEqual([])
  },
)

test('pointing at a link to a protected page starts no sign-in, going there does', async () => {
  const { router, authCalls } = renderPath('/privacy', {}, { signedIn: false })
  await screen.findByRole('heading', { level: 1 })
  await router.preloadRoute({ to: '/members' })
  expect(authCalls).toEqual([])
  expect(screen.queryByText('Taking you to sign in')).toBeNull()
  void router.navigate({ to: '/members' })
  expect(await screen.findByText('Taking you to sign in')).toBeVisible()
  expect(authCalls).toEqual(['signIn /members'])
})
