import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { feedback, feedbackTool } from '../../platform/session/feedback.ts'
import { fake } from '../../testing/fake-api.ts'
import { renderPath } from '../../testing/render-with-api.tsx'

const ada = { id: 'ada', name: 'Ada Lovelace', email: 'ada@example.org' }
const receiving = () => {
  const received = vi.fn<(input: object) => void>()
  const contact = fake.actions.site.contact.handler(({ input }) => {
    received(input)
    return { reference: 'K7M-2QX' }
  })
  const organisation = fake.data.site.organisation.handler(() => ({ name: 'Alder Society', locale: 'en', contactEmail: null }))
  return { received, handlers: { actions: { site: { contact } }, data: { site: { organisation } } } }
}

beforeEach(() => {
  feedbackTool.reset()
})

test('is nowhere until it is switched on', async () => {
  const { handlers } = receiving()
  renderPath('/privacy', handlers, { signedIn: false })
  await screen.findByRole('heading', { level: 1 })
  expect(screen.queryByRole('button', { name: 'Feedback' })).toBeNull()
})

test('goes out under the name of whoever is signed in, with the page it is about', async () => {
  feedback.offer()
  feedbackTool.identify(ada)
  const { received, handlers } = receiving()
  renderPath('/privacy', handlers, { signedIn: false })
  await userEvent.click(await screen.findByRole('button', { name: 'Feedback' }))
  await userEvent.type(await screen.findByLabelText('What works, and what does not?'), 'The map is nice')
  expect(screen.queryByLabelText('E-mail')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Send feedback' }))
  expect(await screen.findByText(/has reached the administrators as K7M-2QX/)).toBeVisible()
  expect(received).toHaveBeenCalledWith({
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    topic: 'Feedback',
    message: 'The map is nice\n\n/',
  })
})

test('asks who somebody is once nobody is signed in any more', async () => {
  feedback.offer()
  feedbackTool.identify(ada)
  const { received, handlers } = receiving()
  renderPath('/privacy', handlers, { signedIn: false })
  act(() => feedbackTool.reset())
  await userEvent.click(await screen.findByRole('button', { name: 'Feedback' }))
  expect(await screen.findByLabelText('Your name')).toHaveValue('')
  await userEvent.type(screen.getByLabelText('What works, and what does not?'), 'Hello')
  await userEvent.click(screen.getByRole('button', { name: 'Send feedback' }))
  expect(await screen.findByLabelText('Your name')).toBeInvalid()
  expect(received).not.toHaveBeenCalled()
})
