import type { Stage } from './stage.ts'

/** What is asked of lists with fields of the organisation, and how long it may take. */
export type FieldSubject = { what: string; path: string; limitMs: number }

const many = 20
const types = ['text', 'number', 'date', 'choice', 'flag']

/** Adds twenty fields with a value of everybody, as imports would leave them, and says what to ask. */
export async function addFields({ admin, orgId }: Stage, log: (line: string) => void): Promise<FieldSubject[]> {
  const started = performance.now()
  // Values are worked out from the id, so that they are the same every time; what triggers would derive stands in the statement.
  await admin.query('begin')
  await admin.query('set local session_replication_role = replica')
  await admin.query(
    `insert into app.fields (org_id, record_type, key, label, type, audience)
     select $1, 'people', 'bench_' || n, 'Field ' || n, ($2::text[])[1 + n % 5], case when n > 10 then 'officers' else 'everyone' end from generate_series(1, $3::int) n`,
    [orgId, types, many],
  )
  await admin.query(
    `insert into app.field_choices (org_id, field_id, label, place)
     select f.org_id, f.id, 'Choice ' || n, n from app.fields f, generate_series(0, 5) n where f.key like 'bench\\_%' and f.type = 'choice'`,
  )
  await admin.query(`
    insert into app.people_field_values (org_id, person_id, field_id, value, key, is_text)
    select p.org_id, p.id, f.id, x.value, app.field_key(f.type, x.value), f.type in ('text', 'url')
    from app.people p cross join app.fields f
    left join lateral (select array_agg(c.id::text order by c.place) as ids from app.field_choices c where c.field_id = f.id) c on true
    cross join lateral (select abs(hashtext(p.id::text || f.key)) as drawn) h
    cross join lateral (select case f.type when 'text' then 'word ' || drawn % 1000 when 'number' then (drawn % 10000)::text
      when 'date' then (date '2000-01-01' + drawn % 9000)::text when 'choice' then c.ids[1 + drawn % 6] else (drawn % 2 = 0)::text end as value) x
    where f.key like 'bench\\_%' order by p.id, f.id`)
  await admin.query('commit')
  await admin.query('vacuum analyze app.people_field_values, app.fields, app.field_choices')
  log(`${many} fields of everybody in ${Math.round((performance.now() - started) / 1_000)} s`)
  const { rows } = await admin.query<{ type: string; key: string; choice: string | null }>(
    `select distinct on (f.type) f.type, 'fields.' || f.key as key, (select c.id from app.field_choices c where c.field_id = f.id order by c.place limit 1) as choice
     from app.fields f where f.key like 'bench\\_%' and f.audience = 'everyone' order by f.type, f.key`,
  )
  const of = (type: string) => rows.find((row) => row.type === type)?.key ?? ''
  const filter = (field: string, op: string, value: unknown) =>
    encodeURIComponent(JSON.stringify({ and: [{ or: [{ field, op, value }] }] }))
  const choice = filter(of('choice'), 'in', [rows.find(({ type }) => type === 'choice')?.choice])
  const shown = [of('text'), of('number'), of('date'), of('choice')].join(',')
  return [
    { what: 'people, first page, 20 fields of which 4 are shown', path: `people?limit=50&columns=${shown}`, limitMs: 130 },
    { what: 'people by a field', path: `people?limit=50&sort=${of('number')}`, limitMs: 150 },
    { what: 'people by a field, from Z to A', path: `people?limit=50&sort=-${of('text')}`, limitMs: 150 },
    { what: 'people by a choice', path: `people?limit=50&sort=${of('choice')}`, limitMs: 150 },
    { what: 'people with a choice', path: `people?limit=50&filter=${choice}`, limitMs: 150 },
    { what: 'people with a choice, by another field', path: `people?limit=50&filter=${choice}&sort=${of('date')}`, limitMs: 150 },
    { what: 'people with one of most numbers', path: `people?limit=50&filter=${filter(of('number'), 'after', 10)}`, limitMs: 150 },
    {
      what: 'people with one of few numbers, by a field',
      path: `people?limit=50&filter=${filter(of('number'), 'between', [100, 150])}&sort=${of('date')}`,
      limitMs: 150,
    },
    { what: 'people without a choice', path: `people?limit=50&filter=${choice.replace('%22in%22', '%22notIn%22')}`, limitMs: 150 },
    { what: 'people with a number', path: `people?limit=50&filter=${filter(of('number'), 'is', 1234)}`, limitMs: 150 },
  ]
}
