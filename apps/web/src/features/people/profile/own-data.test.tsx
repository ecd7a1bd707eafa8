import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { wholePerson } from '../../../testing/people.ts'
import { renderWithApi } from '../../../testing/render-with-api.tsx'
import { OwnData } from './own-data.tsx'

test('the file with one’s own data holds the picture', async () => {
  const saved: Blob[] = []
  vi.stubGlobal(
    'URL',
    class extends URL {
      static override createObjectURL = (blob: Blob) => (saved.push(blob), 'blob:mine')
      static override revokeObjectURL = () => undefined
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const { may } = wholePerson(2, 'Olive', 'Owner')
  const olive = wholePerson(2, 'Olive', 'Owner', { pictureId: uuid(7), may: { ...may, seeHistory: false } })
  const people = {
    get: fake.data.people.get.handler(() => olive),
    publicName: fake.data.people.publicName.handler(() => ({ shown: false, withPicture: false })),
  }
  const sizes: string[] = []
  const files = {
    picture: fake.actions.files.picture.handler(({ input: { pictureId, size } }) => {
      sizes.push(`${pictureId} ${size}`)
      return new File(['face'], 'picture.webp', { type: 'image/webp' })
    }),
  }
  const consents = {
    get: fake.data.communication.consents.get.handler(() => ({
      topics: [],
      reach: { refusal: null, essentialToo: false, since: null, until: null },
      essentialOnly: true,
      pausedUntil: null,
      changes: [],
      may: { choose: true, record: false },
    })),
  }
  renderWithApi(<OwnData personId={olive.id} />, { data: { people, communication: { consents } }, actions: { files } })
  await userEvent.click(screen.getByRole('button', { name: 'Download my data' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(sizes).toEqual([`${uuid(7)} large`])
  expect(JSON.parse((await saved[0]?.text()) ?? '')).toMatchObject({
    person: { displayName: 'Olive Owner', namedInPublic: false },
    mail: { essentialOnly: true, changes: [] },
    picture: `data:image/webp;base64,${btoa('face')}`,
  })
})
