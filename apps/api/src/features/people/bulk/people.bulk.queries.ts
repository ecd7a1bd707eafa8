import type { BulkChange } from '@guildhall/contract/features/people'
import type { FieldBulkChange } from '@guildhall/contract/features/fields'
import type { Selection } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { filterWhere } from '../../../platform/lists/filters.ts'
import type { BulkTargets } from '../../../platform/lists/bulk.ts'
import { isCurrent, mayInChapter } from '../../../platform/lists/json-refs.ts'
import { notInGroup } from '../../groups/groups.bulk.public.ts'
import { fieldsOfFilter, fieldTargets } from '../../fields/fields.public.ts'
import { heldDiffers, mayChangeHeld, whyNotRenewed } from '../../membership/membership.bulk.public.ts'
import { peopleFiltersIn } from '../list/people.filters.queries.ts'
import { peopleWhere } from '../list/people.list.queries.ts'
import { isLasting, isMyself, isOpen, mayDecide, mayWrite } from '../rights/people.rights.queries.ts'

type Condition = RawBuilder<SqlBool>
type OwnChange = Exclude<BulkChange, FieldBulkChange>

/** The people a selection means, as a condition on `p`. Archived ones are never part of it. */
async function selected(db: ActorDb, selection: Selection): Promise<Condition> {
  const fields = await fieldsOfFilter(db, 'people', 'all' in selection ? selection.all.filter : undefined)
  const chosen =
    'ids' in selection
      ? sql<SqlBool>`p.id = any (${selection.ids}::uuid[])`
      : sql<SqlBool>`(${peopleWhere({ ...selection.all, fields })} and p.id <> all (${selection.except}::uuid[]))`
  return sql`(${chosen} and p.deleted_at is null)`
}

/** Whom a change is for: those whom it would make different. */
function wouldChange(change: OwnChange): Condition {
  switch (change.do) {
    case 'tag':
      return sql`not exists (select from app.person_tags t where t.tag_id = ${change.tagId} and t.person_id = p.id)`
    case 'untag':
      return sql`exists (select from app.person_tags t where t.tag_id = ${change.tagId} and t.person_id = p.id)`
    case 'addToGroup':
      return notInGroup('p.id', change.groupId)
    case 'lifecycle':
      return sql`(p.lifecycle <> ${change.lifecycle})`
    case 'affiliate':
      return sql`not exists (select from app.affiliations x where x.chapter_id = ${change.chapterId} and x.person_id = p.id and x.kind = ${change.kind}
        and (${isCurrent('x')} or x.starts_on = coalesce(${change.startsOn ?? null}::date, (select app.today()))))`
    case 'stopAutoRenew':
    case 'renew':
      return heldDiffers(change)
    case 'archive':
      return sql`true`
  }
}

/** Adding to a group is a right over the group, checked once; everything else is a right over the person. Read-only records are nobody's to change. */
function mayBulk(change: OwnChange): Condition {
  switch (change.do) {
    case 'addToGroup':
      return isOpen
    case 'stopAutoRenew':
    case 'renew':
      return sql`(${isOpen} and ${mayChangeHeld})`
    case 'archive':
      return sql`(${isOpen} and ${mayDecide})`
    case 'lifecycle':
      if (change.lifecycle === 'deceased') return sql`(${isLasting} and ${mayDecide} and not ${isMyself})`
      return change.lifecycle === 'former'
        ? sql`(${isLasting} and ${mayDecide})`
        : sql`((${isOpen} and ${mayWrite}) or (p.lifecycle = 'deceased' and ${mayDecide}))`
    default:
      return sql`(${isOpen} and ${mayWrite})`
  }
}

/** Whom a selection means, and what a change would be for each. */
export const peopleTargets = async (db: ActorDb, selection: Selection, change: BulkChange): Promise<BulkTargets> => ({
  from: sql`from app.people p`,
  id: sql`p.id`,
  name: sql`p.display_name`,
  sort: sql`p.sort_name`,
  where: await selected(db, selection),
  why: change.do === 'renew' ? whyNotRenewed : undefined,
  ...('fieldId' in change ? await fieldOf(db, change) : { may: mayBulk(change), differs: wouldChange(change) }),
})

async function fieldOf(db: ActorDb, change: FieldBulkChange): Promise<Pick<BulkTargets, 'may' | 'differs'>> {
  const { may, differs } = await fieldTargets(db, 'people', change)
  return { may: sql`(${isOpen} and ${may})`, differs }
}

/** What must be there for a change to make sense; nothing when it is, else what is missing. */
export async function missingOf(db: ActorDb, change: BulkChange): Promise<'tag' | 'chapter' | 'right' | undefined> {
  if (change.do === 'tag' || change.do === 'untag') {
    return (await db.selectFrom('app.tags').select('id').where('id', '=', change.tagId).executeTakeFirst()) ? undefined : 'tag'
  }
  if (change.do !== 'affiliate') return undefined
  const { rows } = await sql<{
    may: boolean
  }>`select ${mayInChapter('people.write', sql`c.id`)} as may from app.chapters c where c.id = ${change.chapterId} and c.status <> 'closed'`.execute(
    db,
  )
  const [chapter] = rows
  return !chapter ? 'chapter' : chapter.may ? undefined : 'right'
}

/** Refuses a filter that names unknown fields before any work is queued. */
export async function checkSelection(db: ActorDb, selection: Selection): Promise<void> {
  if (!('all' in selection)) return
  const { filter } = selection.all
  filterWhere(filter, peopleFiltersIn('join', await fieldsOfFilter(db, 'people', filter)))
}
