import type { ConnectionMapping, ConnectorKey, FieldMapping } from '@guildhall/contract/features/integrations'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { updateRecord } from '../../../platform/records/update-record.ts'
import { readFields } from '../../fields/fields.public.ts'
import { fieldPrefix, mappable } from './integrations.mapping.rules.ts'
import type { Reaches } from './integrations.mapping.rules.ts'

type Stored = Pick<ConnectionMapping, 'mapping' | 'matchBy' | 'onMissing' | 'version'> & {
  connector: ConnectorKey
  manages: boolean
  theirs: ConnectionMapping['theirs']
}

/** What the other side named when it was asked last; examples, which are data of somebody, for those only who may manage the connection. */
export async function findMapping(db: ActorDb, connectionId: string): Promise<ConnectionMapping | undefined> {
  const { rows } = await sql<Stored>`
    select c.connector, c.mapping, c.match_by as "matchBy", c.on_missing as "onMissing", c.version, coalesce(c.their_fields, '[]') as theirs,
      c.id = any ((select app.managed_connections())::uuid[]) as manages
    from app.connections c where c.id = ${connectionId}`.execute(db)
  const [found] = rows
  if (!found) return undefined
  const { connector, manages, theirs, ...stored } = found
  return {
    ...stored,
    ours: await ourFields(db, connector),
    theirs: manages ? theirs : theirs.map((field) => ({ ...field, example: null })),
  }
}

async function ourFields(db: ActorDb, connector: ConnectorKey): Promise<ConnectionMapping['ours']> {
  const { fields, takesFields, matchBy } = connectors[connector]
  const own = fields.map((key) => ({ key, label: null, example: null, isKey: matchBy.includes(key) }))
  if (!takesFields) return own
  const added = mappable(await readFields(db, 'people'))
  return [...own, ...added.map(({ key, label }) => ({ key: `${fieldPrefix}${key}`, label, example: null, isKey: false }))]
}

/** Whether the caller holds these anywhere. */
export async function reachesOf(db: ActorDb): Promise<Reaches> {
  const held = (permission: string) => sql`(app.everywhere(${permission}) or app.scope(${permission}) <> '{}')`
  const { rows } =
    await sql<Reaches>`select ${held('people.contact')} as contact, ${held('people.sensitive')} as sensitive, ${held('people.write')} as write`.execute(
      db,
    )
  return rows[0] ?? { contact: false, sensitive: false, write: false }
}

type Change = {
  mapping: readonly FieldMapping[]
  matchBy?: string | null | undefined
  onMissing?: ConnectionMapping['onMissing'] | undefined
}

export const saveMapping = (db: ActorDb, connectionId: string, version: number, { mapping, matchBy, onMissing }: Change) =>
  updateRecord(
    db,
    'app.connections',
    { id: connectionId, version },
    {
      mapping: sql`${JSON.stringify(mapping)}::jsonb`,
      ...(matchBy === undefined ? {} : { match_by: matchBy }),
      ...(onMissing === undefined ? {} : { on_missing: onMissing }),
    },
    () => findMapping(db, connectionId),
  )
