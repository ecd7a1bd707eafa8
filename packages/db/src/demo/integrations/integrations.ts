import type pg from 'pg'
import { rowsOf } from '../areas.ts'
import { integrationsDemo } from '../areas/integrations.ts'
import type { World } from '../world.ts'
import { addMetrics } from './metrics.ts'
import { addPrograms } from './programs.ts'
import { addRuns } from './runs.ts'
import { addTies } from './ties.ts'

/** What the connections did, what they hold of people, and the programs that use the API or are told of what happens. Answers how many rows. */
export async function addIntegrations(client: pg.Client, world: World): Promise<number> {
  const ids = new Map(rowsOf(integrationsDemo, world).map((row) => [String(Reflect.get(row, 'slug')), row.id]))
  const of = (slug: string) => {
    const id = ids.get(slug)
    if (id === undefined) throw new Error(`There is no connection ${slug}.`)
    return id
  }
  const [sheet, newsletter, chat] = [of('alumni-register'), of('newsletter'), of('office-chat')]
  return (
    (await addRuns(client, world, { sheet, newsletter })) +
    (await addTies(client, world, { sheet, newsletter })) +
    (await addMetrics(client, world, { sheet, newsletter })) +
    (await addPrograms(client, world, chat))
  )
}
