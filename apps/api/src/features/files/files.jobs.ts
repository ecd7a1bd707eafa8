import { contentKey, contentParts } from '../../platform/files/content.ts'
import type { JobHandler } from '../../platform/jobs/jobs.ts'
import type { Services } from '../../platform/services.ts'
import { dueFiles, noteSwept, purgeFiles } from './files.queries.ts'

/** Every few minutes: what lies in the store and belongs to nothing any more, from removed records, erased people and uploads that were cut short. */
export const sweepFiles =
  ({ database, files, log }: Services): JobHandler =>
  async (_data, { signal }) => {
    await database.withoutActor(purgeFiles)
    let swept = 0
    for (let due = await database.withoutActor(dueFiles); due.length > 0; due = await database.withoutActor(dueFiles)) {
      for (const { orgId, fileId } of due) {
        signal.throwIfAborted()
        for (const part of contentParts) await files.remove(contentKey(orgId, fileId, part))
        // Last: a stop in between leaves the note, and the next sweep goes on.
        await database.withoutActor((db) => noteSwept(db, orgId, fileId))
        swept += 1
      }
    }
    if (swept > 0) log.info({ files: swept }, 'files that belong to nothing are gone')
  }
