import { setTimeout as sleep } from 'node:timers/promises'
import { demoPeopleCsv } from '@guildhall/db/demo'
import * as z from 'zod'
import { memoryOf } from './programs.ts'
import type { Stage } from './stage.ts'

const Import = z.object({
  id: z.string(),
  status: z.string(),
  error: z.string().nullable(),
  missing: z.array(z.unknown()),
  findings: z.array(z.object({ level: z.string(), message: z.string() })),
  counts: z.object({ run: z.record(z.string(), z.number()).nullable() }),
})
type Import = z.infer<typeof Import>

export type ImportTime = {
  rows: number
  megabytes: number
  uploadSeconds: number
  checkSeconds: number
  runSeconds: number
  growth: number | null
  counts: string
}

const patienceMs = 15 * 60_000
/** Numbers of members whom the loaded organisation does not have. */
const newMembers = 50_000_000

/** A spreadsheet of so many new people, as a membership secretary brings it in: uploaded, checked for duplicates, imported. */
export async function timeImport(stage: Stage, rows: number, log: (line: string) => void): Promise<ImportTime> {
  const headers = await stage.as('secretary')
  const chunks: string[] = []
  for await (const chunk of demoPeopleCsv({ people: rows, seed: 4_711, size: stage.size, firstNo: newMembers })) chunks.push(chunk)
  const file = new Blob(chunks, { type: 'text/csv' })
  const before = memoryOf(stage.worker.pid)?.now
  const form = new FormData()
  form.append('file', file, 'members.csv')

  const started = performance.now()
  const uploaded = await send(`${stage.apiUrl}/actions/imports/people`, { method: 'POST', headers, body: form })
  const faults = uploaded.findings.filter(({ level }) => level === 'error').map(({ message }) => message)
  if (uploaded.missing.length > 0 || faults.length > 0)
    throw new Error(`The import needs an answer: ${[...faults, JSON.stringify(uploaded.missing)].join(' ')}`)
  const uploadedAt = performance.now()
  await act('check', 'checked')
  const checkedAt = performance.now()
  const done = await act('run', 'done')
  const doneAt = performance.now()
  const peak = memoryOf(stage.worker.pid)?.peak
  return {
    rows,
    megabytes: file.size / 1_000_000,
    uploadSeconds: (uploadedAt - started) / 1_000,
    checkSeconds: (checkedAt - uploadedAt) / 1_000,
    runSeconds: (doneAt - checkedAt) / 1_000,
    growth: peak === undefined || before === undefined ? null : peak - before,
    counts: Object.entries(done.counts.run ?? {})
      .filter(([, count]) => count > 0)
      .map(([outcome, count]) => `${outcome} ${count}`)
      .join(', '),
  }

  async function act(action: 'check' | 'run', wanted: string): Promise<Import> {
    log(`import: ${action}`)
    let state = await send(`${stage.apiUrl}/actions/imports/${uploaded.id}/${action}`, { method: 'POST', headers })
    const deadline = Date.now() + patienceMs
    while (state.status !== wanted) {
      if (['failed', 'cancelled'].includes(state.status) || Date.now() > deadline)
        throw new Error(`The import is ${state.status}: ${state.error ?? 'no end in sight'}`)
      await sleep(250)
      state = await send(`${stage.apiUrl}/data/imports/${uploaded.id}`, { headers })
    }
    return state
  }
}

async function send(url: string, init: RequestInit): Promise<Import> {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 300)}`)
  return Import.parse(JSON.parse(text))
}
