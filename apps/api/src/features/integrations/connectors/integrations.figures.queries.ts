import type { Failure } from '@guildhall/contract/reasons'
import type { MetricType } from '@guildhall/contract/features/integrations.metrics'
import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

// For the worker, which acts for nobody: what these figures are of belongs to no account.

type Db = Kysely<Schema>
export type Standing = { heardAt: string | null; failure: Failure | null }
type Own = { connector: 'stripe' | 'smtp'; category: 'payments' | 'email'; name: string; isConfigured: boolean } & Standing

/** The connection to what the installation names; undefined where it names none. */
export async function keepOwnConnection(db: Db, orgId: string, own: Own): Promise<{ id: string; isNew: boolean } | undefined> {
  const { rows } = await sql<{
    kept: { id: string; isNew: boolean } | null
  }>`select app.keep_own_connection(${orgId}, ${own.connector}, ${own.category}, ${own.name},
    ${own.isConfigured}, ${own.failure ? JSON.stringify(own.failure) : null}::jsonb, ${own.heardAt}::timestamptz) as kept`.execute(db)
  return rows[0]?.kept ?? undefined
}

export async function paymentStanding(db: Db, orgId: string, provider: string): Promise<{ heardAt: string | null; isUnheard: boolean }> {
  const { rows } = await sql<{
    said: { heardAt: string | null; isUnheard: boolean }
  }>`select app.payment_standing(${orgId}, ${provider}) as said`.execute(db)
  return rows[0]?.said ?? { heardAt: null, isUnheard: false }
}
export async function mailStanding(db: Db, orgId: string): Promise<{ heardAt: string | null; isStuck: boolean }> {
  const { rows } = await sql<{ said: { heardAt: string | null; isStuck: boolean } }>`select app.mail_standing(${orgId}) as said`.execute(db)
  return rows[0]?.said ?? { heardAt: null, isStuck: false }
}

export type CountedHour = { type: MetricType; hour: string; value: number; count: number }
const counted = sql`f.type, to_json(f.hour) as hour, f.value::float8 as value, f.count::int as count`

/** `isWhole`: also hours in which there was nothing, so that what was counted before and is not so any more goes. */
type Wanted = { since: Date; isWhole: boolean }
export async function paymentFigures(db: Db, orgId: string, provider: string, { since, isWhole }: Wanted): Promise<CountedHour[]> {
  const { rows } =
    await sql<CountedHour>`select ${counted} from app.payment_figures(${orgId}, ${provider}, ${since.toISOString()}, ${isWhole}) f`.execute(
      db,
    )
  return rows
}
export async function mailFigures(db: Db, orgId: string, { since, isWhole }: Wanted): Promise<CountedHour[]> {
  const { rows } = await sql<CountedHour>`select ${counted} from app.mail_figures(${orgId}, ${since.toISOString()}, ${isWhole}) f`.execute(
    db,
  )
  return rows
}
export async function chatFigures(db: Db, connectionId: string, since: Date): Promise<CountedHour[]> {
  const { rows } = await sql<CountedHour>`select ${counted} from app.chat_figures(${connectionId}, ${since.toISOString()}) f`.execute(db)
  return rows
}
