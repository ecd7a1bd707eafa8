import { standardBy, standardChoices } from '@guildhall/contract/features/reports.standard'
import { sql } from 'kysely'
import type { Condition, FactReport, Source } from './reports.facts.queries.ts'
import { measuresOf, percent } from './reports.facts.rules.ts'
import type { Asked } from './reports.facts.rules.ts'
import { below } from './reports.grouping.queries.ts'

const { problem: problems } = standardChoices['data-quality']
type Problem = (typeof problems)[number]

const isKept = (alias: string): Condition =>
  sql`${sql.ref(`${alias}.deleted_at`)} is null and ${sql.ref(`${alias}.lifecycle`)} not in ('deceased', 'merged', 'erased')`

const belongsNow = sql`a.person_id = p.id and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today()))`

/** People, as `p`, who belong to a chapter where the reader holds the permission, and to the one that was asked about. */
function among(asked: Asked, permission: string): Condition {
  const everywhere = sql`(select app.everywhere(${permission}))`
  const there = sql`a.chapter_id = any ((select app.scope(${permission}))::uuid[])`
  return asked.chapterId === null
    ? sql`(${everywhere} or exists (select from app.affiliations a where ${belongsNow} and ${there}))`
    : sql`exists (select from app.affiliations a where ${belongsNow} and ${below(asked, sql`a.chapter_id`)} and (${everywhere} or ${there}))`
}

/** People whose records are kept and whose addresses the reader sees: of others, a gap says nothing. */
const kept = (asked: Asked): Condition[] => [isKept('p'), among(asked, 'people.contact')]

/** The same address, or the same name and day of birth where the reader sees birth dates. */
const duplicates = sql<never>`p.id in (
    select e.person_id from app.person_emails e where e.address_key in (
      select x.address_key from app.person_emails x join app.people y on y.id = x.person_id and ${isKept('y')}
        group by x.address_key having count(distinct x.person_id) > 1))
  or p.id in (select unnest(t.ids) from (
    select array_agg(y.id) as ids from app.person_private b join app.people y on y.id = b.person_id and ${isKept('y')}
      where b.birth_date is not null group by y.sort_name, b.birth_date having count(*) > 1) t)`

const missing: Record<Exclude<Problem, 'proposed'>, (asked: Asked) => Condition> = {
  withoutEmail: () => sql`not exists (select from app.person_emails e where e.person_id = p.id)`,
  withoutPhone: () => sql`not exists (select from app.person_phones e where e.person_id = p.id)`,
  withoutChapter: () => sql`not exists (select from app.affiliations a where ${belongsNow})`,
  withoutBirthDate: (asked) =>
    sql`${among(asked, 'people.sensitive')}
      and not exists (select from app.person_private b where b.person_id = p.id and b.birth_date is not null)`,
  withoutMemberNo: () => sql`p.lifecycle = 'active' and p.member_no is null`,
  bounced: () => sql`p.id in (select app.people_refusing_mail())`,
  duplicates: () => duplicates,
}

const everybody = (asked: Asked): Source => ({
  tables: sql`app.people p`,
  where: kept(asked),
  keys: [],
  record: { kind: sql`'person'`, id: sql`p.id` },
  weights: { everybody: {} },
  totalOnly: true,
})

const gap = (asked: Asked, problem: Exclude<Problem, 'proposed'>): Source => ({
  tables: sql`app.people p`,
  where: [...kept(asked), missing[problem](asked)],
  keys: [sql`${sql.lit(problem)}::text`],
  record: {
    kind: sql`'person'`,
    id: sql`p.id`,
    person: sql`p.id`,
    chapter: sql`p.home_chapter_id`,
    detail: sql`p.lifecycle`,
    on: sql`p.joined_on`,
  },
  weights: { records: {} },
})

const overdueDays = 30

/** Relationships that nobody agreed to or rejected. */
const proposed = (asked: Asked): Source => ({
  tables: sql`app.relationships r join app.people p on p.id = r.to_person_id join app.relationship_types t on t.id = r.type_id`,
  where: [
    sql`r.state = 'proposed' and (r.created_at at time zone ${asked.timezone})::date < ${asked.today}::date - ${sql.lit(overdueDays)}`,
    isKept('p'),
    among(asked, 'people.contact'),
  ],
  keys: [sql`'proposed'::text`],
  record: {
    kind: sql`'relationship'`,
    id: sql`r.id`,
    person: sql`r.to_person_id`,
    chapter: sql`p.home_chapter_id`,
    detail: sql`t.name`,
    on: sql`(r.created_at at time zone ${asked.timezone})::date`,
  },
  weights: { records: {} },
})

const isGap = (part: string | null): part is Exclude<Problem, 'proposed'> => part !== null && Object.hasOwn(missing, part)

export const dataQuality: FactReport = {
  by: standardBy['data-quality'],
  dimensions: () => [{ key: 'problem', kind: 'choice', order: problems }],
  measures: measuresOf('data-quality', {
    records: { adds: false },
    share: { adds: false, behind: 'records', of: ({ records }, total) => percent(records, total['everybody']) },
  }),
  sources: ({ part, ...rest }) => {
    const asked = { ...rest, part }
    if (part === 'everybody') return [everybody(asked)]
    if (part === 'proposed') return [proposed(asked)]
    if (isGap(part)) return [gap(asked, part)]
    return problems.map((problem) => (problem === 'proposed' ? proposed(asked) : gap(asked, problem)))
  },
  steps: (_db, asked) => Promise.resolve(['everybody', ...problems].map((part) => ({ ...asked, part }))),
  picture: () => 'table',
}
