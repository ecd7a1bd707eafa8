import type pg from 'pg'
import * as z from 'zod'
import type { Call } from './load.ts'

/**
 * What somebody who serves a page of people by PostGraphile would add to the database: a function that is inlined into the statement, so that a
 * page begins where the index says. PostGraphile's own cursors compare column by column, which no index answers.
 */
export async function preparePostgraphile(admin: pg.Client): Promise<void> {
  await admin.query(`
    create schema bench;
    grant usage on schema bench to app_api;
    create function bench.people_after(name text, id uuid) returns setof app.people language sql stable as $$
      select p.* from app.people p where p.deleted_at is null and (p.sort_name, p.id) > ($1, $2) order by p.sort_name, p.id $$;
    grant execute on function bench.people_after to app_api`)
}

const query = `query ($name: String!, $id: UUID!) {
  peopleAfter: benchPeopleAfter(name: $name, id: $id, first: 50) { nodes {
    id: rowId displayName givenName familyName preferredName suffix memberNo lifecycle
    homeChapter: chapterByOrgIdAndHomeChapterId { id: rowId name code }
    joinedOn gradYear employer jobTitle archivedAt: deletedAt version createdAt updatedAt pictureId
  } } }`

export const peopleAfter = (url: string, place: { name: string; id: string }): Call => ({
  url,
  body: JSON.stringify({ query, variables: place }),
})

const Answer = z.object({ data: z.object({ peopleAfter: z.object({ nodes: z.array(z.record(z.string(), z.unknown())) }) }) })

/** Its items, with instants written as everybody else does. */
export const readPostgraphile = (answer: unknown): Record<string, unknown>[] =>
  Answer.parse(answer).data.peopleAfter.nodes.map((item) => ({
    ...item,
    createdAt: asInstant(item['createdAt']),
    updatedAt: asInstant(item['updatedAt']),
  }))

const asInstant = (value: unknown) => (typeof value === 'string' ? value.replace(/\.?0+\+00:00$/, '+00:00') : value)
