import type { FundraisingFigures } from '@guildhall/contract/features/fundraising'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'

type Asked = { since?: string | undefined; until?: string | undefined; chapterId?: string | undefined }
/** As far as fundraising.read reaches; what they come to tells of no donor. */
export async function findFigures(db: ActorDb, { since, until, chapterId }: Asked): Promise<FundraisingFigures | undefined> {
  const { rows } = await sql<{ figures: FundraisingFigures | null }>`
    select app.fundraising_figures(${since ?? null}::date, ${until ?? null}::date, ${chapterId ?? null}::uuid) as figures`.execute(db)
  return rows[0]?.figures ?? undefined
}
