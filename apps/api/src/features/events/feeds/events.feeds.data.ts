import type { CalendarFeed } from '@guildhall/contract/features/events.feeds'
import type { ActorDb } from '@guildhall/db'
import { hashOf, tokenFromId } from '../../../platform/links/signed-links.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { newId } from '../../../platform/records/new-id.ts'
import { mustSeeChapter } from '../../chapters/chapters.references.public.ts'
import { mustSeeGroup } from '../../groups/groups.references.public.ts'
import { endFeed, findFeed, findFeeds, insertFeed, mayPublish } from './events.feeds.queries.ts'
import type { FeedKind, FeedPlace, StoredFeed } from './events.feeds.queries.ts'

const { feeds } = data.events

export const eventsFeeds = feeds.router({
  list: feeds.list.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const place = placeOf(input)
      const found = await findFeeds(db, place)
      const shown = (isPublic: boolean) => {
        const feed = found.find((one) => one.isPublic === isPublic)
        return feed ? shownOf(context, feed) : null
      }
      return {
        own: shown(false),
        public: shown(true),
        may: { publish: place.kind !== 'personal' && (await mayPublish(db, place)) },
      }
    }),
  ),

  create: feeds.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const place = placeOf(input)
      await mustSeeChapter(db, place.chapterId)
      await mustSeeGroup(db, place.groupId)
      const isPublic = input.audience === 'public'
      const there = async () => (await findFeeds(db, place)).find((one) => one.isPublic === isPublic)
      const found = await there()
      if (found) return shownOf(context, found)
      if (isPublic && !(await mayPublish(db, place))) throw problem('FORBIDDEN')
      await add(db, context, place, isPublic)
      return shownOf(context, mustFind(await there()))
    }),
  ),

  reset: feeds.reset.handler(({ input: { feedId }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findFeed(db, feedId))
      if (before.isReset) throw problem('CONFLICT', resetAlready)
      if (before.isPublic && !(await mayPublish(db, before))) throw problem('FORBIDDEN')
      if (!(await endFeed(db, feedId))) throw problem('CONFLICT', resetAlready)
      return shownOf(context, mustFind(await findFeed(db, await add(db, context, before, before.isPublic))))
    }),
  ),
})

const resetAlready = { reason: 'calendar_feed_reset', detail: 'This address was already reset. Reload to see the new one.' } as const

async function add(db: ActorDb, context: CallerContext, { kind, chapterId, groupId }: FeedPlace, isPublic: boolean): Promise<string> {
  const id = newId()
  await insertFeed(db, context.actor, { id, kind, chapterId, groupId, isPublic, secretHash: hashOf(tokenOf(context, id)) })
  return id
}

const tokenOf = ({ actor, services }: CallerContext, id: string) =>
  tokenFromId(services.config.ACTOR_KEY, 'calendar feed', { orgId: actor.orgId, id })

/** The address is made anew whenever it is shown, unless the key of the server was changed since: then it works, but cannot be shown. */
function shownOf(context: CallerContext, { id, isPublic, secretHash, createdAt }: StoredFeed): CalendarFeed {
  const token = tokenOf(context, id)
  const { PUBLIC_URL } = context.services.config
  return {
    id,
    audience: isPublic ? 'public' : 'own',
    address: hashOf(token) === secretHash ? new URL(`/public/calendars/${token}.ics`, PUBLIC_URL).href : null,
    createdAt,
  }
}

type Asked = { kind: FeedKind; chapterId?: string | undefined; groupId?: string | undefined; audience?: CalendarFeed['audience'] }
function placeOf({ kind, audience = 'own', ...asked }: Asked): FeedPlace {
  const place = { kind, chapterId: asked.chapterId ?? null, groupId: asked.groupId ?? null }
  for (const owner of ['chapter', 'group'] as const)
    if ((kind === owner) !== (place[`${owner}Id`] !== null))
      throw problem(
        'UNPROCESSABLE_CONTENT',
        fault(`${owner}Id`, 'calendar_feed_place', `The calendar of a ${owner} needs its ${owner}Id; others have none.`),
      )
  if (kind === 'personal' && audience === 'public')
    throw problem('UNPROCESSABLE_CONTENT', fault('audience', 'calendar_feed_personal', 'A personal calendar is never public.'))
  return place
}
