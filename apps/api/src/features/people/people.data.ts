import type { NewPerson, Person, PersonChange } from '@guildhall/contract/features/people'
import type { ActorDb } from '@guildhall/db'
import { readFilter } from '../../platform/lists/filters.ts'
import { cursorsFor } from '../../platform/lists/keyset.ts'
import { readOne } from '../../platform/records/statement.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import type { CallerContext } from '../../platform/procedures/context.ts'
import { fieldsAsked, saveFields } from '../fields/fields.public.ts'
import { audiencesQuery } from './rights/people.audiences.queries.ts'
import { cards } from './cards/people.cards.data.ts'
import { duplicatesQuery } from './list/people.duplicates.queries.ts'
import { archivedFault, homeChapterFault, known, memberNoFault, refuseClosed, sayingFields } from './people.faults.rules.ts'
import { historyQuery } from './people.history.queries.ts'
import { readPeoplePage } from './list/people.list.data.ts'
import { summaryQuery } from './list/people.list.queries.ts'
import { memberships } from './memberships/people.memberships.data.ts'
import { addMembership } from './memberships/people.memberships.queries.ts'
import { neighboursQuery } from './list/people.neighbours.queries.ts'
import {
  archivePerson,
  findPerson,
  holdingsQuery,
  insertPerson,
  isOfficeNow,
  mayWriteEverywhere,
  overviewQuery,
  personQuery,
  restorePerson,
  updatePerson,
} from './people.queries.ts'
import { publicNames } from './rights/people.names.data.ts'
import { reach } from './rights/people.reach.data.ts'
import { addEntry, saveContact, saveOfficeNote, savePrivate } from './rights/people.reach.queries.ts'
import { normalPhone, readOrder } from './people.rules.ts'
import { countTags } from '../tags/tags.public.ts'
import { tagging } from './tags/people.tags.data.ts'
import { setTags } from './tags/people.tags.queries.ts'

const { people } = data

export const peopleData = people.router({
  list: people.list.handler(({ input, context }) => readPeoplePage(context, input)),

  summary: people.summary.handler(async ({ input, context }) => {
    const [row] = await context.read(
      summaryQuery({ q: input.q, filter: readFilter(input.filter), fields: await fieldsAsked(context, 'people', [input.filter]) }),
    )
    return row ?? { lifecycles: [], joins: [] }
  }),

  duplicates: people.duplicates.handler(async ({ input, context }) => {
    const [row] = await context.read(duplicatesQuery({ ...input, ...(input.phone ? { phone: normalPhone(input.phone) } : {}) }))
    if (!row?.may) throw problem('FORBIDDEN')
    return { items: row.items }
  }),

  create: people.create.handler(({ input, context }) => sayingFields(() => context.inTx((db) => createPerson(db, context, input)))),

  get: people.get.handler(async ({ input, context }) => {
    const [row] = await context.read(personQuery(input.personId))
    return known(row?.person)
  }),

  overview: people.overview.handler(async ({ input, context }) => {
    const row = await readOne(context, overviewQuery(input.personId))
    known(row.person)
    return row
  }),

  update: people.update.handler(({ input: { personId, ...change }, context }) =>
    sayingFields(() =>
      context.inTx(async (db) => {
        const before = mustFind(await findPerson(db, personId))
        checkChange(before, change)
        if (before.archivedAt) throw problem('CONFLICT', archivedFault)
        const { fields, ...facts } = change
        const after = await updatePerson(db, personId, context.ifMatch, facts, fields !== undefined)
        if (!fields) return after
        await saveFields(db, { type: 'people', orgId: context.actor.orgId, recordId: personId }, fields)
        return present(await findPerson(db, personId))
      }),
    ),
  ),

  archive: people.archive.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findPerson(db, input.personId))
      refuseClosed(before)
      if (before.may.edit && !before.may.archive) throw problem('FORBIDDEN', homeChapterFault('archivedAt'))
      if (before.archivedAt) return
      if (!before.may.archive || !(await archivePerson(db, input.personId))) throw problem('FORBIDDEN')
    }),
  ),

  restore: people.restore.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findPerson(db, input.personId))
      refuseClosed(before)
      if (before.may.edit && !before.may.archive) throw problem('FORBIDDEN', homeChapterFault('archivedAt'))
      if (!before.archivedAt) return before
      if (!(await restorePerson(db, input.personId))) {
        throw problem('CONFLICT', {
          reason: 'restore_too_late',
          detail: 'People can be restored for 30 days after they were archived.',
          params: { days: 30 },
        })
      }
      return present(await findPerson(db, input.personId))
    }),
  ),

  neighbours: people.neighbours.handler(async ({ input, context }) => {
    const fields = await fieldsAsked(context, 'people', [input.sort, input.filter])
    const list = { q: input.q, filter: readFilter(input.filter), order: readOrder(input.sort, fields), fields }
    const [row] = await context.read(neighboursQuery(input.personId, list))
    const { previous, next } = known(row)
    return { previous, next }
  }),

  audiences: people.audiences.handler(async ({ context }) => ({ items: await context.read(audiencesQuery()) })),

  history: people.history.handler(async ({ input: { personId, cursor, limit = 50, entity }, context }) => {
    const cursors = cursorsFor(context.services.config.ACTOR_KEY, [context.actor.orgId, 'person-history', personId, entity ?? null])
    const before = cursor === undefined ? undefined : Number(cursors.decode(cursor)[0])
    const row = known((await context.read(historyQuery(personId, { before, entity }, limit + 1)))[0])
    const items = row.items.slice(0, limit)
    const last = items.at(-1)
    return { items, nextCursor: row.items.length > limit && last ? cursors.encode([last.seq]) : null }
  }),

  positions: people.positions.handler(async ({ input, context }) => {
    const [row] = await context.read(holdingsQuery(input.personId))
    return { items: known(row).items }
  }),

  ...memberships,
  ...reach,
  ...publicNames,
  ...cards,
  ...tagging,
})

/** A person with everything known of them, or nothing at all. */
async function createPerson(db: ActorDb, { actor }: CallerContext, input: NewPerson): Promise<Person> {
  const {
    chapterId,
    affiliationKind,
    startsOn,
    emails = [],
    phones = [],
    contact,
    private: sensitive,
    officeNote,
    tagIds = [],
    fields = {},
    ...facts
  } = input
  if (!chapterId && !(await mayWriteEverywhere(db))) {
    throw problem('UNPROCESSABLE_CONTENT', fault('chapterId', 'chapter_needed', 'Choose a chapter of yours.'))
  }
  if (tagIds.length > 0 && (await countTags(db, tagIds)) !== new Set(tagIds).size) {
    throw problem('UNPROCESSABLE_CONTENT', fault('tagIds', 'tag_not_found', 'One of the tags is not there any more.'))
  }
  if (facts.memberNo && !(await isOfficeNow(db))) throw problem('FORBIDDEN', memberNoFault)
  const personId = await insertPerson(db, actor, facts)
  if (chapterId)
    await addMembership(db, actor.orgId, personId, {
      chapterId,
      kind: affiliationKind ?? 'member',
      isPrimary: true,
      ...(startsOn ? { startsOn } : {}),
    })
  for (const { address, ...email } of primaryFirst(emails)) await addEntry(db, 'email', actor.orgId, personId, { ...email, value: address })
  for (const { number, ...phone } of primaryFirst(phones))
    await addEntry(db, 'phone', actor.orgId, personId, { ...phone, value: normalPhone(number) })
  if (contact) await saveContact(db, actor.orgId, personId, contact)
  if (sensitive) await savePrivate(db, actor.orgId, personId, sensitive)
  if (officeNote) await saveOfficeNote(db, actor.orgId, personId, officeNote)
  if (tagIds.length > 0) await setTags(db, actor.orgId, personId, tagIds)
  await saveFields(db, { type: 'people', orgId: actor.orgId, recordId: personId, isNew: true }, fields)
  return present(await findPerson(db, personId))
}

/** What the state of a record, its home chapter and the office leave to be changed. */
function checkChange(before: Person, { lifecycle, memberNo }: PersonChange): void {
  const revived = before.lifecycle === 'deceased' && lifecycle !== undefined && lifecycle !== 'deceased'
  if (!revived) refuseClosed(before)
  const mayChange = before.may.edit || before.may.editSelf || revived
  const renumbers = memberNo !== undefined && (memberNo || null) !== before.memberNo
  if (renumbers && mayChange && !revived && !before.may.setMemberNo) throw problem('FORBIDDEN', memberNoFault)
  const ends = lifecycle !== undefined && lifecycle !== before.lifecycle && (revived || lifecycle === 'former' || lifecycle === 'deceased')
  if (ends && mayChange && !before.may.decide) throw problem('FORBIDDEN', homeChapterFault('lifecycle'))
}

const primaryFirst = <Entry extends { isPrimary?: boolean | undefined }>(entries: readonly Entry[]) =>
  entries
    .toSorted((a, b) => Number(b.isPrimary ?? false) - Number(a.isPrimary ?? false))
    .map((entry, i) => ({ ...entry, isPrimary: i === 0 }))

function present(person: Person | undefined): Person {
  if (!person) throw new Error('A person who was just written is not there to read.')
  return person
}
