import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { ask, isRoot, native, testServers } from './postgres-testing.ts'
import { startTimeOf } from './processes.ts'

const { cleanUp, lines, newFolder, start } = testServers()
afterEach(cleanUp)

test('a pid file whose number now belongs to another program does not stop a start', async () => {
  const folder = join(newFolder(), 'pg')
  const first = await start(folder)
  const pidFile = join(first.folder, 'cluster', 'postmaster.pid')
  const left = readFileSync(pidFile, 'utf8')
  await first.stop()
  const { uid, gid } = statSync(join(first.folder, 'cluster'))
  const stranger = spawn('sleep', ['60'], isRoot ? { uid, gid } : {})
  writeFileSync(pidFile, left.replace(/^\d+/, String(stranger.pid)))
  const second = await start(folder)
  expect(await ask(second.url, 'select 1')).toEqual([[1]])
  stranger.kill()
})

test('a killed server is started again by itself, says so, and has kept what was committed', async () => {
  const onExit = vi.fn()
  const server = await start(join(newFolder(), 'pg'), { onExit })
  await ask(server.url, 'create table kept as select 42 as answer')
  const before = server.pid()
  process.kill(before ?? 0, 'SIGKILL')
  await vi.waitFor(async () => expect(await ask(server.url, 'select answer from kept')).toEqual([[42]]), { timeout: 10_000, interval: 100 })
  expect(server.pid()).not.toBe(before)
  expect(onExit).toHaveBeenCalledWith('The database ended unexpectedly (killed by SIGKILL).')
  await vi.waitFor(() => expect(lines.join('\n')).toMatch(/Starting it again in [\d.]+ s\.\n(.*\n)*The database runs again\./), {
    timeout: 5000,
  })
})

test('when the process that started it is killed without a word, the server ends, and the next start finds the data', async () => {
  const folder = join(newFolder(), 'pg')
  const script = `
    import { startPostgres } from ${JSON.stringify(fileURLToPath(new URL('postgres.ts', import.meta.url)))}
    const server = await startPostgres({ dataDir: ${JSON.stringify(folder)}, log: () => {}, fsync: false })
    console.log(server.pid())
    setInterval(() => {}, 1000)`
  const parent = spawn('node', ['--input-type=module-typescript', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = await once(parent.stdout, 'data')
  const pid = Number(String(said))
  expect(startTimeOf(pid)).toBeDefined()
  parent.kill('SIGKILL')
  await vi.waitFor(() => expect(startTimeOf(pid)).toBeUndefined(), { timeout: 5000, interval: 50 })
  const next = await start(folder)
  expect(await ask(next.url, 'select 1')).toEqual([[1]])
})

test('a server left running by an earlier run is shut down first', async () => {
  const folder = join(newFolder(), 'pg')
  const first = await start(folder)
  await first.stop()
  const { uid, gid } = statSync(join(first.folder, 'cluster'))
  const bin = process.env['PG_BIN'] ?? join(native, 'bin')
  const args = ['-D', join(first.folder, 'cluster'), '-p', String(first.port), '-c', 'unix_socket_directories=']
  const left = spawn(join(bin, 'postgres'), args, { ...(isRoot ? { uid, gid } : {}), cwd: '/', stdio: 'ignore' })
  await vi.waitFor(() => ask(first.url, 'select 1'), { timeout: 5000, interval: 50 })
  const second = await start(folder)
  expect(left.exitCode ?? left.signalCode).not.toBeNull()
  expect(lines).toContain('A database left over from an earlier run is stopped first.')
  expect(await ask(second.url, 'select 1')).toEqual([[1]])
})

test('an interrupted first start is begun anew', async () => {
  const folder = join(newFolder(), 'pg')
  mkdirSync(join(folder, 'cluster.unfinished', 'base'), { recursive: true })
  writeFileSync(join(folder, 'password'), 'half')
  const server = await start(folder)
  expect(await ask(server.url, 'select 1')).toEqual([[1]])
  expect(readdirSync(server.folder)).not.toContain('cluster.unfinished')
})

test.runIf(isRoot && canMount())(
  'a full disk is said plainly at the first start and later, and the server comes back when there is space',
  async () => {
    const folder = newFolder()
    const mount = (size: string, remount: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', `${remount}size=${size}`, 'tmpfs', folder])
    mount('20m', '')
    try {
      await expect(start(join(folder, 'pg'))).rejects.toThrow(/^The disk that holds .* is full: free some space/)
      mount('100m', 'remount,')
      const server = await start(join(folder, 'pg'))
      await ask(server.url, 'create table kept as select 42 as answer')
      await expect(
        ask(server.url, "select pg_logical_emit_message(false, 'filler', repeat('x', 1000000)) from generate_series(1, 100)"),
      ).rejects.toThrow()
      await vi.waitFor(() => expect(lines.join('\n')).toMatch(/The database stopped\. The disk that holds .* is full: free some space/), {
        timeout: 5000,
      })
      mount('400m', 'remount,')
      await vi.waitFor(async () => expect(await ask(server.url, 'select answer from kept')).toEqual([[42]]), {
        timeout: 12_000,
        interval: 200,
      })
      await server.stop()
    } finally {
      spawnSync('umount', ['-l', folder])
    }
  },
)

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-mount-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0
  if (mounted) spawnSync('umount', [folder])
  rmSync(folder, { recursive: true, force: true })
  return mounted
}
