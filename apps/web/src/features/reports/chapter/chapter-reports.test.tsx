import { configure, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ReportQuestion } from '@guildhall/contract/features/reports'
import { wholeChapter } from '../../../testing/chapters.ts'
import { fake } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { answering } from '../reports-testing.ts'

configure({ asyncUtilTimeout: 25_000 })

const chapter = wholeChapter()
const chapters = { get: fake.data.chapters.get.handler(() => chapter) }

test('a chapter’s growth is told by the same reports, of that chapter', async () => {
  const asked: ReportQuestion[] = []
  renderPath(`/chapter/${chapter.id}/reports`, { data: { chapters, reports: { ask: answering(asked) } } })
  expect(await screen.findByRole('heading', { level: 2, name: 'Joins and leaves' })).toBeVisible()
  expect(await screen.findByText(/^From 12 \(October 2026\)/)).toBeVisible()
  expect(asked).toMatchObject([
    { report: 'joins-and-leaves', chapterId: chapter.id, compare: true },
    { report: 'members-by-chapter', chapterId: chapter.id, compare: true },
  ])
  expect(screen.getAllByRole('link', { name: 'Open report' })[0]).toHaveAttribute('href', expect.stringContaining(`chapter=${chapter.id}`))
  expect(screen.getByRole('link', { name: 'Retention' })).toBeVisible()
})

test('the lines of a chapter have their figures, and lead to the lines themselves', async () => {
  const statistics = fake.data.relationships.lines.statistics.handler(() => ({
    people: 40,
    links: 36,
    roots: 4,
    longest: 7,
    averageChildren: 1.84,
    isolated: 12,
    survival: [{ year: 2015, lines: 4, alive: 3 }],
    generations: [{ generation: 1, people: 4 }],
    asOf: '2026-11-28',
  }))
  renderPath(`/chapter/${chapter.id}/reports/lineage`, { data: { chapters, relationships: { lines: { statistics } } } })
  expect(await screen.findByText('40 people in 7 generations')).toBeVisible()
  expect(screen.getByText('1.8')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Open lines' })).toHaveAttribute(
    'href',
    `/reports/parent-child?kind=lineage&chapter=${chapter.id}`,
  )
})

test('without lines it says what would be there', async () => {
  renderPath(`/chapter/${chapter.id}/reports/lineage`, {
    data: {
      chapters,
      relationships: {
        lines: {
          statistics: fake.data.relationships.lines.statistics.handler(({ errors }) => {
            throw errors.NOT_FOUND({ data: {} })
          }),
        },
      },
    },
  })
  expect(await screen.findByText('No lines in this chapter')).toBeVisible()
})
