import { totalmem } from 'node:os'
import { spawn } from 'node:child_process'
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { lockFolder } from './folder-lock.ts'
import { explainDiskFault, PlainError } from './plain-error.ts'
import { findBinaries } from './postgres-binaries.ts'
import { choosePort, clearLeftovers, openCluster, type Cluster } from './postgres-cluster.ts'
import { programOptions } from './postgres-account.ts'
import { findPostgresFolder } from './postgres-folder.ts'
import { supervise, type Log } from './supervise.ts'

export type Postgres = {
  /** The superuser's, to the database `postgres`. */
  url: string
  port: number
  /** Where the server's files really are. */
  folder: string
  pid: () => number | undefined
  stop: () => Promise<void>
  /** At once, for a second Ctrl-C: the next start recovers from the write-ahead log. */
  kill: () => void
}

export type PostgresOptions = {
  dataDir: string
  log: Log
  /** False trades safety against a power cut for speed: for databases of tests, which nobody misses. */
  fsync?: boolean
  /** Called with a sentence when the server ended without being told to; it is started again by itself. */
  onExit?: (reason: string) => void
  /** Another folder of binaries than npm's, laid out like it. */
  native?: string
}

/** Starts the PostgreSQL that npm installed (or PG_BIN's) on a folder, keeps it running, and answers when it takes connections. */
export async function startPostgres({ dataDir, log, fsync = true, onExit, native }: PostgresOptions): Promise<Postgres> {
  const wanted = resolve(dataDir)
  try {
    mkdirSync(wanted, { recursive: true })
    const lock = await lockFolder(wanted)
    try {
      const place = await findPostgresFolder(wanted, log)
      const bin = await findBinaries(place, log, native)
      const cluster = await openCluster(place.folder, bin, place.account, log)
      await clearLeftovers(cluster, log)
      return await startServer(cluster, { log, fsync, onExit, release: lock.release })
    } catch (error) {
      await lock.release()
      throw error
    }
  } catch (error) {
    const disk = error instanceof Error ? explainDiskFault(error.message, wanted) : undefined
    throw disk && !(error instanceof PlainError) ? new PlainError(disk) : error
  }
}

type ServerOptions = { log: Log; fsync: boolean; onExit: ((reason: string) => void) | undefined; release: () => Promise<void> }

async function startServer(cluster: Cluster, { log, fsync, onExit, release }: ServerOptions): Promise<Postgres> {
  const port = await choosePort(cluster)
  const url = `postgres://postgres:${cluster.password}@127.0.0.1:${port}/postgres`
  const logFile = join(cluster.folder, 'server.log')
  keepLastLog(logFile)
  const program = { file: join(cluster.bin, 'postgres'), args: ['-D', cluster.data, ...settings(port, fsync)] }
  let failed: string | undefined
  let logStart = 0
  const server = supervise({
    name: 'The database',
    log: (line) => failed === undefined && log(line),
    stopSignal: 'INT', // fast shutdown: open transactions end, everything committed is on disk
    stopSeconds: 30,
    start: () => {
      // Straight into a file: a pipe would break, and the server with it, when this process is killed.
      const output = openSync(logFile, 'a', 0o600)
      logStart = fstatSync(output).size
      const child = spawn(program.file, program.args, {
        ...programOptions(cluster.account),
        stdio: ['ignore', output, output],
        detached: true,
      })
      closeSync(output)
      return child
    },
    // Of a killed server only the others' last words are there, which say nothing of the reason.
    explain: (how) =>
      how.startsWith('killed')
        ? undefined
        : explainEnd(readFileSync(logFile).subarray(logStart).toString(), { logFile, folder: cluster.folder, port }),
    onRestart: () =>
      void waitUntilReady(url, () => server.pid() !== undefined, log).then((ready) => ready && log('The database runs again.')),
    onExit: (reason) => {
      failed ??= isReady ? undefined : reason
      onExit?.(reason)
    },
  })
  let isReady = false
  isReady = await waitUntilReady(url, () => failed === undefined, log)
  const end = async () => {
    await server.stop()
    await release()
  }
  if (!isReady) {
    await end()
    throw new PlainError(failed ?? `The database does not answer. Its log is ${logFile}.`)
  }
  return { url, port, folder: cluster.folder, pid: server.pid, stop: end, kill: server.kill }
}

/** An eighth of the memory, so that names and addresses of a large organisation stay in it; what is not used is not taken. */
const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity)
const buffers = Math.round(Math.min(Math.max(memory / 8 / 2 ** 20, 128), 2_048))

/** For a few people on one small machine, next to the other processes of Guildhall. */
const settings = (port: number, fsync: boolean): string[] => {
  const values = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: `${buffers}MB`,
    effective_cache_size: `${buffers * 4}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    max_wal_size: '1GB',
    random_page_cost: 1.1,
    jit: 'off',
    shared_preload_libraries: '',
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    fsync: fsync ? 'on' : 'off',
    ...(fsync ? {} : { full_page_writes: 'off' }),
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Waits through recovery, too: after a crash the server may first read back minutes of log. */
async function waitUntilReady(url: string, isAlive: () => boolean, log: Log): Promise<boolean> {
  const start = Date.now()
  let told = false
  while (isAlive() && Date.now() - start < 300_000) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return true
    } catch (error) {
      // Something else answers on our port, or the password file is not this cluster's: waiting does not mend it.
      if (error instanceof Error && 'code' in error && error.code === '28P01') return false
    } finally {
      await client.end().catch(() => undefined)
    }
    if (!told && Date.now() - start > 10_000) {
      told = true
      log('The database is still recovering from its last, sudden end …')
    }
    await sleep(50)
  }
  return false
}

function keepLastLog(file: string): void {
  try {
    renameSync(file, `${file}.previous`)
  } catch {
    rmSync(file, { force: true })
  }
}

/** Why a server ended, from what it wrote since its start. */
function explainEnd(written: string, { logFile, folder, port }: { logFile: string; folder: string; port: number }): string | undefined {
  const disk = explainDiskFault(written, folder)
  if (disk) return `The database stopped. ${disk}`
  const lines = written.split('\n')
  if (lines.some((line) => line.includes('could not bind')))
    return `The database could not start: port ${port} was taken by another program meanwhile.`
  const last = lines.findLast((line) => /(FATAL|PANIC):/.test(line))
  return last && `The database stopped: ${last.slice(last.search(/FATAL|PANIC/) + 6).trim()}. Its log is ${logFile}.`
}
