import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { memoryOf } from './programs.ts'
import type { Stage } from './stage.ts'

const Export = z.object({ id: z.string(), rows: z.number().nullable(), downloadable: z.boolean(), job: z.object({ status: z.string() }) })
export type ExportTime = { rows: number; seconds: number; megabytes: number; growth: number | null }

const columns = ['displayName', 'memberNo', 'lifecycle', 'homeChapter', 'joinedOn', 'primaryEmail']
const patienceMs = 15 * 60_000
const busyMs = 30_000

/** Everybody as a CSV file: asked for, written by the worker, fetched. */
export async function timeExport(stage: Stage, log: (line: string) => void): Promise<ExportTime> {
  const headers = await stage.as('secretary')
  const before = memoryOf(stage.worker.pid)?.now
  log('export')
  const started = performance.now()
  const asked = await send(`${stage.apiUrl}/actions/exports`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ list: 'people', format: 'csv', selection: { all: {} }, columns, reason: 'Measurement' }),
  })
  let made = asked
  const deadline = Date.now() + patienceMs
  while (!made.downloadable) {
    const { status } = made.job
    if (['failed', 'cancelled'].includes(status) || Date.now() > deadline) throw new Error(`The export is ${status}.`)
    await sleep(100)
    made = await send(`${stage.apiUrl}/data/exports/${asked.id}`, { headers })
  }
  const file = await fetch(`${stage.apiUrl}/actions/exports/${asked.id}/file`, { headers })
  const { size } = await file.blob()
  const seconds = (performance.now() - started) / 1_000
  const peak = memoryOf(stage.worker.pid)?.peak
  const growth = peak === undefined || before === undefined ? null : Math.max(0, peak - before)
  return { rows: made.rows ?? 0, seconds, megabytes: size / 1_000_000, growth }
}

/** A server that has just answered many at once may say that it is busy, and when to ask again; one that stays busy is a finding. */
async function send(url: string, init: RequestInit): Promise<z.infer<typeof Export>> {
  const deadline = Date.now() + busyMs
  for (;;) {
    const response = await fetch(url, init)
    const text = await response.text()
    const pauseMs = Number(response.headers.get('retry-after')) * 1_000
    if (response.status === 503 && pauseMs > 0 && Date.now() + pauseMs < deadline) {
      await sleep(pauseMs)
      continue
    }
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 300)}`)
    return Export.parse(JSON.parse(text))
  }
}
