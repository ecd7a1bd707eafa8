import { demoPeopleCsv } from '@guildhall/db/demo'
import type { DemoCsvColumn } from '@guildhall/db/demo'
import * as z from 'zod'
import { call, refuse, until } from './calls.ts'
import type { Stage } from './stage.ts'

const ImportState = z.object({
  id: z.string(),
  status: z.string(),
  error: z.string().nullable(),
  counts: z.object({ run: z.record(z.string(), z.number()).nullable() }),
})
type ImportState = z.infer<typeof ImportState>

export type StartedImport = {
  id: string
  begin: (phase: 'check' | 'run' | 'undo') => Promise<void>
  state: () => Promise<ImportState>
  isAt: (status: string) => () => Promise<boolean>
}

/** Numbers of members that the loaded organisation does not have. */
const newMembers = 50_000_000

/** The spreadsheet of a membership office with so many people, or some columns of it. */
export async function peopleFile(rows: number, seed: number, columns?: readonly DemoCsvColumn[]): Promise<Blob> {
  const chunks: string[] = []
  for await (const chunk of demoPeopleCsv({ people: rows, seed, size: 'small', firstNo: newMembers, ...(columns && { columns }) }))
    chunks.push(chunk)
  return new Blob(chunks, { type: 'text/csv' })
}

/** Uploads a file and checks it; it is ready to run then. */
export async function prepareImport(stage: Stage, file: Blob, patienceSeconds: number): Promise<StartedImport> {
  const headers = await stage.as('secretary')
  const url = stage.servers[0]?.url ?? ''
  const form = new FormData()
  form.append('file', file, 'members.csv')
  const uploaded = await call(`${url}/actions/imports/people`, {
    method: 'POST',
    headers,
    body: form,
    signal: AbortSignal.timeout(patienceSeconds * 1000),
  })
  refuse(uploaded, 201)
  const { id } = ImportState.parse(uploaded.body)
  const state = async () => {
    const answer = await call(`${url}/data/imports/${id}`, { headers })
    refuse(answer, 200)
    return ImportState.parse(answer.body)
  }
  const started: StartedImport = {
    id,
    state,
    begin: async (phase) => refuse(await call(`${url}/actions/imports/${id}/${phase}`, { method: 'POST', headers }), 202),
    isAt: (status) => async () => (await state()).status === status,
  }
  await started.begin('check')
  await until('the check', patienceSeconds, started.isAt('checked'))
  return started
}
