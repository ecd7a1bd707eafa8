import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { TimelineEntry } from '@guildhall/contract/features/timeline'
import { timelineKinds } from '@guildhall/contract/features/timeline'
import { expect, test } from 'vitest'
import { pageSlots } from '../../app/page-slots.tsx'
import { fake, uuid } from '../../testing/fake-api.ts'
import { wholePerson } from '../../testing/people.ts'
import { renderPath } from '../../testing/render-with-api.tsx'

const path = `/person/${uuid(11)}/activity`
const entry = (kind: TimelineEntry['kind'], on: string, more: Partial<TimelineEntry> = {}): TimelineEntry => ({
  id: `${kind} ${on}`,
  kind,
  on,
  at: null,
  subject: null,
  actor: null,
  params: {},
  ...more,
})
const page = (items: TimelineEntry[], nextCursor: string | null = null) => ({ items, nextCursor })
const person = {
  overview: fake.data.people.overview.handler(() => ({ person: wholePerson(11, 'Ada', 'Byron'), recentChanges: [] })),
  neighbours: fake.data.people.neighbours.handler(() => ({ previous: null, next: null })),
}
const opened = (ofPerson: ReturnType<typeof fake.data.timeline.ofPerson.handler>) =>
  renderPath(path, { data: { people: person, timeline: { ofPerson } } })

test('what happened stands under its day with a link to what it is about, and earlier entries are fetched', async () => {
  const chapter = { id: uuid(21), name: 'Berlin' }
  const first = [
    entry('comment-written', '2024-07-02', { at: '2024-07-02T10:00:00Z', subject: { id: uuid(31), name: 'Choir' } }),
    entry('group-joined', '2024-07-02', { subject: { id: uuid(31), name: 'Choir' }, params: { title: 'Alto' } }),
    entry('office-ended', '2021-12-31', { subject: chapter, params: { title: 'Treasurer' } }),
  ]
  const second = [
    entry('status-changed', '2020-05-05', {
      at: '2020-05-05T10:00:00Z',
      params: { from: 'prospect', to: 'active' },
      actor: { id: uuid(12), displayName: 'Bea Able' },
    }),
    entry('chapter-joined', '2019-03-01', { subject: chapter, params: { as: 'member' } }),
  ]
  opened(fake.data.timeline.ofPerson.handler(({ input }) => (input.cursor ? page(second) : page(first, 'next'))))
  expect(await screen.findByText(/Left office as Treasurer/)).toBeVisible()
  const day = screen.getByRole('heading', { name: /2024/ }).closest('section') ?? document.body
  expect(
    within(day)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([expect.stringMatching(/^Commented in Choir/), 'Joined the group Choir (Alto)'])
  expect(within(day).getAllByRole('link', { name: 'Choir' })[0]).toHaveAttribute('href', `/groups/${uuid(31)}`)
  await userEvent.click(screen.getByRole('button', { name: 'Earlier activity' }))
  expect(await screen.findByText(/Status changed to Active/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Bea Able' })).toBeVisible()
  expect(screen.getAllByRole('link', { name: 'Berlin' }).at(-1)).toHaveAttribute('href', `/chapter/${chapter.id}`)
  expect(screen.queryByRole('button', { name: 'Earlier activity' })).toBeNull()
})

test('a chip shows one kind of activity, and says so where there is none', async () => {
  const asked: (string | undefined)[] = []
  opened(
    fake.data.timeline.ofPerson.handler(({ input }) => {
      asked.push(input.category)
      return page(input.category === 'offices' ? [] : [entry('tag-added', '2024-01-01', { subject: { id: uuid(41), name: 'Choir' } })])
    }),
  )
  expect(await screen.findByText('Tagged Choir')).toBeVisible()
  await userEvent.click(screen.getByRole('radio', { name: 'Offices' }))
  expect(await screen.findByText('No activity of this kind')).toBeVisible()
  await userEvent.click(screen.getByRole('radio', { name: 'All' }))
  expect(await screen.findByText('Tagged Choir')).toBeVisible()
  expect(asked.slice(0, 2)).toEqual([undefined, 'offices'])
})

test('a failure can be tried again', async () => {
  let failing = true
  opened(
    fake.data.timeline.ofPerson.handler(() => {
      if (failing) throw new Error('down')
      return page([])
    }),
  )
  expect(await screen.findByText('The activity could not be loaded')).toBeVisible()
  failing = false
  await userEvent.click(screen.getByRole('button', { name: /Try again|Retry/ }))
  expect(await screen.findByText('No activity yet')).toBeVisible()
})

test('every kind has its text under its category', () => {
  const told = pageSlots.timelineTexts.flatMap(({ category, kinds }) => kinds.map((kind) => [kind, category]))
  expect(Object.fromEntries(told)).toEqual(timelineKinds)
  expect(told).toHaveLength(Object.keys(timelineKinds).length)
})

test('memberships and invoices are told in words, with terms and amounts', async () => {
  const full = { id: uuid(51), name: 'Full member' }
  const invoice = { id: uuid(52), name: '2026-00042' }
  opened(
    fake.data.timeline.ofPerson.handler(() =>
      page([
        entry('invoice-voided', '2026-03-01', { at: '2026-03-01T10:00:00Z', subject: invoice, params: { reason: 'Twice' } }),
        entry('invoice-issued', '2026-02-01', { subject: invoice, params: { amount: '60.00', currency: 'EUR', for: 'Dues 2026' } }),
        entry('membership-renewed', '2026-01-01', { subject: full, params: { until: '2026-12-31' } }),
        entry('membership-began', '2025-01-01', { subject: full, params: { until: '' } }),
        entry('membership-applied', '2024-12-01', { at: '2024-12-01T10:00:00Z', subject: full }),
      ]),
    ),
  )
  for (const words of [
    'Invoice 2026-00042 voided: Twice',
    'Invoice 2026-00042 issued: Dues 2026, €60.00',
    'Full member renewed until Dec 31, 2026',
    'Full member began',
    'Applied for Full member',
  ])
    expect(await screen.findByText(words)).toBeVisible()
})
