import type { ChapterMember, ChapterMembersInput, Officer } from '@guildhall/contract/features/chapters'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { chapterRef, isCurrent, whenOf } from '../../platform/lists/json-refs.ts'
import { countLimit } from '../../platform/lists/keyset.ts'
import { statement } from '../../platform/records/statement.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { anybodyFound } from '../../platform/lists/person-match.ts'
import type { PersonMatch } from '../../platform/lists/person-match.ts'
import { officerItem, officersFrom } from './chapters.queries.ts'

const memberItem = sql<ChapterMember>`json_build_object('id', a.id,
  'person', json_build_object('id', p.id, 'displayName', p.display_name, 'pictureId', p.picture_id, 'memberNo', p.member_no, 'gradYear', p.grad_year),
  'chapter', ${chapterRef('c')}, 'kind', a.kind, 'startsOn', a.starts_on, 'endsOn', a.ends_on, 'isPrimary', a.is_primary, 'when', ${whenOf('a')},
  'primaryEmail', (select e.address from app.person_emails e where e.org_id = p.org_id and e.person_id = p.id and e.is_primary), 'version', a.version)`

type Members = z.infer<typeof ChapterMembersInput>

/** How many live memberships there are in a chapter or below; null for a chapter that is not there. */
export const membersSizeQuery = ({ chapterId, subtree, kind }: Members) => {
  const here = subtree
    ? sql`n.chapter_id in (select x.chapter_id from app.chapter_ancestors x where x.ancestor_id = ${chapterId})`
    : sql`n.chapter_id = ${chapterId}`
  return statement(sql<{ size: number | null }>`
    select case when exists (select from app.chapters c where c.id = ${chapterId}) then
      (select coalesce(sum(n.people), 0)::int from app.chapter_counts n where ${here} ${kind ? sql`and n.kind = ${kind}` : sql``}) end as size`)
}

/** From so many on it pays to walk along the names until a page is full, instead of collecting all and sorting them. */
const many = 3_000

/** Who belongs (or belonged) to a chapter, or to it and everything below; archived people are left out. */
export function chapterMembersList({ chapterId, q, subtree, kind, when }: Members, size: number, match?: PersonMatch): List<ChapterMember> {
  const words = q?.trim() ?? ''
  const here: RawBuilder<SqlBool> = subtree
    ? sql`exists (select from app.chapter_ancestors x where x.ancestor_id = ${chapterId} and x.chapter_id = a.chapter_id)`
    : sql`a.chapter_id = ${chapterId}`
  const dated: RawBuilder<SqlBool>[] = [when === 'former' ? sql`a.ends_on < (select app.today())` : sql`${isCurrent('a')}`]
  if (kind) dated.push(sql`a.kind = ${kind}`)
  const searched = words ? [match?.fits ?? anybodyFound(words)] : []
  const alongNames = words ? size > 2 * countLimit && (match?.isFar ?? false) : size >= many
  return {
    key: ['chapter-members', chapterId, words, subtree ?? false, kind ?? null, when ?? 'current'],
    item: memberItem,
    from: alongNames
      ? // offset 0 keeps the planner from turning the walk round; which chapter is asked outside it, or it would look into each of them.
        sql`from app.people p cross join lateral (select a.* from app.affiliations a where a.org_id = p.org_id and a.person_id = p.id
            and ${sql.join(dated, sql` and `)} offset 0) a
          join app.chapters c on c.org_id = a.org_id and c.id = a.chapter_id`
      : sql`from app.affiliations a join app.people p on p.org_id = a.org_id and p.id = a.person_id
          join app.chapters c on c.org_id = a.org_id and c.id = a.chapter_id`,
    where: [...searched, here, ...(alongNames ? [] : dated), sql`p.deleted_at is null`],
    order: [sql`p.sort_name`, sql`p.id`, sql`a.id`],
    ...(words && !alongNames && { once: sql`a.id` }),
    uncountable: words === '' && when !== 'former' && size > 2 * countLimit,
  }
}

type Terms = { chapterId: string; when?: 'current' | 'upcoming' | 'history' | undefined; q?: string | undefined }

/** Terms of office of a chapter: current by office, upcoming by start, history by end with the newest first. */
export function officersList({ chapterId, when = 'current', q }: Terms): List<Officer> {
  const today = sql`(select app.today())`
  const by = {
    current: { where: isCurrent('h'), order: [sql`s.title_key`, sql`p.sort_name`, sql`h.id`], descending: false },
    upcoming: { where: sql<SqlBool>`h.starts_on > ${today}`, order: [sql`h.starts_on`, sql`s.title_key`, sql`h.id`], descending: false },
    history: { where: sql<SqlBool>`h.ends_on < ${today}`, order: [sql`h.ends_on`, sql`h.starts_on`, sql`h.id`], descending: true },
  }[when]
  const where: RawBuilder<SqlBool>[] = [sql`s.chapter_id = ${chapterId}`, by.where]
  if (q?.trim())
    where.push(
      sql`(app.fold(s.title) like app.like_pattern(app.fold(${q.trim()})) or p.search like app.like_pattern(app.fold(${q.trim()})))`,
    )
  return {
    key: ['officers', chapterId, when, q?.trim() ?? ''],
    item: officerItem,
    from: officersFrom,
    where,
    order: by.order,
    descending: by.descending,
  }
}
