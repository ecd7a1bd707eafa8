import { mustSeeMentioned } from '../../../platform/formatted-text/mentions.ts'
import { readFilter } from '../../../platform/lists/filters.ts'
import { listPage } from '../../../platform/lists/list-page.ts'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { mustSeePlace } from '../communication.places.queries.ts'
import {
  announcementOf,
  announcementQuery,
  announcementsList,
  changeAnnouncement,
  countReach,
  currentQuery,
  findAnnouncement,
  insertAnnouncement,
  noteRead,
  now,
  setAnnouncement,
} from './communication.announcements.queries.ts'
import { checkChange, startOf } from './communication.announcements.rules.ts'

const part = data.communication.announcements

export const announcements = part.router({
  list: part.list.handler(({ input, context }) =>
    listPage(context, announcementsList({ ...input, filter: readFilter(input.filter) }), input),
  ),
  current: part.current.handler(async ({ input, context }) => {
    const { items, ...rest } = await readOne(context, currentQuery(input))
    return { items: items.map(announcementOf), ...rest }
  }),
  reach: part.reach.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await mustSeePlace(db, input)
      const reached = await countReach(db, input)
      if (reached === null) throw problem('FORBIDDEN')
      return { reached }
    }),
  ),
  get: part.get.handler(async ({ input, context }) =>
    announcementOf((await readOne(context, announcementQuery(input.announcementId))).item),
  ),

  create: part.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await mustSeePlace(db, input)
      await mustSeeMentioned(db, 'body', input.body)
      return mustFind(await findAnnouncement(db, await insertAnnouncement(db, context.actor, input)))
    }),
  ),
  update: part.update.handler(({ input: { announcementId, ...change }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findAnnouncement(db, announcementId))
      if (!before.may.edit) throw problem('FORBIDDEN')
      checkChange(before, change)
      await mustSeePlace(db, change)
      await mustSeeMentioned(db, 'body', change.body, before.body)
      return changeAnnouncement(db, { announcementId, version: context.ifMatch }, change)
    }),
  ),

  publish: part.publish.handler(({ input: { announcementId, startsAt }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findAnnouncement(db, announcementId))
      if (!before.may.publish) throw problem('FORBIDDEN')
      const starts = startOf(before, startsAt, Date.now())
      const set = { starts_at: starts ?? now, ...(before.publishedAt === null && { published_at: now }) }
      return setAnnouncement(db, { announcementId, version: context.ifMatch }, set)
    }),
  ),
  unpublish: part.unpublish.handler(({ input: { announcementId }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findAnnouncement(db, announcementId))
      if (!before.may.publish) throw problem('FORBIDDEN')
      if (before.state !== 'scheduled')
        throw problem('CONFLICT', { reason: 'announcement_seen', detail: 'Only a scheduled announcement becomes a draft again.' })
      return setAnnouncement(db, { announcementId, version: context.ifMatch }, { published_at: null })
    }),
  ),
  end: part.end.handler(({ input: { announcementId }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findAnnouncement(db, announcementId))
      if (!before.may.publish) throw problem('FORBIDDEN')
      if (before.state !== 'shown')
        throw problem('CONFLICT', { reason: 'announcement_not_shown', detail: 'Only an announcement that is shown can be ended.' })
      return setAnnouncement(db, { announcementId, version: context.ifMatch }, { ends_at: now })
    }),
  ),
  archive: part.archive.handler(({ input: { announcementId }, context }) =>
    context.inTx((db) => setAnnouncement(db, { announcementId, version: context.ifMatch }, { archived_at: now })),
  ),
  restore: part.restore.handler(({ input: { announcementId }, context }) =>
    context.inTx((db) => setAnnouncement(db, { announcementId, version: context.ifMatch }, { archived_at: null })),
  ),

  read: part.read.handler(({ input: { announcementId, dismissed = false }, context }) =>
    context.inTx(async (db) => {
      if (await noteRead(db, announcementId, dismissed)) return
      // Who looks after an announcement sees it, and is not one of its readers for that.
      mustFind(await findAnnouncement(db, announcementId))
      throw problem('FORBIDDEN')
    }),
  ),
})
