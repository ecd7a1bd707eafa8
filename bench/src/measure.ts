import { timeExport } from './export-people.ts'
import type { ExportTime } from './export-people.ts'
import { timeImport } from './import-people.ts'
import type { ImportTime } from './import-people.ts'
import { addMemberships } from './memberships.ts'
import { timePages } from './pages.ts'
import type { Timing } from './pages.ts'
import { comparePages } from './people-page.ts'
import type { Comparison } from './people-page.ts'
import { preparePostgraphile } from './postgraphile.ts'
import { memoryOf } from './programs.ts'
import { startRivals } from './rivals.ts'
import type { Stage } from './stage.ts'

/** What was found out about an organisation of one size. */
export type Measured = {
  people: number
  loadSeconds: number
  /** Of PostgreSQL. */
  version: string
  next: Comparison
  membership: Comparison
  first: Comparison
  timings: Timing[]
  imported: ImportTime | null
  exported: ExportTime
  memory: { what: string; before: number | undefined; peak: number | undefined }[]
}

export type Amounts = { rounds: number; seconds: number; imported: number }

/** The comparison comes first and the import last, since it makes the organisation larger. */
export async function measure(stage: Stage, { rounds, seconds, imported }: Amounts, log: (line: string) => void): Promise<Measured> {
  await addMemberships(stage, log)
  await preparePostgraphile(stage.admin)
  const rivals = await startRivals(stage)
  const before = { server: memoryOf(stage.api.pid)?.now, worker: memoryOf(stage.worker.pid)?.now }
  log('comparing pages of people')
  const { next, first, membership } = await comparePages(stage, rivals, rounds, seconds).finally(() => rivals.stop())
  for (const { against } of [next, first, membership]) log(against.map(({ name, ratio }) => `${ratio.toFixed(2)} × ${name}`).join(', '))
  const timings = await timePages(stage, log)
  const exported = await timeExport(stage, log)
  const importTime = imported > 0 ? await timeImport(stage, imported, log) : null
  const { people, loadSeconds, version } = stage
  return {
    people, loadSeconds, version, next, first, membership, timings, exported,
    imported: importTime,
    memory: [
      { what: 'server', before: before.server, peak: memoryOf(stage.api.pid)?.peak },
      { what: 'worker', before: before.worker, peak: memoryOf(stage.worker.pid)?.peak },
    ],
  } // prettier-ignore
}
