import type pg from 'pg'
import { rowsOf } from '../areas.ts'
import { audiencesDemo } from '../areas/audiences.ts'
import type { World } from '../world.ts'

/** The part of a message's audience that is one of the saved ones. */
export function savedAudience(world: World, name: string): { kind: 'audience'; id: string } {
  const found = rowsOf(audiencesDemo, world).find((row) =>
    Object.entries(row).some(([column, value]) => column === 'name' && value === name),
  )
  if (!found) throw new Error(`There is no saved audience ${name}.`)
  return { kind: 'audience', id: found.id }
}

/** When each was last used, as is noted when a message starts. */
export async function noteAudiencesUsed(client: pg.Client, world: World): Promise<void> {
  await client.query(
    `update app.audiences a set last_used_at = u.at
     from (select part ->> 'id' as id, max(m.started_at) as at from app.messages m cross join lateral jsonb_array_elements(m.audience -> 'include') part
       where m.org_id = $1 and m.started_at is not null and part ->> 'kind' = 'audience' group by 1) u
     where a.org_id = $1 and a.id::text = u.id`,
    [world.orgId],
  )
}
