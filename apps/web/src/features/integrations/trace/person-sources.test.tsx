import { configure, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { wholePerson } from '../../../testing/people.ts'
import { uuid } from '../../../testing/fake-api.ts'
import { renderWithApi } from '../../../testing/render-with-api.tsx'
import { at, integrations, sheet } from '../integrations-testing.ts'
import { PersonSources } from './person-sources.tsx'

configure({ asyncUtilTimeout: 25_000 })
const { id, name, connector } = sheet
const connection = { id, name, connector }
const traced = { connection, value: 'London', externalId: 'r7', at, runId: uuid(81) }

test('a synced value says where it came from, where it goes, and with which run', async () => {
  const trace = integrations.trace.handler(() => ({
    fields: [
      { ...traced, field: 'city', direction: 'in' },
      { ...traced, field: 'primaryEmail', direction: 'out', value: null, runId: null },
    ],
  }))
  renderWithApi(<PersonSources person={wholePerson(2, 'Ada', 'Byron')} />, { data: { integrations: { trace } } })
  const [city, mail] = within(await screen.findByRole('list', { name: 'Synced values' })).getAllByRole('listitem')
  expect(city).toHaveTextContent(/^CityLondonFrom Volunteers · /)
  expect(screen.getByRole('link', { name: /, the run that moved City$/ })).toHaveAttribute(
    'href',
    `/integrations/${id}?tab=runs&run=${uuid(81)}`,
  )
  expect(mail).toHaveTextContent(/^E-mail–To Volunteers · /)
})
