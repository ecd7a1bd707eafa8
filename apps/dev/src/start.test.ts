import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort, portState } from './ports.ts'
import { root } from './settings.ts'

const folders: string[] = []
let port: number
let data: string
let running: Running

type Running = { child: ChildProcess; output: () => string; seconds: number }

beforeAll(async () => {
  port = await fiveFreePorts()
  data = newFolder()
  running = await start()
})

afterAll(async () => {
  await stop(running)
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-test-'))
  folders.push(folder)
  return folder
}

async function fiveFreePorts(): Promise<number> {
  const first = await freePort()
  const states = await Promise.all([1, 2, 3, 4].map((more) => portState(first + more)))
  return states.every((state) => state === 'free') ? first : fiveFreePorts()
}

const environment = (changes: Record<string, string> = {}) => ({
  ...process.env,
  ...{ NODE_ENV: 'test', PORT: String(port), GUILDHALL_DATA: data, GUILDHALL_DEMO: 'none', npm_lifecycle_event: undefined },
  ...changes,
})

async function start(): Promise<Running> {
  const begun = performance.now()
  const child = spawn(process.execPath, ['apps/dev/src/start.ts'], { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  await vi.waitFor(() => expect(output + String(child.exitCode ?? '')).toMatch(/Ctrl-C stops everything|\d$/), {
    timeout: 55_000,
    interval: 50,
  })
  if (child.exitCode !== null) throw new Error(output)
  return { child, output: () => output, seconds: (performance.now() - begun) / 1000 }
}

async function stop({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

const startAndFail = (changes: Record<string, string>) => {
  const { status, stderr } = spawnSync(process.execPath, ['apps/dev/src/start.ts'], {
    cwd: root,
    env: environment(changes),
    encoding: 'utf8',
    timeout: 15_000,
  })
  return { status, said: stderr.trim() }
}

/** Every process that knows our data folder: by its command line, or by what it was started with. */
function processes(): { pid: number; command: string }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8').replaceAll('\0', ' ')
    } catch {
      return ''
    }
  }
  return pids
    .map((pid) => ({
      pid: Number(pid),
      command: read(`/proc/${pid}/cmdline`),
      all: read(`/proc/${pid}/cmdline`) + read(`/proc/${pid}/environ`),
    }))
    .filter(({ all }) => all.includes(data))
}

const pidOf = (part: string): number => processes().find(({ command }) => command.includes(part))?.pid ?? 0

const answers = async (path = '/readyz') => (await fetch(`http://localhost:${port}${path}`)).status

test('one command starts everything and says where, as whom, and how to stop it', async () => {
  for (const said of [
    `http://localhost:${port}`,
    'secretary@demo.example',
    'guildhall',
    `http://localhost:${port + 2}`,
    data,
    'Ctrl-C stops everything',
  ]) {
    expect(running.output()).toContain(said)
  }
  expect(await answers()).toBe(200)
  const config: unknown = await (await fetch(`http://localhost:${port}/config.json`)).json()
  expect(config).toMatchObject({ issuer: `http://localhost:${port + 1}`, client_id: 'guildhall-web' })
  expect(await (await fetch(`http://localhost:${port}/`)).text()).toContain('<!doctype html>')
  expect(await (await fetch(`http://localhost:${port + 2}/`)).text()).toContain('Mail inbox')
  expect(await (await fetch(`http://localhost:${port + 4}/`)).text()).toContain('Test payments')
})

test('what it keeps stays in the data folder, closed to others', () => {
  const modeOf = (name: string) => (statSync(join(data, name)).mode & 0o077).toString(8)
  expect(existsSync(join(data, 'postgres', 'cluster'))).toBe(true)
  const modes = ['secrets.json', 'identity-keys.json', 'postgres', 'mail', 'payments', 'files', 'logs'].map(modeOf)
  expect(modes).toEqual(['0', '0', '0', '0', '0', '0', '0'])
})

test('a second start from the same folder names the first one, before anything is started', () => {
  const { status, said } = startAndFail({ PORT: '4999' })
  expect(said).toMatch(`Guildhall already runs from this folder, at http://localhost:${port}`)
  expect(status).toBe(1)
})

/** Holds a port whose predecessor nobody else has. */
async function squatterAfterFreePort() {
  for (;;) {
    const squatter = createServer().listen(0, '127.0.0.1')
    await once(squatter, 'listening')
    const address = squatter.address()
    const taken = address && typeof address === 'object' ? address.port : 0
    if (await isFree(taken - 1)) return { squatter, taken }
    squatter.close()
  }
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

test('a taken port is named with its use and the way to change it, before anything is started', async () => {
  const elsewhere = newFolder()
  const { status, said } = startAndFail({ GUILDHALL_DATA: elsewhere })
  expect(said).toMatch(
    new RegExp(`^Port ${port}, for Guildhall itself, is used by another program\\. Choose another one: PORT=\\d+ npm start`),
  )
  expect([status, readdirSync(elsewhere).sort()]).toEqual([1, ['files', 'logs']])

  const { squatter, taken } = await squatterAfterFreePort()
  expect(startAndFail({ GUILDHALL_DATA: elsewhere, PORT: String(taken - 1) }).said).toMatch(`Port ${taken}, for signing in, is used`)
  squatter.close()
})

test('wrong settings are refused in a sentence', () => {
  const elsewhere = newFolder()
  const refusal = (changes: Record<string, string>) => startAndFail({ GUILDHALL_DATA: elsewhere, ...changes }).said
  expect(refusal({ PORT: 'many' })).toBe('PORT must be a number, for example PORT=4000 npm start')
  expect(refusal({ PORT: '65535' })).toMatch('PORT must be at most 65531')
  expect(refusal({ DATABASE_URL: 'mysql://x' })).toMatch('DATABASE_URL must look like postgres://')
  expect(refusal({ NODE_ENV: 'production' })).toMatch('does not run in production')
  expect(refusal({ GUILDHALL_DATA: '/dev/null/x' })).toMatch('The folder /dev/null/x cannot be made')
})

test.runIf(existsSync('/proc'))('a killed database, API or worker is started again, and said to be', async () => {
  for (const [part, name] of [
    ['postgres', 'The database'],
    ['server.ts', 'The API'],
    ['worker.ts', 'The worker'],
  ] as const) {
    const before = pidOf(part)
    process.kill(before, 'SIGKILL')
    await vi.waitFor(() => expect(pidOf(part)).not.toBe(0), { timeout: 5000, interval: 50 })
    await vi.waitFor(() => expect(pidOf(part)).not.toBe(before), { timeout: 5000, interval: 50 })
    await vi.waitFor(() => expect(running.output()).toMatch(new RegExp(`${name} ended [^]*Starting it again`)))
    await vi.waitFor(async () => expect(await answers()).toBe(200), { timeout: 10_000, interval: 100 })
  }
})

test.runIf(existsSync('/proc'))(
  'killed without a word it leaves no process, and the next start takes seconds and finds everything',
  async () => {
    running.child.kill('SIGKILL')
    await vi.waitFor(() => expect(processes()).toEqual([]), { timeout: 10_000, interval: 100 })
    running = await start()
    expect(running.output()).not.toContain('Creating the database')
    // At most 10 s on two idle cores; here other tests run beside it.
    expect(running.seconds).toBeLessThan(25)
  },
)

test.runIf(existsSync('/proc'))('Ctrl-C ends everything', async () => {
  running.child.kill('SIGINT')
  const [code] = await once(running.child, 'exit')
  expect(code).toBe(0)
  await vi.waitFor(() => expect(processes()).toEqual([]), { timeout: 1000, interval: 50 })
  expect(running.output()).toContain('Stopping …')
})
