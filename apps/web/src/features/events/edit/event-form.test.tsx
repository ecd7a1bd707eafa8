import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Event } from '@guildhall/contract/features/events'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { lecture, runs } from '../events-testing.ts'

const draft: Event = { ...lecture, status: 'draft', may: runs, chapter: null }

/** A server that keeps one event. */
function keeper(event: Event = draft) {
  const calls: { name: string; input: Record<string, unknown> }[] = []
  let now = event
  const venue = () => ({ ...now.venue, name: now.venueName })
  const missing = () => (now.mode !== 'online' && now.venueName === '' ? (['place'] as const) : [])
  const take = (name: string, input: object) => {
    calls.push({ name, input: { ...input } })
    now = {
      ...now,
      ...Object.fromEntries(
        Object.entries(input).filter(([key]) => ['title', 'venueName', 'summary', 'coverFileId', 'coverAlt'].includes(key)),
      ),
    }
    return (now = { ...now, venue: venue(), missing: [...missing()], version: now.version + 1 })
  }
  return {
    calls,
    handlers: {
      data: {
        events: {
          get: fake.data.events.get.handler(() => now),
          create: fake.data.events.create.handler(({ input }) => {
            now = { ...draft, venueName: '', venue: { ...draft.venue, name: '', address: '' } }
            return take('create', input)
          }),
          update: fake.data.events.update.handler(({ input: { eventId: _, ...change } }) => take('update', change)),
          publish: fake.data.events.publish.handler(() => {
            calls.push({ name: 'publish', input: {} })
            return (now = { ...now, status: 'published' })
          }),
          templates: fake.data.events.templates.handler(() => ({
            items: [{ id: uuid(57), templateName: 'Monthly lecture', title: 'Lecture', chapter: null, version: 1 }],
          })),
          copy: fake.data.events.copy.handler(({ input }) => {
            calls.push({ name: 'copy', input: { ...input } })
            return { ...draft, id: uuid(58) }
          }),
        },
      },
    },
  }
}

test('a title, a place and Ctrl+Enter make a published event', async () => {
  const user = userEvent.setup()
  const { calls, handlers } = keeper()
  const { router } = renderPath('/event/create', handlers)
  const title = await screen.findByRole('textbox', { name: /^Title/ })
  await waitFor(() => expect(title).toHaveFocus())
  await user.paste('Summer picnic')
  await waitFor(() => expect(calls.map(({ name }) => name)).toContain('create'), { timeout: 3000 })
  expect(within(screen.getByRole('complementary', { name: 'Preview' })).getByText('Summer picnic')).toBeVisible()
  expect(screen.getByText(/^Saved/)).toBeVisible()

  await user.keyboard('{Control>}{Enter}{/Control}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Publish event' }))
  await user.click(await dialog.findByRole('button', { name: 'Enter a place, or make it an online event.' }))
  const place = screen.getByRole('textbox', { name: 'Place' })
  await waitFor(() => expect(place).toHaveFocus())
  await user.paste('Town hall')
  await user.keyboard('{Control>}{Enter}{/Control}')
  const publish = await screen.findByRole('button', { name: 'Publish event' })
  await waitFor(() => expect(publish).toHaveFocus())
  await user.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe(`/event/${draft.id}`))
  expect(await screen.findByText('Summer picnic is published')).toBeVisible()
  expect(calls.at(-1)?.name).toBe('publish')
})

test('a published event is changed with a button, and a wrong field says so when it is left', async () => {
  const user = userEvent.setup()
  const published: Event = { ...lecture, may: { ...runs, publish: false } }
  const { calls, handlers } = keeper(published)
  renderPath(`/event/${published.id}/edit`, handlers)
  const title = within(await screen.findByRole('region', { name: 'Basics' })).getByRole('textbox', { name: /^Title/ })
  expect(screen.getByRole('button', { name: 'Save changes' })).toBeDisabled()
  await user.clear(title)
  await user.tab()
  await waitFor(() => expect(title).toBeInvalid())
  await user.click(title)
  await user.paste('Spring lecture')
  expect(screen.getByText('Unsaved changes')).toBeVisible()
  expect(calls).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(calls).toEqual([{ name: 'update', input: { title: 'Spring lecture' } }]))
})

test('questions are put in order by a menu', async () => {
  const user = userEvent.setup()
  const question = { kind: 'line' as const, required: false, options: [], ofGuests: false }
  const { calls, handlers } = keeper({
    ...draft,
    questions: [
      { ...question, id: uuid(61), text: 'What do you eat?' },
      { ...question, id: uuid(62), text: 'Do you need a ride?' },
    ],
  })
  renderPath(`/event/${draft.id}/edit`, handlers)
  await user.click(await screen.findByRole('button', { name: 'Actions for Question 2' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Move up' }))
  expect(within(screen.getByRole('group', { name: 'Question 1' })).getByRole('textbox', { name: 'Question' })).toHaveValue(
    'Do you need a ride?',
  )
  await waitFor(() => expect(calls).toMatchObject([{ name: 'update', input: { questions: [{ id: uuid(62) }, { id: uuid(61) }] } }]), {
    timeout: 3000,
  })
})

test('a template is copied and opened', async () => {
  const user = userEvent.setup()
  const { calls, handlers } = keeper()
  const { router } = renderPath('/event/create', handlers)
  await user.click(await screen.findByRole('combobox', { name: 'Begin with a template' }))
  await user.click(await screen.findByRole('option', { name: 'Monthly lecture' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`/event/${uuid(58)}/edit`))
  expect(calls[0]).toEqual({ name: 'copy', input: { eventId: uuid(57) } })
})

test('whoever may not create events is told, and whoever may not change one as well', async () => {
  const { handlers } = keeper(lecture)
  const { unmount } = renderPath('/event/create', handlers, { holding: ['events.read'] })
  expect(await screen.findByText('You cannot create events')).toBeVisible()
  unmount()
  renderPath(`/event/${lecture.id}/edit`, handlers, { holding: ['events.read'] })
  expect(await screen.findByText('You cannot change this event')).toBeVisible()
})

test('an event that repeats shows its days, and is saved with its rule', async () => {
  const user = userEvent.setup()
  const { calls, handlers } = keeper()
  renderPath(`/event/${draft.id}/edit`, handlers)
  const basics = within(await screen.findByRole('region', { name: 'Basics' }))
  await user.click(basics.getByRole('combobox', { name: 'Repeats' }))
  await user.click(await screen.findByRole('option', { name: 'Every month on the first Monday' }))
  // 3 December 2096 is a Monday.
  expect(basics.getByLabelText(/^Until/)).toHaveValue('2097-03-03')
  expect(basics.getByText(/^3 events: Mon, Dec 3 · Mon, Jan 7 · Mon, Feb 4/)).toBeVisible()
  const repeats = { every: 'month', interval: 1, weekdays: [], monthly: 'weekday', untilOn: '2097-03-03' }
  await waitFor(() => expect(calls.at(-1)).toMatchObject({ name: 'update', input: { repeats } }), { timeout: 3000 })
})

test('a change of one of a series asks for which events it is', async () => {
  const user = userEvent.setup()
  const dates = [{ id: lecture.id, startsLocal: lecture.startsLocal, status: 'published' as const, exception: false }]
  const series = { id: uuid(90), rule: 'FREQ=WEEKLY', untilOn: '2097-03-03', dates }
  const published: Event = { ...lecture, seriesId: series.id, series, may: { ...runs, publish: false } }
  const { calls, handlers } = keeper(published)
  renderPath(`/event/${published.id}/edit`, handlers)
  const basics = within(await screen.findByRole('region', { name: 'Basics' }))
  expect(basics.queryByRole('combobox', { name: 'Repeats' })).toBeNull()
  await user.type(basics.getByRole('textbox', { name: /^Title/ }), 's')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change the series?' }))
  await user.click(dialog.getByRole('radio', { name: 'This and the following events' }))
  await user.click(dialog.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(calls).toEqual([{ name: 'update', input: { title: 'Winter lectures', scope: 'following' } }]))
})

test('the cover picture is described, stands in the preview, and comes off', async () => {
  const user = userEvent.setup()
  const { calls, handlers } = keeper({ ...draft, coverFileId: uuid(59) })
  const sizes: string[] = []
  const picture = fake.actions.files.picture.handler(({ input: { pictureId, size } }) => {
    sizes.push(`${pictureId} ${size}`)
    return new File(['harbour'], 'picture.webp', { type: 'image/webp' })
  })
  renderPath(`/event/${draft.id}/edit`, { ...handlers, actions: { files: { picture } } })
  const words = await screen.findByRole('textbox', { name: /^Alternative text/ })
  await user.click(words)
  await user.paste('The harbour at night')
  const preview = within(screen.getByRole('complementary', { name: 'Preview' }))
  expect(await preview.findByRole('img', { name: 'The harbour at night' })).toHaveAttribute(
    'src',
    `data:image/webp;base64,${btoa('harbour')}`,
  )
  expect(sizes.toSorted()).toEqual([`${uuid(59)} large`, `${uuid(59)} small`])
  await waitFor(() => expect(calls.at(-1)?.input).toMatchObject({ coverAlt: 'The harbour at night' }), { timeout: 3000 })
  await user.click(screen.getByRole('button', { name: 'Remove the picture' }))
  expect(screen.queryByRole('img', { name: 'The harbour at night' })).toBeNull()
  await waitFor(() => expect(calls.at(-1)?.input).toMatchObject({ coverFileId: null, coverAlt: '' }), { timeout: 3000 })
  expect(screen.getByRole('button', { name: 'Add a picture' })).toBeEnabled()
})
