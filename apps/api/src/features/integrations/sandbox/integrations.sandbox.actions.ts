import type { Push, Pushed, Reach, SyncConnector } from '../connectors/integrations.connector.rules.ts'
import { fails, sandboxFields, sandboxIdOf, sandboxPeople } from './integrations.sandbox.rules.ts'

const pageSize = 500
const mostPeople = 50_000

const numberSetting = ({ settings }: Reach, name: string, usual: number): number => {
  const value = settings[name]
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.floor(value)) : usual
}
const peopleIn = (reach: Reach) => Math.min(mostPeople, numberSetting(reach, 'people', 20))
const failEvery = (reach: Reach) => numberSetting(reach, 'failEvery', 0)

/** A system to try connections with: its people are made up, and what is written there is kept here for this connection alone. */
export const sandbox: SyncConnector = {
  async test(reach) {
    const people = sandboxPeople(peopleIn(reach), (await reach.sandbox?.all()) ?? [])
    return [{ name: 'people', value: String(people.length) }]
  },
  theirs: () => Promise.resolve(sandboxFields()),
  async pull(reach, cursor) {
    const people = sandboxPeople(peopleIn(reach), (await reach.sandbox?.all()) ?? [])
    const from = Number(cursor ?? '0')
    const page = people.slice(from, from + pageSize)
    const every = failEvery(reach)
    const failing = (externalId: string) => fails(externalId, every)
    return {
      rows: page.filter(({ externalId }) => !failing(externalId)),
      bad: page
        .filter(({ externalId }) => failing(externalId))
        .map(({ externalId }) => ({
          row: externalId,
          code: 'sandbox_fails',
          message: 'This row fails because the sandbox was asked to let some fail.',
        })),
      cursor: from + pageSize < people.length ? String(from + pageSize) : null,
      total: people.length,
    }
  },
  async push(reach, rows) {
    const every = failEvery(reach)
    const done = rows.filter(({ ourId }) => !fails(ourId, every))
    await reach.sandbox?.put(
      done.map((row) => ({ externalId: idOf(row), held: row.stop ? {} : row.values, isGone: row.stop !== undefined })),
    )
    return rows.map((row): Pushed =>
      fails(row.ourId, every)
        ? { ourId: row.ourId, error: { code: 'sandbox_fails', message: 'This row fails because the sandbox was asked to let some fail.' } }
        : { ourId: row.ourId, externalId: idOf(row), version: null, values: row.values },
    )
  },
}

const idOf = ({ externalId, ourId }: Push) => externalId ?? sandboxIdOf(ourId)
