import { msg } from '@lingui/core/macro'
import type { AuditEntry } from '@guildhall/contract/features/account'
import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { lazy } from 'react'
import { expect, test } from 'vitest'
import { gatherAreas, gatherSlots } from '../platform/navigation/slots.tsx'
import type { FeatureArea, FeatureSlots, PageSlots, Slots } from '../platform/navigation/slots.tsx'
import { fake, me as owner, uuid } from '../testing/fake-api.ts'
import { wholePerson } from '../testing/people.ts'
import { renderPath } from '../testing/render-with-api.tsx'
import { slots as app } from './features.tsx'
import { pageSlots as features } from './page-slots.tsx'

// The first of them fetches the page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })

const made: FeatureSlots = {
  personTabs: [
    {
      key: 'badges',
      label: msg`Badges`,
      order: 35,
      may: (_, can) => can('people.write'),
      content: lazy(async () => ({ default: ({ person }) => <h2>Badges of {person.displayName}</h2> })),
    },
  ],
  accountTabs: [{ key: 'badges', label: msg`Badges`, order: 85, content: () => <h2>Kinds of badges</h2> }],
  historyWords: [{ entities: { badges: { noun: msg`Badge` } }, fields: { wornSince: msg`Worn since` } }],
}
const area: FeatureArea = {
  areas: [{ key: 'site', label: msg`Awards`, purpose: msg`For what people did`, icon: () => null, group: 'work', href: '/contact' }],
}
const slots: Slots = { frame: gatherAreas([app.frame, area]), page: () => gatherSlots([features, made]) }

const person = `/person/${uuid(11)}`
const data = {
  people: {
    overview: fake.data.people.overview.handler(() => ({ person: wholePerson(11, 'Ada', 'Byron'), recentChanges: [] })),
    neighbours: fake.data.people.neighbours.handler(() => ({ previous: null, next: null })),
  },
}
const tabNames = async (label: RegExp) =>
  within(await screen.findByRole('navigation', { name: label }))
    .getAllByRole('link')
    .map((link) => link.textContent)

test('a tab that a feature gives stands in its place on a page of another, and opens', async () => {
  const { router } = renderPath(person, { data }, { slots })
  expect(await tabNames(/Sections of Ada/)).toEqual([
    'Overview',
    'Activity',
    'Memberships',
    'Events',
    'Giving',
    'Invoices',
    'Badges',
    'Offices',
    'Relationships',
    'Messages',
    'Subscriptions',
    'History',
  ])
  await userEvent.click(screen.getByRole('link', { name: 'Badges' }))
  expect(await screen.findByRole('heading', { name: 'Badges of Ada Byron' })).toBeVisible()
  expect(router.state.location.pathname).toBe(`${person}/badges`)
  expect(document.title).toBe('Badges · Ada Byron · Guildhall')
})

test('without the right it is absent, and its address says that it is not theirs and shows the first', async () => {
  renderPath(`${person}/badges`, { data }, { slots, holding: ['people.directory'] })
  expect(await screen.findByText('Badges is not yours to open; this is Overview.')).toBeVisible()
  expect(await tabNames(/Sections of Ada/)).not.toContain('Badges')
  expect(screen.queryByRole('heading', { name: 'Badges of Ada Byron' })).toBeNull()
})

test('without the feature its address is an unknown section', async () => {
  const { router } = renderPath(`${person}/badges`, { data })
  expect(await screen.findByText(/has no section “badges”/)).toBeVisible()
  await waitFor(() => expect(router.state.location.pathname).toBe(person))
})

test('a tab of account management and an area of the navigation come from a feature too', async () => {
  renderPath('/account-management/badges', {}, { slots })
  expect(await screen.findByRole('heading', { name: 'Kinds of badges' })).toBeVisible()
  const [main] = screen.getAllByRole('navigation', { name: 'Main' })
  expect(within(main ?? document.body).getByRole('link', { name: 'Awards' })).toHaveAttribute('href', '/contact')
})

test('the audit log calls records and fields what their feature calls them', async () => {
  const entry: AuditEntry = {
    seq: 1,
    at: '2026-11-20T10:00:00Z',
    actor: null,
    action: 'update',
    entity: 'badges',
    entityId: uuid(30),
    subject: 'Helper',
    person: null,
    chapter: null,
    group: null,
    changes: [{ field: 'worn_since', before: null, after: '2026-01-02' }],
    actingFor: null,
    via: null,
    requestId: null,
  }
  const me = fake.data.account.me.handler(() => owner(['audit.read']))
  const list = fake.data.account.audit.list.handler(() => ({ items: [entry], nextCursor: null, total: 1, totalIsExact: true }))
  renderPath('/account-management/audit', { data: { account: { me, audit: { list } } } }, { slots })
  const row = within(await screen.findByRole('row', { name: /Changed Badge/ }))
  expect(row.getByText(/^Worn since:/)).toBeVisible()
  expect(screen.getByRole('option', { name: 'Badge' })).toBeInTheDocument()
})

const tabSlots = ['personTabs', 'chapterTabs', 'groupTabs', 'eventTabs', 'accountTabs'] satisfies (keyof PageSlots)[]

test.each(tabSlots)('names in %s are unique', (name) => {
  const keys = features[name].map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

test('no tab is a placeholder: account management shows what there is, and each holds something', async () => {
  renderPath('/account-management/billing')
  expect(await screen.findByText(/has no section “billing”/)).toBeVisible()
  expect(await tabNames(/Sections of account management/)).toEqual([
    'Accounts',
    'Invitations',
    'Roles',
    'Requests',
    'Recordings',
    'Organisation',
    'Membership types',
    'Finance',
    'Payments',
    'Relationship types',
    'Ticket refunds',
    'Fields',
    'Imports',
    'API keys',
    'Webhooks',
    'Tags',
    'Outgoing mail',
    'Audit log',
  ])
  for (const name of ['relations', 'career', 'files']) {
    const { unmount } = renderPath(`${person}/${name}`, { data })
    expect(await screen.findByText(`This page has no section “${name}”. You are on its first section.`)).toBeVisible()
    unmount()
  }
  expect(screen.queryByText(/planned/i)).toBeNull()
})
