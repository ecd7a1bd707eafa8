import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import { call, sending, until } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

/** A disk of its own that can be made small and large, which needs root. */
function mountDisk(megabytes: number): { folder: string; grow: (to: number) => void; unmount: () => void } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-disk-'))
  const mount = (size: number, more: string) =>
    spawnSync('mount', ['-t', 'tmpfs', '-o', `${more}size=${size}m,mode=0755`, 'tmpfs', folder]).status === 0
  if (!mount(megabytes, '')) {
    rmSync(folder, { recursive: true })
    return undefined
  }
  return {
    folder,
    grow: (to) => void mount(to, 'remount,'),
    unmount: () => {
      spawnSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function fillDatabase(stage: Stage, headers: Record<string, string>, acked: string[]): Promise<number[]> {
  const statuses: number[] = []
  for (let nth = 0; nth < 4_000 && statuses.filter((status) => status >= 500 || status === 0).length < 5; nth++) {
    const name = `full ${randomUUID()}`
    const spec = { columns: Array.from({ length: 20 }, () => 'name') }
    const { status } = await call(`${stage.servers[0]?.url ?? ''}/data/views`, sending(headers, { list: 'people', name, spec }))
    statuses.push(status)
    if (status === 201) acked.push(name)
    // Somebody else fills the disk: what is left goes quickly.
    if (nth % 20 === 0)
      await stage.admin.query(`select pg_logical_emit_message(false, 'filler', repeat('x', 2000000))`).catch(() => undefined)
  }
  return statuses
}

async function run({ check, control, log }: Run): Promise<void> {
  const disk = mountDisk(140)
  const uploads = mountDisk(1)
  if (!disk || !uploads) {
    disk?.unmount()
    log('A small disk can only be made by root: left out.')
    check('left out', 'no root', true)
    return
  }
  const stage = await setStage({
    servers: 1,
    workers: 0,
    postgresFolder: join(disk.folder, 'postgres'),
    env: { FILES_DIR: join(uploads.folder, 'files') },
    log,
  })
  try {
    const headers = await stage.as('secretary')
    const url = stage.servers[0]?.url ?? ''
    const form = new FormData()
    form.append('file', new Blob([`first_name,last_name\n${'Given,Family\n'.repeat(400_000)}`]), 'many.csv')
    const refused = await call(`${url}/actions/imports/people`, { method: 'POST', headers, body: form })
    const left = existsSync(join(uploads.folder, 'files')) ? readdirSync(join(uploads.folder, 'files'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name) : [] // prettier-ignore
    check('an upload that does not fit: answer, and files left of it', [refused.status, left], refused.status === 503 && left.length === 0)

    const acked: string[] = []
    const statuses = await fillDatabase(stage, headers, acked)
    const others = statuses.filter((status) => status !== 201 && status !== 503)
    check(`the database's disk fills after ${acked.length} writes: other answers than 201 and 503`, others, others.length === 0)
    const meanwhile = await call(`${url}/healthz`)
    check('the server lives', meanwhile.status, meanwhile.status === 200)
    control('writes did fail', statuses.filter((status) => status === 503).length, statuses.includes(503))
    await sleep(1_000)
    disk.grow(600)
    const back = await until('a write', 60, async () => (await call(`${url}/data/views`, sending(headers, { list: 'people', name: randomUUID(), spec: {} }))).status === 201, 250) // prettier-ignore
    check('writes again once there is space, after seconds', (back / 1000).toFixed(1), back <= 30_000)
    const { rows } = await stage.admin.query<{ name: string }>(`select name from app.saved_views where name like 'full %'`)
    const kept = new Set(rows.map(({ name }) => name))
    const lost = acked.filter((name) => !kept.has(name)).length
    check(`acknowledged writes lost, of ${acked.length}`, lost, lost === 0)
  } finally {
    await stage.stop()
    disk.unmount()
    uploads.unmount()
  }
}

export const fullDisk: Case = {
  name: 'full-disk',
  about: 'full disks are said, lose nothing, and are over once there is space (F12)',
  full: { kills: 0, size: 0 },
  run,
}
