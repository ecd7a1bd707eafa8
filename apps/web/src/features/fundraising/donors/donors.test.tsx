import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Donor } from '@guildhall/contract/features/fundraising.donors'
import { beforeAll, expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { ada, around, euros, pageOf } from '../giving-testing.ts'

configure({ asyncUtilTimeout: 25_000 })
// The code of the page, which a busy machine takes its time to make.
beforeAll(() => Promise.all([import('../campaigns/campaign-page.tsx'), import('./donors-tab.tsx')]), 180_000)

const { donors } = fake.data.fundraising
const donor: Donor = {
  ...{ person: ada, chapter: null, lifetime: euros(120_000), thisYear: euros(0), lastYear: euros(45_000), gifts: 14 },
  ...{ firstOn: '2019-05-01', lastOn: '2025-12-20', largest: euros(50_000), isRecurring: true },
}

test('donors are listed by segment, the largest first, and a donor opens their page', async () => {
  const user = userEvent.setup()
  const asked: unknown[] = []
  const { router } = renderPath('/fundraising/all/donors', {
    data: {
      ...around,
      fundraising: {
        donors: {
          list: donors.list.handler(({ input }) => {
            asked.push(input)
            return pageOf([donor])
          }),
        },
      },
    },
  })
  const row = within(await screen.findByRole('row', { name: /€1,200.00/ }))
  expect(row.getByRole('link', { name: 'Ada Byron' })).toBeVisible()
  expect(row.getByText('€450.00')).toBeVisible()
  expect(asked[0]).toEqual({ limit: 100, sort: '-lifetime' })
  await user.click(screen.getByRole('button', { name: 'Gave last year but not this year' }))
  await waitFor(() =>
    expect(asked.at(-1)).toMatchObject({
      sort: '-lastOn',
      filter: JSON.stringify({ and: [{ or: [{ field: 'segment', op: 'in', value: ['notYet'] }] }] }),
    }),
  )
  await user.click(await screen.findByText('€1,200.00'))
  expect(router.state.location.pathname).toBe(`/person/${ada.id}/giving`)
})

test('statements are counted before they are mailed, and a run shows how far it is', async () => {
  const user = userEvent.setup()
  const mailed: unknown[] = []
  const run = {
    ...{ id: uuid(301), since: '2025-01-01', until: '2025-12-31', state: 'started' as const, people: 40, mailed: 10, withoutAddress: 2 },
    ...{ by: 'Olive Owner', createdAt: '2026-01-10T10:00:00Z' },
  }
  renderPath('/fundraising/all/donors', {
    data: {
      ...around,
      fundraising: {
        donors: {
          list: donors.list.handler(() => pageOf([donor])),
          runPreview: donors.runPreview.handler(() => ({ people: 42, withoutAddress: 2 })),
          runs: donors.runs.handler(() => pageOf(mailed.length > 0 ? [run] : [])),
        },
      },
    },
    actions: {
      fundraising: {
        donors: {
          mailStatements: fake.actions.fundraising.donors.mailStatements.handler(({ input }) => {
            mailed.push(input)
            const job = {
              id: uuid(302),
              kind: 'bulk' as const,
              title: 'Statements',
              status: 'done' as const,
              done: 40,
              total: 40,
              result: {},
            }
            return {
              run,
              result: {
                job: { ...job, error: null, createdAt: run.createdAt, startedAt: null, finishedAt: null },
                counts: { matched: 42, changed: 40, unchanged: 0, refused: 2 },
                undoableUntil: null,
              },
            }
          }),
        },
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Mail statements' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Mail statements' }))
  expect(await dialog.findByText(/42 donors gave in this period. 2 of them have no address/)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Mail 40 statements' }))
  await waitFor(() => expect(mailed).toEqual([{ since: expect.stringMatching(/-01-01$/), until: expect.stringMatching(/-12-31$/) }]))
  const bar = await dialog.findByRole('progressbar', { name: 'Statements mailed' })
  expect(bar).toHaveAttribute('aria-valuenow', '12')
  expect(dialog.getByText('12 of 40')).toBeVisible()
})
