import { ourEvents } from '../icalendar/integrations.events.jobs.ts'
import type { Ours } from './integrations.ours.rules.ts'
import { ourPeople } from './integrations.people.jobs.ts'

/** What connections read and write here, by kind of record. */
export const sidesOf: Readonly<Record<'person' | 'event', Ours | undefined>> = { person: ourPeople, event: ourEvents }
