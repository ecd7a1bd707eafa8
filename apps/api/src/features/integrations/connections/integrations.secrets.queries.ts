import type { ConnectorKey } from '@guildhall/contract/features/integrations'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { Services } from '../../../platform/services.ts'
import { mustFind } from '../../../platform/procedures/problem.ts'
import type { Reach } from '../connectors/integrations.connector.rules.ts'
import { open, seal, secretPlace } from './integrations.secrets.rules.ts'
import { withUsual } from './integrations.settings.rules.ts'
import type { Settings } from './integrations.settings.rules.ts'

type Sealed = { name: string; sealed: Uint8Array }
type Keyed = { config: { INTEGRATIONS_KEY: string } }

/** Puts secrets in the place of those of the same name. */
export async function putSecrets(
  db: ActorDb,
  { config }: Keyed,
  orgId: string,
  connectionId: string,
  secrets: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, text] of Object.entries(secrets)) {
    const sealed = seal(config.INTEGRATIONS_KEY, text, secretPlace(connectionId, name))
    await sql`insert into app.connection_secrets (org_id, connection_id, name, sealed) values (${orgId}, ${connectionId}, ${name}, ${sealed})
      on conflict (org_id, connection_id, name) do update set sealed = ${sealed}, set_at = now()`.execute(db)
  }
}

/** Secrets of a connection that the caller manages. One that this key does not open is missing, as if it had never been given. */
async function secretsOf(db: ActorDb, { config }: Keyed, connectionId: string): Promise<Record<string, string>> {
  const { rows } = await sql<Sealed>`select s.name, s.sealed from app.connection_secrets_sealed(${connectionId}) s`.execute(db)
  const opened = rows.flatMap(({ name, sealed }) => {
    const text = open(config.INTEGRATIONS_KEY, sealed, secretPlace(connectionId, name))
    return text === null ? [] : [[name, text] as const]
  })
  return Object.fromEntries(opened)
}

/** With what a connector asks the other side of a connection that the caller manages. */
export async function reachOf(
  db: ActorDb,
  services: Keyed & Pick<Services, 'outgoing'>,
  connectionId: string,
  signal: AbortSignal,
): Promise<Reach> {
  const { rows } = await sql<{ connector: ConnectorKey; settings: Settings; today: string; timezone: string }>`
    select c.connector, c.settings, (select app.today())::text as today, o.timezone from app.connections c join app.organisations o on o.org_id = c.org_id
    where c.id = ${connectionId}`.execute(db)
  const { connector, settings, today, timezone } = mustFind(rows[0])
  const secrets = await secretsOf(db, services, connectionId)
  return { connectionId, settings: withUsual(connector, settings), secrets, outgoing: services.outgoing, signal, today, timezone }
}
