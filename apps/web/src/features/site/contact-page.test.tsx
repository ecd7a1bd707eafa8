import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fake } from '../../testing/fake-api.ts'
import { renderPath } from '../../testing/render-with-api.tsx'

const organisation = {
  data: {
    site: {
      organisation: fake.data.site.organisation.handler(() => ({ name: 'Alder Society', locale: 'en', contactEmail: null })),
      chapters: fake.data.site.chapters.handler(() => ({ items: [], nextCursor: null, total: 0, totalIsExact: true })),
    },
  },
}

test('a message from a visitor is answered with its reference', async () => {
  const user = userEvent.setup()
  renderPath(
    '/contact',
    { ...organisation, actions: { site: { contact: fake.actions.site.contact.handler(() => ({ reference: 'K7M-2QX' })) } } },
    { signedIn: false },
  )
  await user.type(await screen.findByLabelText('Your name'), 'Ada')
  await user.type(screen.getByLabelText('E-mail'), 'ada@example.org')
  await user.type(screen.getByLabelText('Message'), 'How do I join?')
  await user.click(screen.getByRole('button', { name: 'Send message' }))
  expect(await screen.findByText('K7M-2QX')).toBeVisible()
})

test('what is missing is said beside the field and the text is kept', async () => {
  const user = userEvent.setup()
  renderPath('/contact', organisation, { signedIn: false })
  await user.type(await screen.findByLabelText('Message'), 'How do I join?')
  await user.click(screen.getByRole('button', { name: 'Send message' }))
  expect(await screen.findByLabelText('Your name')).toBeInvalid()
  expect(screen.getByLabelText('Message')).toHaveValue('How do I join?')
})

test('the privacy policy names the organisation and needs no sign-in', async () => {
  renderPath('/privacy', organisation, { signedIn: false })
  expect(await screen.findByRole('heading', { level: 1, name: 'Privacy policy' })).toBeVisible()
  expect((await screen.findAllByText(/Alder Society/)).length).toBeGreaterThan(0)
})
