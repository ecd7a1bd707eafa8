import { issueLink } from '../../platform/links/signed-links.ts'
import { readFilter } from '../../platform/lists/filters.ts'
import { listPage } from '../../platform/lists/list-page.ts'
import { readOne } from '../../platform/records/statement.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { growthQuery } from './chapters.growth.queries.ts'
import { fieldsAsked, saveFields } from '../fields/fields.public.ts'
import { chaptersList } from './chapters.list.queries.ts'
import { chapterMembersList, membersSizeQuery } from './chapters.members.queries.ts'
import { positions, officers } from './chapters.positions.data.ts'
import { chapterQuery, treeQuery } from './chapters.queries.ts'
import { rollUp } from './chapters.rules.ts'
import {
  chapterState,
  closeChapter,
  codeTaken,
  findChapter,
  insertChapter,
  lockForClosing,
  reopenChapter,
  updateChapter,
} from './chapters.writes.queries.ts'

const { chapters } = data

export const chaptersData = chapters.router({
  tree: chapters.tree.handler(async ({ input, context }) => {
    const nodes = rollUp(await context.read(treeQuery()))
    return { items: input.closed ? nodes : nodes.filter(({ status }) => status !== 'closed') }
  }),

  list: chapters.list.handler(async ({ input, context }) => {
    const fields = await fieldsAsked(context, 'chapters', [input.filter, input.sort])
    return listPage(context, chaptersList({ ...input, filter: readFilter(input.filter), fields }), input)
  }),

  get: chapters.get.handler(async ({ input, context }) => {
    const row = await readOne(context, chapterQuery(input.chapterId))
    return row.chapter
  }),

  growth: chapters.growth.handler(({ input, context }) => readOne(context, growthQuery(input.chapterId))),

  create: chapters.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      if (input.parentId) {
        const parent = await chapterState(db, input.parentId)
        if (!parent) throw problem('UNPROCESSABLE_CONTENT', fault('parentId', 'parent_not_found', 'There is no such chapter.'))
        if (parent.status === 'closed') throw problem('CONFLICT', closedParentFault(parent.name))
      }
      if (await codeTaken(db, input.code, null)) throw problem('CONFLICT', codeFault(input.code))
      const { fields = {}, ...facts } = input
      const id = await insertChapter(db, context.actor.orgId, facts)
      await saveFields(db, { type: 'chapters', orgId: context.actor.orgId, recordId: id, isNew: true }, fields)
      return mustFind(await findChapter(db, id))
    }),
  ),

  update: chapters.update.handler(({ input: { chapterId, ...change }, context }) =>
    context.inTx(async (db) => {
      if (change.status && (await chapterState(db, chapterId))?.status === 'closed') {
        throw problem('CONFLICT', fault('status', 'chapter_reopen_first', 'This chapter is closed. Reopen it first.'))
      }
      if (change.code && (await codeTaken(db, change.code, chapterId))) throw problem('CONFLICT', codeFault(change.code))
      const { fields, ...facts } = change
      const after = await updateChapter(db, { chapterId, version: context.ifMatch }, facts, fields !== undefined)
      if (!fields) return after
      await saveFields(db, { type: 'chapters', orgId: context.actor.orgId, recordId: chapterId }, fields)
      return mustFind(await findChapter(db, chapterId))
    }),
  ),

  move: chapters.move.handler(({ input: { chapterId, parentId }, context }) =>
    context.inTx(async (db) => {
      const chapter = mustFind(await findChapter(db, chapterId))
      // Asked before anything else: putting a chapter where it stands already would pass the database's guard.
      if (!chapter.may.manage) throw problem('FORBIDDEN')
      const parent = parentId ? await chapterState(db, parentId) : undefined
      if (parentId && !parent) throw problem('UNPROCESSABLE_CONTENT', fault('parentId', 'parent_not_found', 'There is no such chapter.'))
      if (parentId === chapterId) {
        throw problem('UNPROCESSABLE_CONTENT', fault('parentId', 'chapter_own_parent', 'A chapter cannot be its own parent.'))
      }
      if (parent?.status === 'closed') throw problem('CONFLICT', closedParentFault(parent.name))
      return updateChapter(db, { chapterId, version: context.ifMatch }, { parentId })
    }),
  ),

  close: chapters.close.handler(({ input: { chapterId, closedOn }, context }) =>
    context.inTx(async (db) => {
      const version = context.ifMatch
      const living = await lockForClosing(db, { chapterId, version })
      const chapter = mustFind(await findChapter(db, chapterId))
      if (!chapter.may.manage) throw problem('FORBIDDEN')
      if (living.status === 'closed')
        throw problem('CONFLICT', { reason: 'chapter_already_closed', detail: 'This chapter is already closed.' })
      const { subchapters, people } = living
      if (subchapters + people > 0) {
        const detail = `${counted(subchapters, 'open sub-chapter', 'open sub-chapters')} and ${counted(people, 'person', 'people')} still belong to it; move them first.`
        throw problem('CONFLICT', { reason: 'chapter_in_use', detail, params: { subchapters, people } })
      }
      return closeChapter(db, { chapterId, version }, closedOn)
    }),
  ),

  reopen: chapters.reopen.handler(({ input: { chapterId }, context }) =>
    context.inTx(async (db) => {
      const chapter = mustFind(await findChapter(db, chapterId))
      if (chapter.status !== 'closed') throw problem('CONFLICT', { reason: 'chapter_open', detail: 'This chapter is open.' })
      if (chapter.parent && (await chapterState(db, chapter.parent.id))?.status === 'closed') {
        throw problem('CONFLICT', closedParentFault(chapter.parent.name))
      }
      return reopenChapter(db, { chapterId, version: context.ifMatch })
    }),
  ),

  previewPage: chapters.previewPage.handler(({ input: { chapterId }, context }) =>
    context.inTx(async (db) => {
      const chapter = mustFind(await findChapter(db, chapterId))
      if (!chapter.may.edit) throw problem('FORBIDDEN')
      const expiresAt = new Date(Date.now() + 3_600_000)
      const { path } = await issueLink(db, {
        purpose: 'chapter-previews',
        subject: { type: 'chapter', id: chapterId },
        expiresAt,
        uses: 'many',
      })
      return { path, expiresAt: expiresAt.toISOString() }
    }),
  ),

  members: chapters.members.handler(async ({ input, context }) => {
    const [found] = await context.read(membersSizeQuery(input))
    // An empty page of a chapter that is not there would look like an empty chapter.
    if (typeof found?.size !== 'number') throw problem('NOT_FOUND')
    return listPage(context, chapterMembersList(input, found.size, await context.findPeople(context, input.q?.trim())), input)
  }),

  officers,
  positions,
})

const codeFault = (code: string) => fault('code', 'chapter_code_taken', `Another chapter has the code ${code}.`, { params: { code } })
const closedParentFault = (chapter: string) =>
  fault('parentId', 'parent_closed', `${chapter} is closed. Reopen it first.`, { params: { chapter } })
const counted = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`
