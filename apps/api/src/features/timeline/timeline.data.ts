import { cursorsFor } from '../../platform/lists/keyset.ts'
import { mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { timelineQuery } from './timeline.queries.ts'

const { timeline } = data

export const timelineData = timeline.router({
  ofPerson: timeline.ofPerson.handler(async ({ input: { personId, category, cursor, limit = 50 }, context }) => {
    const cursors = cursorsFor(context.services.config.ACTOR_KEY, [context.actor.orgId, 'timeline', personId, category ?? null])
    const after = cursor === undefined ? null : cursors.decode(cursor)
    const { lifecycle, items } = mustFind((await context.read(timelineQuery(personId, category, after, limit + 1)))[0])
    if (lifecycle === 'erased') throw problem('GONE', { reason: 'person_erased', detail: 'This person was erased.' })
    const page = items.slice(0, limit)
    const last = page.at(-1)
    return {
      items: page.map(({ moment: _, ...entry }) => entry),
      nextCursor: items.length > limit && last ? cursors.encode([last.moment, last.kind, last.id]) : null,
    }
  }),
})
