import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { PublicChapter } from '@guildhall/contract/features/site'
import { expect, test } from 'vitest'
import { fake } from '../../testing/fake-api.ts'
import { renderPath } from '../../testing/render-with-api.tsx'

// The first of them fetches the page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })

const chapter = (name: string, more: Partial<PublicChapter> = {}): PublicChapter => ({
  name,
  code: name.slice(0, 3).toUpperCase(),
  city: '',
  parent: null,
  contactEmail: '',
  hasPage: false,
  website: '',
  ...more,
})
const lyon = chapter('Lyon', {
  city: 'Villeurbanne',
  parent: 'Rhône',
  contactEmail: 'lyon@example.org',
  website: 'https://www.lyon.example.org/',
})

/** The contact page, as a visitor opens it, of a society with these chapters; two to a page. */
function open(path: string, chapters: readonly PublicChapter[]) {
  const asked: (string | undefined)[] = []
  const site = {
    organisation: fake.data.site.organisation.handler(() => ({ name: 'Alder Society', locale: 'en', contactEmail: 'office@example.org' })),
    chapters: fake.data.site.chapters.handler(({ input: { q, cursor } }) => {
      asked.push(q)
      const found = chapters.filter(({ name }) => name.toLowerCase().includes(q ?? ''))
      const from = Number(cursor ?? 0)
      const more = found.length > from + 2
      return {
        items: found.slice(from, from + 2),
        nextCursor: more ? String(from + 2) : null,
        total: cursor ? null : found.length,
        totalIsExact: !cursor,
      }
    }),
  }
  const { router } = renderPath(path, { data: { site } }, { signedIn: false })
  return { asked, address: () => router.state.location.href }
}

const finder = async () => {
  const region = (await screen.findByRole('heading', { level: 2, name: 'Find a chapter' })).closest('section')
  if (!region) throw new Error('there is no finder')
  return within(region)
}

test('a chapter with a public page leads to it', async () => {
  open('/contact', [chapter('Brest'), { ...lyon, hasPage: true }])
  const found = await finder()
  expect(found.getByRole('link', { name: 'Lyon' })).toHaveAttribute('href', `/public/chapters/${encodeURIComponent(lyon.code)}`)
  expect(found.queryByRole('link', { name: 'Brest' })).not.toBeInTheDocument()
})

test('a visitor finds a chapter, where it is and how to reach it', async () => {
  const user = userEvent.setup()
  const { asked, address } = open('/contact', [chapter('Brest'), chapter('Caen'), lyon])
  const found = await finder()
  expect(found.getByRole('status')).toHaveTextContent('3 chapters')
  await user.type(found.getByRole('searchbox', { name: 'Name, town or region' }), 'lyon')
  await waitFor(() => expect(found.getByRole('status')).toHaveTextContent('1 chapter'))
  expect(found.getByRole('listitem')).toHaveTextContent('Lyon LYO')
  expect(found.getByText('Villeurbanne · Rhône')).toBeVisible()
  expect(found.getByRole('link', { name: 'lyon@example.org' })).toHaveAttribute('href', 'mailto:lyon@example.org')
  expect(found.getByRole('link', { name: 'lyon.example.org' })).toHaveAttribute('href', lyon.website)
  expect(address()).toBe('/contact?q=lyon')
  expect(asked).toEqual([undefined, 'lyon'])
})

test('more chapters come when they are asked for', async () => {
  const user = userEvent.setup()
  open('/contact', [chapter('Arles'), chapter('Brest'), chapter('Caen')])
  const found = await finder()
  await user.click(found.getByRole('button', { name: 'Show more chapters' }))
  expect(await found.findByText('Caen')).toBeVisible()
  expect(found.getAllByRole('listitem')).toHaveLength(3)
  expect(found.queryByRole('button', { name: 'Show more chapters' })).not.toBeInTheDocument()
})

test('a search that finds nothing says so, and a link to a search opens it', async () => {
  open('/contact?q=atlantis', [lyon])
  const found = await finder()
  expect(found.getByText('No chapter matches.')).toBeVisible()
  expect(found.getByRole('searchbox')).toHaveValue('atlantis')
})

test('where the organisation shows no chapters there is no finder, and the form and the address are there', async () => {
  const { asked } = open('/contact', [])
  expect(await screen.findByRole('link', { name: 'office@example.org' })).toHaveAttribute('href', 'mailto:office@example.org')
  await waitFor(() => expect(asked).toHaveLength(1))
  expect(screen.queryByText('Find a chapter')).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Send message' })).toBeVisible()
})

test('chapters that cannot be had keep nobody from writing', async () => {
  const site = {
    organisation: fake.data.site.organisation.handler(() => ({ name: 'Alder Society', locale: 'en', contactEmail: null })),
    chapters: fake.data.site.chapters.handler(({ errors }) => {
      throw errors.SERVICE_UNAVAILABLE({ data: { detail: 'The database is busy.' } })
    }),
  }
  renderPath('/contact', { data: { site } }, { signedIn: false })
  expect(await screen.findByText('The chapters could not be loaded')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Send message' })).toBeVisible()
})
