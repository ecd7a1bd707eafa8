import { RecordedEvent } from '@guildhall/contract/features/recordings'
import * as z from 'zod'
import { listPage } from '../../platform/lists/list-page.ts'
import { problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { keepPart, partsOf, recordingsList, removeRecording } from './recordings.queries.ts'

const { recordings } = data
const Events = z.array(RecordedEvent)
const largestPart = 262_144

export const recordingsData = recordings.router({
  add: recordings.add.handler(async ({ input, context }) => {
    if (context.services.config.RECORDING === 'off') throw problem('NOT_FOUND')
    const events = JSON.stringify(input.events)
    if (Buffer.byteLength(events) > largestPart) throw problem('PAYLOAD_TOO_LARGE')
    if (await context.inTx((db) => keepPart(db, input, events))) return
    throw problem('TOO_MANY_REQUESTS', { reason: 'recording_limit', detail: 'Too much was recorded today.' })
  }),
  list: recordings.list.handler(({ input, context }) => listPage(context, recordingsList, input)),
  get: recordings.get.handler(async ({ input, context }) => {
    const parts = await context.inTx((db) => partsOf(db, input.recordingId))
    if (parts.length === 0) throw problem('NOT_FOUND')
    return { events: parts.flatMap((part) => Events.parse(JSON.parse(part))) }
  }),
  remove: recordings.remove.handler(async ({ input, context }) => {
    if (!(await context.inTx((db) => removeRecording(db, input.recordingId)))) throw problem('NOT_FOUND')
  }),
})
