import type { ChapterRef, GroupRef, PersonRef } from '@guildhall/contract/shapes'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type * as z from 'zod'

// How a record names another one in JSON. The argument is the table's alias in the statement; a left join that found nothing is null.

const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`)

export const chapterRef = (alias: string): RawBuilder<z.infer<typeof ChapterRef>> =>
  sql`json_build_object('id', ${column(alias, 'id')}, 'name', ${column(alias, 'name')}, 'code', ${column(alias, 'code')})`

export const personRef = (alias: string): RawBuilder<z.infer<typeof PersonRef>> =>
  sql`json_build_object('id', ${column(alias, 'id')}, 'displayName', ${column(alias, 'display_name')})`

/** With the picture, where faces are shown; the alias is a row of app.people itself. */
export const faceRef = (alias: string): RawBuilder<z.infer<typeof PersonRef>> =>
  sql`json_build_object('id', ${column(alias, 'id')}, 'displayName', ${column(alias, 'display_name')}, 'pictureId', ${column(alias, 'picture_id')})`

export const groupRef = (alias: string): RawBuilder<z.infer<typeof GroupRef>> =>
  sql`json_build_object('id', ${column(alias, 'id')}, 'name', ${column(alias, 'name')})`

export const orNull = <T>(alias: string, ref: (alias: string) => RawBuilder<T>): RawBuilder<T | null> =>
  sql`case when ${column(alias, 'id')} is not null then ${ref(alias)} end`

/** Whether a dated row is over, running or to come, by the organisation's day. */
export const whenOf = (alias: string): RawBuilder<'past' | 'current' | 'future'> => sql`case
  when ${column(alias, 'ends_on')} < (select app.today()) then 'past'
  when ${column(alias, 'starts_on')} > (select app.today()) then 'future' else 'current' end`

/** Running today. */
export const isCurrent = (
  alias: string,
): RawBuilder<boolean> => sql`(coalesce(${column(alias, 'starts_on')}, '-infinity') <= (select app.today())
  and (${column(alias, 'ends_on')} is null or ${column(alias, 'ends_on')} >= (select app.today())))`

/** Whether the caller holds a permission everywhere or in this chapter, for `may` in answers; row-level security is what decides. */
export const mayInChapter = (permission: string, chapterId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`((select app.everywhere(${permission})) or coalesce(${chapterId} = any ((select app.scope(${permission}))::uuid[]), false))`
