import { mentionedIn } from '@guildhall/contract/formatted-document'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { fault, problem } from '../procedures/problem.ts'

/** Names by person, of those the caller sees; `withNames` writes them into a document. */
export type NamesSeen = Record<string, string>

/** Names of the people whom a document mentions, as far as the caller sees them: who is hidden, archived or erased has none. */
export const namesSeen = (document: RawBuilder<unknown>): RawBuilder<NamesSeen> => sql`app.names_seen(app.mentioned(${document}))`

/** Whoever is mentioned is somebody the writer sees, or was mentioned there before. */
export async function mustSeeMentioned(
  db: ActorDb,
  path: string,
  document: FormattedDocument | undefined,
  before?: FormattedDocument,
): Promise<void> {
  const known = new Set(before && mentionedIn(before))
  const wanted = document ? mentionedIn(document).filter((id) => !known.has(id)) : []
  if (wanted.length === 0) return
  if (wanted.length > 100)
    throw problem('UNPROCESSABLE_CONTENT', fault(path, 'too_many_mentions', 'Mention at most 100 people.', { params: { max: 100 } }))
  const { rows } = await sql<{ names: NamesSeen }>`select app.names_seen(${wanted}::uuid[]) as names`.execute(db)
  if (wanted.some((id) => !(id.toLowerCase() in (rows[0]?.names ?? {}))))
    throw problem('UNPROCESSABLE_CONTENT', fault(path, 'mention_not_found', 'There is no such person to mention.'))
}
