import type { ConnectorKey } from '@guildhall/contract/features/integrations'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import { ourEvents } from '../icalendar/integrations.events.jobs.ts'
import type { Ours } from './integrations.ours.rules.ts'
import { ourPeople } from './integrations.people.jobs.ts'

/** What connections of a connector read and write here; undefined where it has no runs. */
export function oursOf(connector: ConnectorKey): Ours | undefined {
  const { record } = connectors[connector]
  if (record === 'person') return ourPeople
  return record === 'event' ? ourEvents : undefined
}
