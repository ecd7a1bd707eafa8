import type { TaggedType } from '@guildhall/contract/features/lists'
import type { ActorDb } from '@guildhall/db'
import { newId } from '../../../platform/records/new-id.ts'
import type { RowChange } from '../../../platform/records/row-changes.ts'
import { carriedTags, recordTagsShape, removeUnusedTags, tagsByName, tagsInUse, tagsShape } from '../../tags/tags.public.ts'
import type { Effect } from './imports.changes.rules.ts'
import { headerOf, isRejected } from './imports.drafts.rules.ts'
import type { Draft } from './imports.drafts.rules.ts'
import { mayWrite } from './imports.fields.jobs.ts'
import { distinct } from './imports.kinds.rules.ts'
import type { ImportPlan, Planning } from './imports.kinds.rules.ts'
import { error, rejected } from './imports.plans.rules.ts'
import type { Planned } from './imports.plans.rules.ts'

/** The plan of a kind of records, with columns whose values become tags. */
export function withTags(type: TaggedType, plan: ImportPlan): ImportPlan {
  return {
    ...plan,
    tables: [tagsShape, ...plan.tables, recordTagsShape],
    shared: { ...plan.shared, tags: { removeUnused: removeUnusedTags, inUse: tagsInUse } },
    plan: async (planning, drafts) => {
      const planned = await plan.plan(planning, drafts)
      return planning.mapped.targets.includes('tag') ? planTags(type, planning, planned) : planned
    },
  }
}

/** The tags that some rows name; those that are not there yet come with the first row that is really written and carries them. */
export async function tagsOf(db: ActorDb, orgId: string, drafts: readonly Draft[]) {
  const known = await tagsByName(db, orgId, distinct(drafts.flatMap((draft) => draft.tags)))
  const missing = new Map<string, RowChange>()
  const names = new Map<string, string>()
  const tagIdOf = ({ table, key }: RowChange) => (table === 'person_tags' || table === 'record_tags' ? (key['tag_id'] ?? '') : '')
  const needed = (changes: readonly RowChange[]) => distinct(changes.map(tagIdOf)).flatMap((id) => missing.get(id) ?? [])
  return {
    isKnown: (name: string) => known.has(name.toLowerCase()),
    idOf(name: string): string {
      const id = known.get(name.toLowerCase()) ?? newId()
      if (!known.has(name.toLowerCase())) missing.set(id, { table: 'tags', key: { id }, before: null, after: { name } })
      known.set(name.toLowerCase(), id)
      names.set(id, name)
      return id
    },
    /** A change with the name of a tag that has no row yet. */
    named(change: RowChange): Effect {
      const name = names.get(tagIdOf(change))
      return name ? { ...change, shown: { tag_id: name } } : change
    },
    needed,
    /** The tags that these changes need, each given once. */
    take(changes: readonly RowChange[]): RowChange[] {
      const tags = needed(changes)
      for (const { key } of tags) missing.delete(key['id'] ?? '')
      return tags
    },
  }
}

async function planTags(type: TaggedType, planning: Planning, planned: readonly Planned[]): Promise<Planned[]> {
  const { db, orgId, mapped, reach } = planning
  // Of a row that is out already, all faults are told too.
  const open = planned.filter(({ outcome }) => outcome !== 'skip')
  const drafts = open.map(({ draft }) => draft)
  const tags = await tagsOf(db, orgId, drafts)
  const carried = await carriedTags(
    db,
    type,
    orgId,
    open.flatMap(({ outcome, entityId }) => (outcome !== 'create' && entityId ? [entityId] : [])),
  )
  const writes = reach.get('people.write')
  const mayMake = writes !== undefined && (writes.everywhere || writes.chapters.size > 0)
  const own = new Map<Planned, Effect[]>()
  for (const one of open) {
    const unknown = mayMake ? [] : one.draft.tags.filter((name) => !tags.isKnown(name))
    for (const tag of unknown)
      error(one.draft, 'unknown_tag', `There is no tag "${tag}".`, 'Use a tag that exists, or ask someone who edits people to create it.', {
        column: headerOf(mapped, 'tag'),
        value: tag,
        params: { tag },
      })
    const id = one.entityId
    if (id === null || isRejected(one.draft)) continue
    const present = carried.get(id)
    const effects = one.draft.tags.flatMap((name): Effect[] => {
      const tagId = tags.idOf(name)
      if (present?.has(tagId)) return []
      return [tags.named({ table: 'record_tags', key: { record_type: type, record_id: id, tag_id: tagId }, before: null, after: {} })]
    })
    if (effects.length > 0) own.set(one, effects)
  }
  if (planning.phase === 'check') {
    // Only the database knows which records stay as they are; a check tries it, and takes it back.
    const changed = [...own].filter(([{ outcome }]) => outcome !== 'create')
    const tried = (some: readonly Effect[]) => mayWrite(planning, [tagsShape, recordTagsShape], [...tags.needed(some), ...some])
    if (!(await tried(changed.flatMap(([, effects]) => effects))))
      for (const [{ draft }, effects] of changed)
        if (!(await tried(effects)))
          error(draft, 'not_allowed', 'The tags of this record are not yours to change.', 'Leave the column out, or ask an administrator.')
  }
  return planned.map((one) => {
    if (isRejected(one.draft)) return { ...rejected(one.draft), ...(one.label && { label: one.label }) }
    const effects = own.get(one)
    if (!effects) return one
    return {
      ...one,
      outcome: one.outcome === 'unchanged' ? 'update' : one.outcome,
      changes: [...tags.take(effects), ...one.changes, ...effects],
    }
  })
}
