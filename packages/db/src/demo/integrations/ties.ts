import type pg from 'pg'
import { datedId, drawn, drawnId } from '../random.ts'
import type { World } from '../world.ts'
import { runsOf } from './runs.ts'
import type { Synced } from './runs.ts'

/** Which people stand on the other side, and what both sides last held of them. In a bigger organisation the first ones stand for all. */
export async function addTies(client: pg.Client, world: World, synced: Synced): Promise<number> {
  const runs = runsOf(world, synced)
  const lastOf = (connectionId: string) =>
    runs.filter((run) => run.connectionId === connectionId && run.state !== 'failed').at(-1)?.id ?? null
  const value = (field: string, text: string, direction: 'in' | 'out') =>
    `'${field}', jsonb_build_object('value', ${text}, 'at', d.at, 'run', d.run, 'direction', '${direction}')`
  let rows = 0
  const tie = async (connectionId: string, lifecycle: string, most: number, external: string, agreed: readonly string[]) => {
    const { rowCount } = await client.query(
      `insert into app.external_refs (org_id, id, connection_id, entity, person_id, external_id, agreed, agreed_at, agreed_in, seen_in_run, created_at)
       select p.org_id, ${datedId("concat('tie ', c.id, p.id)", 'd.first')}, c.id, 'person', p.id, ${external}, jsonb_build_object(${agreed.join(', ')}), d.at, d.run, $3, d.first
       from app.connections c
       join lateral (select x.*, row_number() over (order by x.id) as place from app.people x where x.org_id = c.org_id and x.lifecycle = $4 and x.deleted_at is null
         and x.created_at < c.created_at and x.minor_until is null order by x.id limit $5) p on true
       join app.person_emails m on m.org_id = p.org_id and m.person_id = p.id and m.is_primary
       left join app.person_contacts a on a.org_id = p.org_id and a.person_id = p.id
       join lateral (select r.id as run, r.finished_at as at, (select min(f.created_at) from app.sync_runs f where f.org_id = c.org_id and f.connection_id = c.id) as first
         from app.sync_runs r where r.org_id = c.org_id and r.connection_id = c.id and r.state <> 'failed' order by md5(concat(r.id, p.id)) limit 1) d on true
       where c.org_id = $1 and c.id = $2`,
      [world.orgId, connectionId, lastOf(connectionId), lifecycle, most],
    )
    rows += rowCount ?? 0
  }
  await tie(synced.sheet, 'alumni', 120, `'A-' || lpad(p.place::text, 4, '0')`, [
    value('givenName', 'p.given_name', 'in'),
    value('familyName', 'p.family_name', 'in'),
    value('primaryEmail', 'lower(m.address)', 'in'),
    value('city', 'a.city', 'in'),
  ])
  await tie(synced.newsletter, 'active', 280, `(1000 + p.place)::text`, [
    value('primaryEmail', 'lower(m.address)', 'out'),
    value('fullName', 'p.display_name', 'out'),
    value('city', 'a.city', 'out'),
  ])
  return rows + (await addWaiting(client, world, synced, lastOf(synced.newsletter)))
}

/** A name that is spelled otherwise there, and addresses that changed on both sides. */
async function addWaiting(client: pg.Client, world: World, { sheet, newsletter }: Synced, run: string | null): Promise<number> {
  const { rowCount } = await client.query(
    `insert into app.sync_changes (org_id, id, connection_id, run_id, direction, kind, state, entity, person_id, external_id, name, fields, created_at, updated_at)
     select r.org_id, ${datedId("concat('change ', r.id)", 's.finished_at')}, r.connection_id, s.id, 'in', w.kind, 'waiting', 'person', r.person_id, r.external_id, p.display_name,
       jsonb_build_array(jsonb_build_object('field', w.field, 'before', case w.field when 'city' then a.city else p.family_name end, 'after', w.after)), s.finished_at, s.finished_at
     from (values ($2::uuid, 'update', 'familyName', 'Holm-Larsen', 0), ($2, 'update', 'familyName', 'Ó Briain', 1), ($3, 'conflict', 'city', 'Malmö', 0), ($3, 'conflict', 'city', 'Leith', 1))
       w (connection, kind, field, after, nth)
     join lateral (select x.* from app.external_refs x where x.org_id = $1 and x.connection_id = w.connection order by ${drawn('x.id::text')}, x.id offset w.nth limit 1) r on true
     join lateral (select x.* from app.sync_runs x where x.org_id = $1 and x.connection_id = w.connection and x.state <> 'failed'
       and (x.connection_id <> $3 or x.id = $4) order by x.id desc limit 1) s on true
     join app.people p on p.org_id = r.org_id and p.id = r.person_id
     left join app.person_contacts a on a.org_id = p.org_id and a.person_id = p.id`,
    [world.orgId, sheet, newsletter, run],
  )
  const { rowCount: written } = await client.query(
    `insert into app.sync_changes (org_id, id, connection_id, run_id, direction, kind, state, entity, person_id, external_id, name, fields, created_at, updated_at)
     select r.org_id, ${drawnId("concat('written ', r.id)")}, r.connection_id, s.id, 'in', 'update', 'written', 'person', r.person_id, r.external_id, p.display_name,
       jsonb_build_array(jsonb_build_object('field', 'city', 'before', null, 'after', r.agreed -> 'city' ->> 'value')), s.finished_at, s.finished_at
     from app.sync_runs s join app.external_refs r on r.org_id = s.org_id and r.connection_id = s.connection_id and r.agreed_in = s.id
     join app.people p on p.org_id = r.org_id and p.id = r.person_id
     where s.org_id = $1 and s.connection_id = $2 and r.agreed -> 'city' ->> 'value' is not null and s.finished_at > $3::date - 28`,
    [world.orgId, sheet, new Date(world.today * 86_400_000).toISOString().slice(0, 10)],
  )
  return (rowCount ?? 0) + (written ?? 0)
}
