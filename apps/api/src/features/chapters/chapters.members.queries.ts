import type { ChapterMember, ChapterMembersInput, Officer } from '@guildhall/contract/features/chapters'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { chapterRef, isCurrent, whenOf } from '../../platform/json-refs.ts'
import type { List } from '../../platform/list-page.ts'
import { officerItem, officersFrom } from './chapters.queries.ts'

const memberItem = sql<ChapterMember>`json_build_object('id', a.id,
  'person', json_build_object('id', p.id, 'displayName', p.display_name, 'memberNo', p.member_no, 'gradYear', p.grad_year),
  'chapter', ${chapterRef('c')}, 'kind', a.kind, 'startsOn', a.starts_on, 'endsOn', a.ends_on, 'isPrimary', a.is_primary, 'when', ${whenOf('a')},
  'primaryEmail', (select e.address from app.person_emails e where e.org_id = p.org_id and e.person_id = p.id and e.is_primary), 'version', a.version)`

/** Who belongs (or belonged) to a chapter, or to it and everything below; archived people are left out. */
export function chapterMembersList({ chapterId, q, subtree, kind, when }: z.infer<typeof ChapterMembersInput>): List<ChapterMember> {
  const where: RawBuilder<SqlBool>[] = [
    subtree
      ? sql`a.chapter_id = any (array(select x.chapter_id from app.chapter_ancestors x where x.ancestor_id = ${chapterId}))`
      : sql`a.chapter_id = ${chapterId}`,
    when === 'former' ? sql`a.ends_on < (select app.today())` : sql`${isCurrent('a')}`,
    sql`p.deleted_at is null`,
  ]
  if (kind) where.push(sql`a.kind = ${kind}`)
  if (q?.trim()) where.push(sql`p.id in (select m.id from app.matching_people(${q.trim()}) m)`)
  return {
    key: ['chapter-members', chapterId, q?.trim() ?? '', subtree ?? false, kind ?? null, when ?? 'current'],
    item: memberItem,
    from: sql`from app.affiliations a
      join app.people p on p.org_id = a.org_id and p.id = a.person_id
      join app.chapters c on c.org_id = a.org_id and c.id = a.chapter_id`,
    where,
    order: [sql`p.sort_name`, sql`a.id`],
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
