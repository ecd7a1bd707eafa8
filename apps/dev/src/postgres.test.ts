import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ask, isRoot, native, testServers } from './postgres-testing.ts'
import { processesIn } from './processes.ts'

const { cleanUp, folders, newFolder, start } = testServers()
afterEach(cleanUp)

test('a new database lets nobody in without its random password', async () => {
  const [one, other] = await Promise.all([start(join(newFolder(), 'pg')), start(join(newFolder(), 'pg'))])
  expect(new URL(one.url).password).toMatch(/^[0-9a-f]{48}$/)
  expect(new URL(one.url).password).not.toBe(new URL(other.url).password)
  await expect(ask(one.url.replace(/:[0-9a-f]{48}@/, '@'), 'select 1')).rejects.toThrow(/password/)
  await expect(ask(one.url.replace(/:[0-9a-f]{48}@/, ':guess@'), 'select 1')).rejects.toThrow(/password authentication failed/)
  expect(await ask(one.url, 'select distinct auth_method from pg_hba_file_rules')).toEqual([['scram-sha-256']])
  expect(await ask(one.url, "select left(rolpassword, 13) from pg_authid where rolname = 'postgres'")).toEqual([['SCRAM-SHA-256']])
})

test('only this machine reaches it, and only its own account reads its files', async () => {
  const server = await start(join(newFolder(), 'pg'))
  const elsewhere = Object.values(networkInterfaces())
    .flat()
    .find((address) => address && !address.internal && address.family === 'IPv4')
  expect(await ask(server.url, "select current_setting('listen_addresses'), current_setting('unix_socket_directories')")).toEqual([
    ['127.0.0.1', ''],
  ])
  if (elsewhere) await expect(ask(server.url.replace('127.0.0.1', elsewhere.address), 'select 1')).rejects.toThrow(/ECONNREFUSED/)
  for (const folder of [server.folder, join(server.folder, 'cluster')]) expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(server.folder, 'password')).mode & 0o777).toBe(0o600)
  if (isRoot) expect(statSync(join(server.folder, 'cluster')).uid).not.toBe(0)
})

test('data, password and port are the same after a clean stop, which leaves no process', async () => {
  const folder = join(newFolder(), 'pg')
  const first = await start(folder)
  await ask(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  expect(await processesIn(join(first.folder, 'cluster'))).toEqual([])
  expect(readFileSync(join(first.folder, 'server.log'), 'utf8')).toContain('database system is shut down')
  expect(existsSync(join(first.folder, 'cluster', 'postmaster.pid'))).toBe(false)
  const second = await start(folder)
  expect(second.url).toBe(first.url)
  expect(await ask(second.url, 'select answer from kept')).toEqual([[42]])
})

test('a remembered port that another program took meanwhile is given up for a free one', async () => {
  const folder = join(newFolder(), 'pg')
  const first = await start(folder)
  await first.stop()
  const squatter = createServer().listen(first.port, '127.0.0.1')
  await once(squatter, 'listening')
  const second = await start(folder)
  expect(second.port).not.toBe(first.port)
  squatter.close()
})

test('a second start on the same folder is refused in one plain sentence and harms nothing', async () => {
  const folder = join(newFolder(), 'pg')
  const first = await start(folder)
  await expect(start(folder)).rejects.toThrow(/^Guildhall already runs from this folder/)
  const [again] = await Promise.allSettled([start(folder), start(folder)])
  expect(again.status).toBe('rejected')
  expect(await ask(first.url, 'select 1')).toEqual([[1]])
})

test('two first starts at the same moment make one database', async () => {
  const folder = join(newFolder(), 'pg')
  const results = await Promise.allSettled([start(folder), start(folder), start(folder)])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('data of another major version is named, not touched', async () => {
  const folder = join(newFolder(), 'pg')
  const server = await start(folder)
  await server.stop()
  writeFileSync(join(server.folder, 'cluster', 'PG_VERSION'), '9\n')
  await expect(start(folder)).rejects.toThrow(/was written by PostgreSQL 9, but this is PostgreSQL \d+/)
})

test.runIf(isRoot)("below root's home, data and binaries move to where the server's account can reach them, and stay there", async () => {
  const closed = newFolder('/root')
  cpSync(native, join(closed, 'native'), { recursive: true, verbatimSymlinks: true })
  const dataDir = join(closed, '.data', 'postgres')
  const first = await start(dataDir, { native: join(closed, 'native') })
  folders.push(first.folder)
  expect(first.folder).toMatch(/^\/var\/lib\/guildhall-[0-9a-f]{12}$/)
  expect(readFileSync(join(dataDir, 'moved-to'), 'utf8').trim()).toBe(first.folder)
  expect(statSync(first.folder).mode & 0o777).toBe(0o700)
  await ask(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  const second = await start(dataDir, { native: join(closed, 'native') })
  expect(await ask(second.url, 'select answer from kept')).toEqual([[42]])
  await second.stop()

  rmSync(dataDir, { recursive: true })
  const anew = await start(dataDir, { native: join(closed, 'native') })
  await expect(ask(anew.url, 'select answer from kept')).rejects.toThrow(/does not exist/)
  const aside = readdirSync('/var/lib').filter((name) => name.startsWith(`${first.folder.slice('/var/lib/'.length)}-until-`))
  expect(aside).toHaveLength(1)
  folders.push(...aside.map((name) => join('/var/lib', name)))
})
