import { freePort } from '@guildhall/dev/ports'
import { startProgram } from './programs.ts'
import type { Program } from './programs.ts'
import type { Stage } from './stage.ts'

/** What the product is compared with, each a process of its own on the same database, as the same role and the same actor. */
export type Rivals = { bare: Rival; oneTrip: Rival; postgraphile: Rival }
export type Rival = Program & { url: string }

/** None of them listens before it is ready; what it says to nothing in particular does not matter. */
const listens = (url: string) => async (): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  )

export async function startRivals(stage: Stage): Promise<Rivals & { stop: () => Promise<void> }> {
  const { rows } = await stage.admin.query<{ id: string; roles: string }>(
    `select id, array_to_string(idp_roles, ',') as roles from app.accounts where org_id = $1 and subject = 'secretary'`,
    [stage.orgId],
  )
  const [account] = rows
  if (!account) throw new Error('The demo organisation has no secretary.')
  const started: Program[] = []
  const stop = async () => {
    for (const program of started) await program.stop()
  }
  const start = async (file: string, path: string, more: Record<string, string> = {}): Promise<Rival> => {
    const port = await freePort()
    const base = `http://127.0.0.1:${port}`
    const settings = {
      DATABASE_URL: stage.databaseUrl,
      ACTOR_KEY: stage.actorKey,
      ORG_ID: stage.orgId,
      ACCOUNT_ID: account.id,
      IDP_ROLES: account.roles,
      NODE_ENV: 'production',
      GRAPHILE_ENV: 'production',
      PORT: String(port),
    }
    const program = await startProgram(new URL(file, import.meta.url), { ...settings, ...more }, listens(base))
    started.push(program)
    return { ...program, url: `${base}${path}` }
  }
  try {
    return {
      bare: await start('bare-server.ts', '/'),
      oneTrip: await start('bare-server.ts', '/', { ONE_TRIP: 'yes' }),
      postgraphile: await start('postgraphile-server.ts', '/graphql'),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
