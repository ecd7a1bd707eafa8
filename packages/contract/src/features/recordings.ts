import * as z from 'zod'
import { del, get, put } from '../base.ts'
import { Cursor, Id, Instant, Limit, page } from '../shapes.ts'

const tag = 'Recordings'

/** An event of rrweb, which the server keeps as it is and does not look into. */
export const RecordedEvent = z.looseObject({ type: z.int().min(0).max(20), timestamp: z.number() })

export const RecordingPart = z
  .strictObject({ recordingId: Id, part: z.int().min(0).max(199), events: z.array(RecordedEvent).min(1).max(5000) })
  .meta({ examples: [{ recordingId: '01920000-0000-7000-8000-000000000009', part: 0, events: [{ type: 4, timestamp: 1795000000000 }] }] })
export type RecordingPart = z.infer<typeof RecordingPart>

export const Recording = z.object({
  id: Id,
  account: z.object({ id: Id, name: z.string(), email: z.string().nullable() }),
  parts: z.int(),
  bytes: z.int(),
  startedAt: Instant,
  endedAt: Instant,
})
export type Recording = z.infer<typeof Recording>

const OneRecording = z.strictObject({ recordingId: Id })

export const recordingsData = {
  add: put('/recordings/{recordingId}/parts', 'addRecordingPart', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    status: 204,
    summary: 'Send what the session recorder saw, a part at a time',
    description:
      '404 where recording is switched off, 413 for a part above 256 kB, 429 `recording_limit` after too many parts. Sending a part again changes nothing.',
  })
    .input(RecordingPart)
    .output(z.void()),
  list: get('/recordings', 'listRecordings', {
    needs: 'organisation.manage',
    tag,
    summary: 'Recorded sessions of the last 14 days, newest first',
  })
    .input(z.strictObject({ cursor: Cursor.optional(), limit: Limit.optional() }))
    .output(page(Recording)),
  get: get('/recordings/{recordingId}', 'getRecording', {
    needs: 'organisation.manage',
    tag,
    summary: 'A recorded session, for a player of rrweb recordings',
  })
    .input(OneRecording)
    .output(z.object({ events: z.array(RecordedEvent) })),
  remove: del('/recordings/{recordingId}', 'removeRecording', { needs: 'organisation.manage', tag, summary: 'Delete a recorded session' })
    .input(OneRecording)
    .output(z.void()),
}
