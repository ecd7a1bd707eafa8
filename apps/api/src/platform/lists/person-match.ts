import { sql } from 'kysely'
import type { Compilable, RawBuilder, SqlBool } from 'kysely'

/** Whom a text finds: whether that is more people than are counted, and the condition that `p`, a row of app.people, is one of them. */
export type PersonMatch = { isFar: boolean; fits: RawBuilder<SqlBool> }

/** Asked before a list of what people belong to is searched by a text. The people feature answers it; app.ts hands it in. */
export type FindPeople = (
  context: { read<T>(query: Compilable<T>): Promise<T[]> },
  words: string | undefined,
) => Promise<PersonMatch | undefined>

/** Collects everybody whom a text finds, for lists that have not asked how many that are. */
export const anybodyFound = (words: string): RawBuilder<SqlBool> => sql`p.id in (select f.id from app.matching_people(${words}) f)`
