import type { DemoArea } from '../area.ts'
import { accountId } from '../world.ts'

const flag = (field: string) => ({ or: [{ field, op: 'is', value: true }] })
const oneOf = (field: string, ...value: string[]) => ({ or: [{ field, op: 'in', value }] })
const columns = ['title', 'startsAt', 'status', 'host', 'seats', 'waiting', 'visibility']

const kept: readonly [by: string, name: string, sharedWith: 'me' | 'organisation', spec: object][] = [
  [
    'events',
    'Full, with a waiting list',
    'organisation',
    { filter: { and: [flag('upcoming'), flag('full')] }, sort: 'startsAt', layout: 'table', columns },
  ],
  ['events', 'Open to everybody', 'organisation', { filter: { and: [flag('upcoming'), oneOf('visibility', 'public')] }, sort: 'startsAt' }],
  [
    'secretary',
    'Trainings held',
    'me',
    { filter: { and: [flag('past'), oneOf('kind', 'training')] }, sort: '-startsAt', layout: 'table', columns },
  ],
]

/** Saved views of the list of events. */
export const eventViewsDemo: DemoArea = {
  table: 'saved_views',
  rows: (world) =>
    kept.flatMap(([by, name, sharedWith, spec]) => {
      const index = [...world.personas].find(([, { demo }]) => demo.sub === by)?.[0]
      return index === undefined ? [] : { account_id: accountId(world, index), list: 'events', name, spec, shared_with: sharedWith }
    }),
}
