/** Writes a mark and a job for it in one transaction, again and again; every third one fails afterwards. `APART` sends the job by itself. */
import { randomInt, randomUUID } from 'node:crypto'
import { readConfig } from '@guildhall/api/platform/config'
import { createLog } from '@guildhall/api/platform/observability/log'
import { createServices } from '@guildhall/api/platform/services'
import { sql } from 'kysely'

const config = readConfig(process.env)
const apart = process.env['APART'] === 'yes'
const { database, jobs } = createServices(config, createLog('silent'), config.WORKER_DATABASE_URL)
const turns = Number(process.env['TURNS'])
process.once('disconnect', () => process.exit(0))

class Rollback extends Error {}

await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (let nth = 0; nth < turns / 4; nth++) {
      const mark = randomUUID()
      await database
        .withoutActor(async (db) => {
          if (apart) await database.withoutActor((own) => jobs.send(own, 'bulk', { mark }))
          await sql`insert into faults.marks (mark, twin) values (${mark}, 0)`.execute(db)
          if (!apart) await jobs.send(db, 'bulk', { mark })
          if (randomInt(3) === 0) throw new Rollback()
        })
        .catch((error: unknown) => {
          if (!(error instanceof Rollback)) throw error
        })
    }
  }),
)
process.exit(0)
