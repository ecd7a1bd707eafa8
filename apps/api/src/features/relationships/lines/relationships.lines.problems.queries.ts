import type { LineProblem, LineProblemKind } from '@guildhall/contract/features/relationships.lines'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { inScope, linkOn, pairFrom, reported } from './relationships.lines.queries.ts'
import type { LineType, Scope } from './relationships.lines.queries.ts'

// What is wrong in the lines of a kind, as rows: which problem, whom it is about, who else takes part. Everything is read below row-level security,
// birth dates as well: only those who may see them are told of minors.

/** The order in which they are listed. */
export const problemKinds = [
  'cycle',
  'too_many_parents',
  'minor_without_guardian',
  'guardian_under_age',
  'guardian_younger',
  'guardian_is_managed',
  'majority_soon',
  'ended_parent',
  'cross_chapter',
  'dead_end',
] as const satisfies readonly LineProblemKind[]
const place = (kind: LineProblemKind) => sql.lit(problemKinds.indexOf(kind))

/** As it is found; records are read afterwards. */
export type FoundProblem = Omit<LineProblem, 'kind' | 'record' | 'others'> & { place: number; about: string; others: string[] }
/** Stands in a position for the link of a problem that is about no single one. */
export const noLink = '00000000-0000-0000-0000-000000000000'
/** What only a look at whole lines finds. */
export type FoundInLines = { circles: readonly (readonly string[])[]; deadEnds: readonly string[] }

const soonDays = 60
const mostOthers = 20

const majority = sql`(select o.majority_age from app.organisations o)`
const ofAge = (birthDate: RawBuilder<unknown>) => sql`(${birthDate} + make_interval(years => ${majority}))::date`
const birthDateOf = (person: string) =>
  sql`(select x.birth_date from app.person_private x where x.org_id = r.org_id and x.person_id = ${sql.ref(person)})`

/** Each problem as `place, about, link, others, on`. */
function problemsOf(type: LineType, scope: Scope, { circles, deadEnds }: FoundInLines): [LineProblemKind, RawBuilder<unknown>][] {
  const { asOf } = scope
  const day = sql`${asOf}::date`
  const here = sql`${linkOn(type, asOf)} and ${reported} and ${inScope(scope, 'c')}`
  const about = (kind: LineProblemKind, on: RawBuilder<unknown>, where: RawBuilder<unknown>, who: 'r.to_person_id' | 'r.from_person_id') =>
    sql`select ${place(kind)} as place, ${sql.ref(who)} as about, r.id as link,
      array[${sql.ref(who === 'r.to_person_id' ? 'r.from_person_id' : 'r.to_person_id')}] as others, ${on} as "on" ${pairFrom} where ${here} and ${where}`
  const never = sql`null::date`
  const found: [LineProblemKind, RawBuilder<unknown>][] = [
    [
      'cycle',
      sql`select ${place('cycle')} as place, (x.ids ->> 0)::uuid as about, null::uuid as link,
        array(select e.id::uuid from jsonb_array_elements_text(x.ids) with ordinality e (id, n) where e.n > 1 order by e.n limit ${sql.lit(mostOthers)}) as others, ${never} as "on"
        from jsonb_array_elements(${JSON.stringify(circles)}::jsonb) x (ids)`,
    ],
    [
      'ended_parent',
      about('ended_parent', sql`r.ends_on`, sql`p.lifecycle in ('former', 'deceased') and c.lifecycle = 'active'`, 'r.to_person_id'),
    ],
    [
      'dead_end',
      sql`select ${place('dead_end')} as place, x.id as about, null::uuid as link, '{}'::uuid[] as others, ${never} as "on" from unnest(${deadEnds}::uuid[]) x (id)`,
    ],
  ]
  if (type.maxParents !== null)
    found.push([
      'too_many_parents',
      sql`select ${place('too_many_parents')} as place, r.to_person_id as about, null::uuid as link,
        (array_agg(r.from_person_id order by r.id))[1:${sql.lit(mostOthers)}] as others, ${never} as "on"
        ${pairFrom} where ${here} group by r.to_person_id having count(*) > ${type.maxParents}`,
    ])
  const guards = type.isMinorsOnly || type.grants !== 'none'
  if (guards) {
    found.push(
      [
        'guardian_under_age',
        about(
          'guardian_under_age',
          ofAge(birthDateOf('r.from_person_id')),
          sql`${ofAge(birthDateOf('r.from_person_id'))} > ${day}`,
          'r.from_person_id',
        ),
      ],
      [
        'guardian_younger',
        about('guardian_younger', never, sql`${birthDateOf('r.from_person_id')} > ${birthDateOf('r.to_person_id')}`, 'r.from_person_id'),
      ],
      [
        'guardian_is_managed',
        sql`select ${place('guardian_is_managed')} as place, r.from_person_id as about, r.id as link,
          (array[r.to_person_id] || array_agg(distinct m.from_person_id))[1:${sql.lit(mostOthers)}] as others, ${never} as "on"
          ${pairFrom}
          join app.relationships m on m.org_id = r.org_id and m.to_person_id = r.from_person_id and m.state in ('active', 'ended')
            and coalesce(m.starts_on, '-infinity') <= ${day} and coalesce(m.ends_on, 'infinity') >= ${day}
          join app.relationship_types t on t.org_id = m.org_id and t.id = m.type_id and t.grants = 'manage'
          where ${here} group by r.id, r.from_person_id, r.to_person_id`,
      ],
    )
  } else {
    found.push(['cross_chapter', about('cross_chapter', never, sql`p.home_chapter_id <> c.home_chapter_id`, 'r.to_person_id')])
  }
  if (type.isMinorsOnly)
    found.push(
      [
        'majority_soon',
        about(
          'majority_soon',
          ofAge(birthDateOf('r.to_person_id')),
          sql`${ofAge(birthDateOf('r.to_person_id'))} between ${day} + 1 and ${day} + ${sql.lit(soonDays)}`,
          'r.to_person_id',
        ),
      ],
      [
        'minor_without_guardian',
        sql`select ${place('minor_without_guardian')} as place, c.id as about, null::uuid as link, '{}'::uuid[] as others, ${ofAge(sql`x.birth_date`)} as "on"
          from app.person_private x join app.people c on c.org_id = x.org_id and c.id = x.person_id and c.lifecycle = 'active' and c.deleted_at is null
          where x.birth_date > (${day} - make_interval(years => ${majority}))::date and x.birth_date <= ${day}
            and ((select app.everywhere('reports.read')) or exists (select from app.people_within('reports.read') w where w.org_id = c.org_id and w.person_id = c.id))
            and not exists (select from app.relationships r where r.org_id = c.org_id and r.to_person_id = c.id and ${linkOn(type, asOf)})
            and ${inScope(scope, 'c')}`,
      ],
    )
  return found
}

export type ProblemPage = { items: FoundProblem[]; counts: { place: number; count: number }[]; total: number }

/** A page of problems after a position, and how many there are of each; counts cover all kinds also where one is asked for. */
export async function problemsPage(
  db: ActorDb,
  type: LineType,
  scope: Scope,
  inLines: FoundInLines,
  { problem, after, limit }: { problem: LineProblemKind | undefined; after: readonly (string | number | null)[] | null; limit: number },
): Promise<ProblemPage> {
  const all = problemsOf(type, scope, inLines)
  const wanted = problem === undefined ? sql`true` : sql`f.place = ${place(problem)}`
  const order = [sql`f.place`, sql`f.about`, sql`coalesce(f.link, ${noLink}::uuid)`]
  const following = after ? sql`(${sql.join(order)}) > (${after[0]}::int, ${after[1]}::uuid, ${after[2]}::uuid)` : sql`true`
  const { rows } = await sql<ProblemPage>`
    with found as materialized (${sql.join(
      all.map(([, rows]) => sql`(${rows})`),
      sql` union all `,
    )})
    select (select coalesce(json_agg(json_build_object('place', f.place, 'about', f.about, 'relationshipId', f.link, 'others', f.others, 'on', f."on") order by ${sql.join(order)}), '[]')
        from (select * from found f where ${wanted} and ${following} order by ${sql.join(order)} limit ${sql.lit(limit + 1)}) f) as items,
      (select coalesce(json_agg(json_build_object('place', n.place, 'count', n.n) order by n.place), '[]') from (select f.place, count(*)::int as n from found f group by f.place) n) as counts,
      (select count(*)::int from found f where ${wanted}) as total`.execute(db)
  return rows[0] ?? { items: [], counts: [], total: 0 }
}
