import { EventBulkChange, copiesAtOnce } from '@guildhall/contract/features/events'
import type { ActorDb } from '@guildhall/db'
import { bulkList } from '../../../platform/lists/bulk.ts'
import type { BulkWork } from '../../../platform/lists/bulk.ts'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { copyEvent } from '../events.data.ts'
import { findEvent } from '../events.queries.ts'
import { weeksLater } from '../events.rules.ts'
import { startSeries } from '../series/events.series.queries.ts'
import {
  callerOf,
  countSelected,
  eventTargets,
  keepCopies,
  revertEventBulk,
  selectedEvents,
  setKept,
  setStatuses,
} from './events.bulk.queries.ts'

/** Changes of many events, for the job and its undo. People have been told of what was published or cancelled, so neither is undone. */
export const eventsBulk = bulkList({
  list: 'events',
  change: EventBulkChange,
  async check(db, selection, change) {
    selectedEvents(selection)
    if (change.do !== 'copy' || (await countSelected(db, selection, copiesAtOnce + 1)) <= copiesAtOnce) return
    throw problem('UNPROCESSABLE_CONTENT', {
      reason: 'event_copies',
      params: { max: copiesAtOnce },
      detail: `Copy at most ${copiesAtOnce} events at a time.`,
    })
  },
  targets: async (_, selection, change) => eventTargets(selection, change),
  stays: (change) => change.do === 'publish' || change.do === 'cancel',
  apply,
  revert: revertEventBulk,
})

async function apply(db: ActorDb, work: BulkWork<EventBulkChange>, ids: readonly string[]): Promise<number> {
  const { change } = work
  switch (change.do) {
    case 'publish': {
      const published = await setStatuses(db, ids, 'published')
      for (const id of published) {
        const event = mustFind(await findEvent(db, id))
        if (event.repeats) await startSeries(db, event, event.repeats)
      }
      return published.length
    }
    case 'cancel':
      return (await setStatuses(db, ids, 'cancelled', change.reason)).length
    case 'copy':
      return copyAll(db, work, ids, change.weeks)
    default:
      return setKept(db, work, ids)
  }
}

async function copyAll(db: ActorDb, work: BulkWork<EventBulkChange>, ids: readonly string[], weeks: number): Promise<number> {
  const copies: { of: string; id: string }[] = []
  const author = await callerOf(db, work)
  for (const id of ids) {
    const from = mustFind(await findEvent(db, id))
    const { id: copy } = await copyEvent(db, author, from, { startsAt: weeksLater(from.startsAt, from.timezone, weeks) })
    copies.push({ of: id, id: copy })
  }
  return keepCopies(db, work, copies)
}
