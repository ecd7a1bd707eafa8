import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { ReportQuestion } from '@guildhall/contract/features/reports'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { ages, answering, reports } from '../reports-testing.ts'

configure({ asyncUtilTimeout: 25_000 })

const last = (asked: ReportQuestion[]) => asked.at(-1)

test('a question is built part by part and answered at once', async () => {
  const user = userEvent.setup()
  const asked: ReportQuestion[] = []
  const { router } = renderPath('/reports/new', { data: { reports: { ask: answering(asked) } } })
  expect(await screen.findByRole('heading', { level: 1, name: 'New report' })).toBeVisible()
  await screen.findByRole('option', { name: 'People' })
  await user.selectOptions(screen.getByLabelText('Subject'), 'People')
  await user.selectOptions(screen.getByLabelText('Group by'), 'Age group')
  await waitFor(() => expect(last(asked)).toMatchObject({ subject: 'people', groupBy: [{ field: 'ageGroup' }], picture: 'bars' }))
  expect(await screen.findByText('People: 50')).toBeVisible()
  expect(router.state.location.search).toMatchObject({ subject: 'people', group: ['ageGroup'] })
  await user.selectOptions(screen.getByLabelText('Then by'), 'Joined on')
  await user.selectOptions(screen.getByLabelText('Then by: period'), 'Year')
  await waitFor(() =>
    expect(last(asked)).toMatchObject({ groupBy: [{ field: 'ageGroup' }, { field: 'joinedOn', bucket: 'year' }], picture: 'grid' }),
  )
  expect(screen.getByRole('radio', { name: 'Grid' })).toBeChecked()
})

test('a question without a group is answered with its total', async () => {
  const ask = reports.ask.handler(() => ({ ...ages, dimensions: [], rows: [], measures: ages.measures.slice(0, 1), total: [2148] }))
  renderPath('/reports/new', { data: { reports: { ask } } })
  expect(await screen.findByRole('button', { name: /2,148/ })).toBeVisible()
  expect(screen.queryByText('Nothing to report')).toBeNull()
})

test('the address is the question, and what makes no sense in it is left out', async () => {
  const asked: ReportQuestion[] = []
  const filter = encodeURIComponent(
    '{"and":[{"or":[{"field":"lifecycle","op":"in","value":["active"]}]},{"or":[{"field":"nonsense","op":"is","value":"x"}]}]}',
  )
  const list = (...texts: string[]) => encodeURIComponent(JSON.stringify(texts))
  renderPath(
    `/reports/new?subject=people&filter=${filter}&group=${list('chapter:1', 'chapter', 'shoeSize')}&measure=${list('people', 'shoes')}&picture=stacked`,
    { data: { reports: { ask: answering(asked) } } },
  )
  await screen.findByText('People: 50')
  expect(last(asked)).toEqual({
    kind: 'own',
    subject: 'people',
    chapterId: null,
    range: null,
    compare: false,
    asOf: null,
    filter: { and: [{ or: [{ field: 'lifecycle', op: 'in', value: ['active'] }] }] },
    groupBy: [{ field: 'chapter', level: 1 }],
    measures: ['people'],
    picture: 'bars',
  })
  expect(screen.getByRole('button', { name: 'Status is any of Active' })).toBeVisible()
})

test('another subject begins anew, and measures can be added up to four', async () => {
  const user = userEvent.setup()
  const asked: ReportQuestion[] = []
  renderPath('/reports/new?subject=messages', { data: { reports: { ask: answering(asked) } } })
  const measures = await screen.findByRole('group', { name: 'Measures' })
  for (const name of ['Recipients', 'Delivered', 'Open rate']) await user.click(within(measures).getByRole('checkbox', { name }))
  await waitFor(() => expect(last(asked)).toMatchObject({ measures: ['messages', 'recipients', 'delivered', 'opened'] }))
  expect(within(measures).getByRole('checkbox', { name: 'Click rate' })).toBeDisabled()
  await user.selectOptions(screen.getByLabelText('Subject'), 'Gifts')
  await waitFor(() => expect(last(asked)).toMatchObject({ subject: 'gifts', measures: ['gifts'] }))
})

test('the former answer stays until the next is there, and reads as what it was', async () => {
  const user = userEvent.setup()
  let release = () => {}
  renderPath('/reports/new?subject=people&group=%5B%22ageGroup%22%5D', {
    data: {
      reports: {
        ask: reports.ask.handler(async ({ input: { question } }) => {
          if (question.kind === 'own' && question.subject === 'events') await new Promise<void>((resolve) => (release = resolve))
          return ages
        }),
      },
    },
  })
  expect(await screen.findByText('People: 50')).toBeVisible()
  await user.selectOptions(screen.getByLabelText('Subject'), 'Events')
  await waitFor(() => expect(document.querySelector('[data-stale]')).not.toBeNull())
  expect(screen.getByText('People: 50')).toBeVisible()
  expect(screen.getByRole('row', { name: /^26 to 35 40/ })).toBeVisible()
  release()
})

test('subjects and fields that take a right are not offered without it', async () => {
  renderPath('/reports/new?subject=people', { data: { reports: { ask: answering() } } }, { holding: ['reports.read', 'people.directory'] })
  const subject = await screen.findByLabelText('Subject')
  const names = within(subject)
    .getAllByRole('option')
    .map(({ textContent }) => textContent)
  expect(names).toContain('People')
  expect(names).not.toContain('Gifts')
  const groups = within(screen.getByLabelText('Group by'))
    .getAllByRole('option')
    .map(({ textContent }) => textContent)
  expect(groups).toContain('Language')
  expect(groups).not.toContain('Age group')
})

test('what is refused says why, beside the question', async () => {
  renderPath('/reports/new?subject=people', {
    data: {
      reports: {
        ask: reports.ask.handler(({ errors }) => {
          throw errors.FORBIDDEN({ data: { reason: 'report_right_missing' } })
        }),
      },
    },
  })
  expect(await screen.findByText('You don’t have the right to see what this report counts.')).toBeVisible()
  expect(screen.getByLabelText('Subject')).toHaveValue('people')
})
