import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { EventSurvey, EventSurveyResults } from '@guildhall/contract/features/events.survey'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { analytics } from '../analytics/analytics-testing.ts'
import type { Event } from '../events-api.ts'
import { lecture, runs, seat } from '../events-testing.ts'

const over: Event = {
  ...lecture,
  ...{
    startsAt: '2026-02-03T19:00:00Z',
    endsAt: '2026-02-03T21:00:00Z',
    startsLocal: '2026-02-03T19:00:00',
    endsLocal: '2026-02-03T21:00:00',
  },
  registration: 'closed',
  mine: { registrationId: seat.id, status: 'checked_in', position: null, offerUntil: null },
}
const survey: EventSurvey = {
  enabled: true,
  questions: [{ id: uuid(61), text: 'The food?', kind: 'choice', required: true, options: ['Good', 'Bad'] }],
  mine: { open: true, mayAnswer: true, closesAt: '2026-04-04T21:00:00Z', answer: null },
}
const empty = { items: [], nextCursor: null, total: 0, totalIsExact: true }

function open(path: string, event: Event, shown: EventSurvey, results?: EventSurveyResults) {
  const sent: unknown[] = []
  const { events } = fake.data
  renderPath(path, {
    data: {
      events: {
        get: events.get.handler(() => event),
        registrations: { list: events.registrations.list.handler(() => empty) },
        analytics: { one: events.analytics.one.handler(() => analytics) },
        survey: {
          get: events.survey.get.handler(() => shown),
          set: events.survey.set.handler(({ input: { eventId: _, ...input } }) => {
            sent.push(input)
            return { ...shown, enabled: input.enabled }
          }),
          answer: events.survey.answer.handler(({ input: { eventId: _, ...input } }) => {
            sent.push(input)
            const answer = { ...input, answeredAt: '2026-02-04T10:00:00Z', changeUntil: '2026-02-18T10:00:00Z' }
            return { ...shown, mine: { open: true, mayAnswer: true, closesAt: '2026-04-04T21:00:00Z', answer } }
          }),
          ...(results && { results: events.survey.results.handler(() => results) }),
        },
      },
    },
  })
  return sent
}

test('who was there is asked how it was, and may change the answer', async () => {
  const user = userEvent.setup()
  const sent = open(`/event/${over.id}`, over, survey)
  const prompt = within(await screen.findByRole('region', { name: 'Survey' }))
  expect(prompt.getByText('How was it?')).toBeVisible()
  await user.click(prompt.getByRole('button', { name: 'Answer the survey' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'How was Winter lecture?' }))
  await user.click(dialog.getByRole('button', { name: 'Send answer' }))
  expect((await dialog.findAllByText('Choose a rating.'))[0]).toBeVisible()
  expect(dialog.getAllByText('Answer this question.')[0]).toBeVisible()
  expect(sent).toEqual([])
  await user.click(dialog.getByRole('radio', { name: '4' }))
  await user.click(dialog.getByRole('radio', { name: 'Maybe' }))
  await user.click(dialog.getByRole('radio', { name: 'Good' }))
  await user.type(dialog.getByRole('textbox', { name: /Comments/ }), 'Warm')
  await user.click(dialog.getByRole('button', { name: 'Send answer' }))
  expect(await prompt.findByText('Thank you for your answer')).toBeVisible()
  expect(sent).toEqual([{ rating: 4, again: 'maybe', comment: 'Warm', answers: [{ questionId: uuid(61), value: 'Good' }] }])
  expect(prompt.getByRole('button', { name: 'Change answer' })).toBeVisible()
})

test('before the end, and without a survey, nobody is asked', async () => {
  open(`/event/${over.id}`, over, { enabled: false, questions: [], mine: null })
  expect(await screen.findByRole('heading', { level: 1, name: 'Winter lecture' })).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Survey' })).toBeNull())
})

test('organisers switch the survey on with questions of their own, five at most', async () => {
  const user = userEvent.setup()
  const event = { ...lecture, may: runs }
  const sent = open(`/event/${event.id}?section=survey`, event, { enabled: false, questions: [], mine: null })
  await user.click(await screen.findByRole('switch', { name: /Ask people how it was/ }))
  for (let nth = 0; nth < 5; nth += 1) await user.click(screen.getByRole('button', { name: 'Add a question' }))
  expect(screen.queryByRole('button', { name: 'Add a question' })).toBeNull()
  for (let nth = 5; nth > 1; nth -= 1) {
    await user.click(screen.getByRole('button', { name: `Actions for Question ${nth}` }))
    await user.click(await screen.findByRole('menuitem', { name: 'Remove' }))
  }
  await user.click(screen.getByRole('button', { name: 'Save survey' }))
  expect(await screen.findByText('Enter the question.')).toBeVisible()
  await user.type(screen.getByRole('textbox', { name: 'Question' }), 'The hall?')
  await user.click(screen.getByRole('button', { name: 'Save survey' }))
  expect(await screen.findByText('Survey saved')).toBeVisible()
  expect(sent).toEqual([{ enabled: true, scope: 'this', questions: [{ text: 'The hall?', kind: 'line', required: false, options: [] }] }])
})

test('results are withheld below three answers', async () => {
  open(`/event/${over.id}/analytics`, over, survey, { asked: 9, answered: 2, figures: null })
  expect(await screen.findByRole('heading', { name: 'Survey' })).toBeVisible()
  expect(screen.getByText('2 answers so far')).toBeVisible()
  expect(screen.getByText(/from three answers on/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Export as CSV' })).toBeNull()
})

test('results show the average, the distribution, the response rate and what people wrote', async () => {
  open(`/event/${over.id}/analytics`, over, survey, {
    ...{ asked: 8, answered: 4 },
    figures: {
      ...{ average: 4.25, ratings: [0, 0, 1, 1, 2], again: { yes: 2, maybe: 1, no: 0 }, comments: ['Lovely', 'Cold'] },
      questions: [
        { ...{ id: uuid(61), text: 'The food?', kind: 'choice', answered: 4, options: [{ value: 'Good', count: 4 }], texts: [] } },
        { ...{ id: uuid(62), text: 'What was missing?', kind: 'lines', answered: 1, options: [], texts: ['Chairs'] } },
      ],
    },
  })
  expect(await screen.findByRole('heading', { name: 'Survey' })).toBeVisible()
  expect(screen.getByText('Overall rating: 4.25 on average')).toBeVisible()
  expect(screen.getByText('50%')).toBeVisible()
  expect(screen.getByText('Would come again: 2 of 3')).toBeVisible()
  expect(within(screen.getByRole('region', { name: 'What was missing?' })).getByText('Chairs')).toBeVisible()
  expect(within(screen.getByRole('region', { name: 'Comments' })).getAllByRole('listitem')).toHaveLength(2)
  expect(screen.getByRole('button', { name: 'Export as CSV' })).toBeVisible()
})

test('where there is no survey, the analytics say how to set one up', async () => {
  open(`/event/${over.id}/analytics`, over, { enabled: false, questions: [], mine: null }, { asked: 9, answered: 0, figures: null })
  expect(await screen.findByRole('link', { name: 'set up the survey' })).toHaveAttribute('href', expect.stringContaining('section=survey'))
})
