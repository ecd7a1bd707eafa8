import { peopleFilterFields } from '@guildhall/contract/features/people'
import type { PeopleFilterField } from '@guildhall/contract/features/people'
import type { Filter } from '@guildhall/contract/shapes'
import type { Field } from '@guildhall/contract/features/fields'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { choiceField, dateField, flagField, numberField, relationField, textField, textOps } from '../../../platform/lists/filters.ts'
import type { FilterCatalogue, FilterField, TextField } from '../../../platform/lists/filters.ts'
import { isCurrent } from '../../../platform/lists/json-refs.ts'
import { duesFilter } from '../../finance/finance.people.public.ts'
import { givingFilters } from '../../fundraising/people/fundraising.people.public.ts'
import { standingFilters } from '../../membership/membership.people.public.ts'
import { fieldFilters } from '../../fields/fields.public.ts'

// Every condition is about `p`, a row of app.people. Related rows are asked for as sets ("p.id in (…)"), so that the planner may start from either side.

type Condition = RawBuilder<SqlBool>

/** A text in related rows: `some` finds people with a related row that meets the condition, or with any when there is none. */
const relatedText = (text: TextField, some: (condition: Condition) => Condition): TextField => ({
  ops: textOps,
  containsAny: (texts) => some(text.containsAny(texts)),
  where(op, value, refuse) {
    if (op === 'empty') return sql`not ${some(sql`true`)}`
    if (op === 'isNot') return sql`not ${some(text.where('is', value, refuse))}`
    return some(text.where(op, value, refuse))
  },
})

/**
 * How membership in a subtree is asked: `join` leaves it to the planner, which cannot know how many people a subtree has. `walk` looks each person up
 * on the way along an index, right where most belong; `set` collects the people first, right where few do.
 */
export type ChapterForm = 'join' | 'walk' | 'set'

const inChapters = (condition: Condition | null, form: ChapterForm): Condition => {
  const live = sql`${isCurrent('a')} and ${condition ?? sql`true`}`
  switch (form) {
    case 'join':
      return sql`p.id in (select a.person_id from app.affiliations a where ${live})`
    case 'walk':
      // offset 0 keeps the planner from turning it into a join.
      return sql`exists (select from app.affiliations a where a.org_id = p.org_id and a.person_id = p.id and ${live} offset 0)`
    case 'set':
      return sql`p.id = any (array(select a.person_id from app.affiliations a where ${live}))`
  }
}

/** A chapter means everything below it too. */
const below = (ids: readonly string[]) =>
  sql`array(select d.chapter_id from app.chapter_ancestors d where d.ancestor_id = any (${ids}::uuid[]))`
const subtree = (ids: readonly string[], form: ChapterForm): Condition =>
  form === 'walk'
    ? sql`exists (select from app.chapter_ancestors d where d.org_id = a.org_id and d.chapter_id = a.chapter_id and d.ancestor_id = any (${ids}::uuid[]))`
    : sql`a.chapter_id = any (${below(ids)})`

/** Whether so many belong to these subtrees that walking is quicker than collecting; the counts are kept by the database. */
export const crowded = (ids: readonly string[]): Condition =>
  sql`(select coalesce(sum(n.people), 0) > 20000 from app.chapter_counts n where n.chapter_id = any (${below(ids)}))`

/** The chapters that everybody in the list must belong to, where the filter says so in a group of its own. */
export function chaptersOf(filter: Filter | undefined): string[] | undefined {
  for (const { or } of filter?.and ?? []) {
    const [only] = or
    if (or.length === 1 && only?.field === 'chapter' && (only.op === 'is' || only.op === 'in')) {
      return (Array.isArray(only.value) ? only.value : [only.value]).map(String)
    }
  }
  return undefined
}

const holds = (condition: Condition, current: boolean): Condition => sql`p.id in (select h.person_id from app.position_holders h
  join app.positions s on s.org_id = h.org_id and s.id = h.position_id where ${condition} ${current ? sql`and ${isCurrent('h')}` : sql``})`

const inGroups = (condition: Condition | null): Condition => sql`p.id in (select m.person_id from app.group_members m
  where m.status = 'active' and ${isCurrent('m')} and ${condition ?? sql`true`})`

const tagged = (condition: Condition | null): Condition =>
  sql`p.id in (select t.person_id from app.person_tags t where ${condition ?? sql`true`})`

const contact = (condition: Condition): Condition => sql`p.id in (select k.person_id from app.person_contacts k where ${condition})`
// One town has few people among many: collecting them beats walking along everybody until a page of them is met.
const inTown = textField(sql`k.city`)
const anyTown = relatedText(inTown, contact)
const town: FilterField = {
  ...anyTown,
  where: (op, value, refuse) =>
    op === 'is'
      ? sql`p.id = any (array(select k.person_id from app.person_contacts k where ${inTown.where('is', value, refuse)}))`
      : anyTown.where(op, value, refuse),
}

const hasEmail: Condition = sql`exists (select from app.person_emails e where e.org_id = p.org_id and e.person_id = p.id)`
const hasPhone: Condition = sql`exists (select from app.person_phones f where f.org_id = p.org_id and f.person_id = p.id)`

const affiliationKind = choiceField(sql`a.kind`, peopleFilterFields.affiliationKind.options)

const filtersFor = (form: ChapterForm): Readonly<Record<PeopleFilterField, FilterField>> => ({
  lifecycle: choiceField(sql`p.lifecycle`, peopleFilterFields.lifecycle.options),
  chapter: relationField(
    (ids) => inChapters(ids, form),
    (ids) => subtree(ids, form),
  ),
  homeChapter: relationField(
    (ids) => ids ?? sql`p.home_chapter_id is not null`,
    (ids) => sql`coalesce(p.home_chapter_id = any (${ids}::uuid[]), false)`,
  ),
  affiliationKind: {
    ops: affiliationKind.ops,
    where: (op, value, refuse) => {
      const wanted = op === 'is' || op === 'in'
      const found = inChapters(affiliationKind.where('in', value, refuse), form === 'set' ? 'join' : form)
      return wanted ? found : sql`not ${found}`
    },
  },
  tag: relationField(
    (ids) => tagged(ids),
    (ids) => sql`t.tag_id = any (${ids}::uuid[])`,
  ),
  position: relatedText(textField(sql`s.title`), (condition) => holds(condition, true)),
  positionEver: relatedText(textField(sql`s.title`), (condition) => holds(condition, false)),
  group: relationField(
    (ids) => inGroups(ids),
    (ids) => sql`m.group_id = any (${ids}::uuid[])`,
  ),
  groupTitle: relatedText(textField(sql`m.title`), inGroups),
  name: textField(sql`p.display_name`),
  memberNo: textField(sql`p.member_no`),
  employer: textField(sql`p.employer`),
  jobTitle: textField(sql`p.job_title`),
  city: town,
  country: relatedText(textField(sql`k.country`), contact),
  email: relatedText(
    textField(sql`e.address`, sql`e.address_key`),
    (condition) => sql`p.id in (select e.person_id from app.person_emails e where ${condition})`,
  ),
  joinedOn: dateField(sql`p.joined_on`),
  createdAt: dateField(sql`p.created_at`),
  updatedAt: dateField(sql`p.updated_at`),
  gradYear: numberField(sql`p.grad_year`),
  hasEmail: flagField(hasEmail),
  hasPhone: flagField(hasPhone),
  doNotContact: flagField(sql`p.do_not_contact`),
  archived: flagField(sql`(p.deleted_at is not null)`),
  ...standingFilters(form),
  dues: duesFilter,
  ...givingFilters,
})
const peopleFilters = filtersFor('join')
const forms: Record<ChapterForm, typeof peopleFilters> = { join: peopleFilters, walk: filtersFor('walk'), set: filtersFor('set') }
/** What people are filtered by, with these fields of the organisation. */
export const peopleFiltersIn = (form: ChapterForm, fields: readonly Field[] = []): FilterCatalogue =>
  fields.length === 0 ? forms[form] : { ...forms[form], ...fieldFilters('people', fields, 'p.org_id', 'p.id', form) }

/** Archived people are part of a list only when its filter speaks of them. */
export const speaksOfArchived = (filter: Filter | undefined) =>
  filter?.and.some(({ or }) => or.some(({ field }) => field === 'archived')) ?? false
