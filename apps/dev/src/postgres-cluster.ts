import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { explainDiskFault, PlainError } from './plain-error.ts'
import { giveTo, programOptions, type Account } from './postgres-account.ts'
import { freePort, portState } from './ports.ts'
import { processesIn, signal } from './processes.ts'
import type { Log } from './supervise.ts'

/** A database cluster on disk: everything needed to start a server on it and to sign in. */
export type Cluster = { folder: string; bin: string; account: Account | undefined; data: string; password: string }

/** Opens the cluster of a folder, making it on the first start. An interrupted first start leaves nothing that counts as one. */
export async function openCluster(folder: string, bin: string, account: Account | undefined, log: Log): Promise<Cluster> {
  const data = join(folder, 'cluster')
  const major = (await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (!major) await createCluster(folder, bin, account, log)
  else if (Number(major) !== (await majorOf(bin))) throw wrongVersion(data, major, await majorOf(bin))
  else if (!(await readFile(passwordFile(folder)).catch(() => undefined))) await adoptCluster(folder, bin, account, log)
  const password = (await readFile(passwordFile(folder), 'utf8')).trim()
  return { folder, bin, account, data: await realpath(data), password }
}

const passwordFile = (folder: string) => join(folder, 'password')

async function createCluster(folder: string, bin: string, account: Account | undefined, log: Log): Promise<void> {
  log('Creating the database …')
  const unfinished = join(folder, 'cluster.unfinished')
  await rm(unfinished, { recursive: true, force: true })
  await rm(passwordFile(folder), { force: true })
  await writeFile(passwordFile(folder), `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 })
  await giveTo(account, passwordFile(folder))
  // From 17 on PostgreSQL brings Unicode rules of its own, equal on every machine; before, the C library's.
  const locale =
    (await majorOf(bin)) >= 17 ? ['--locale=C.UTF-8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : ['--locale=C.UTF-8']
  const rights = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile(folder)}`, '--data-checksums']
  const { code, output } = await run(
    join(bin, 'initdb'),
    [`--pgdata=${unfinished}`, '--encoding=UTF8', ...locale, ...rights, '--no-instructions'],
    account,
  )
  if (code !== 0) {
    await rm(unfinished, { recursive: true, force: true })
    throw new PlainError(explainDiskFault(output, folder) ?? `The database could not be created in ${folder}:\n${output.trim()}`)
  }
  await rename(unfinished, join(folder, 'cluster'))
}

/** A cluster without our password came from a backup: it gets a new one, which only somebody with its files can give it. */
async function adoptCluster(folder: string, bin: string, account: Account | undefined, log: Log): Promise<void> {
  log('Taking over a restored database …')
  const data = join(folder, 'cluster')
  for (const entry of await readdir(data, { recursive: true })) await giveTo(account, join(data, entry))
  await giveTo(account, data)
  const password = randomBytes(24).toString('hex')
  const { code, output } = await run(
    join(bin, 'postgres'),
    ['--single', '-D', data, 'postgres'],
    account,
    `alter role postgres password '${password}'\n`,
  )
  if (code !== 0 || /ERROR|FATAL/.test(output))
    throw new PlainError(`The restored database in ${data} could not be taken over:\n${output.trim()}`)
  await writeFile(passwordFile(folder), `${password}\n`, { mode: 0o600 })
  await giveTo(account, passwordFile(folder))
}

async function majorOf(bin: string): Promise<number> {
  const { output } = await run(join(bin, 'postgres'), ['--version'], undefined)
  return Number(/ (\d+)/.exec(output)?.[1])
}

const wrongVersion = (data: string, found: string, ours: number) =>
  new PlainError(
    `The data in ${data} was written by PostgreSQL ${found}, but this is PostgreSQL ${ours}. ` +
      `Start with version ${found} (PG_BIN=/usr/lib/postgresql/${found}/bin npm start), or move that folder away to begin anew.`,
  )

function run(
  program: string,
  args: string[],
  account: Account | undefined,
  input?: string,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...programOptions(account), stdio: ['pipe', 'pipe', 'pipe'] })
    child.stdin.on('error', () => undefined).end(input)
    let output = ''
    child.stdout.on('data', (text: Buffer) => (output += text.toString()))
    child.stderr.on('data', (text: Buffer) => (output += text.toString()))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}

/**
 * Clears what an earlier run left, when that run could not tidy up: a server that still runs is shut down, and a pid file whose number
 * now belongs to some other program is removed (PostgreSQL would take that program for a server of this cluster, and refuse).
 * Only called while the folder's lock is ours, so whatever runs here belongs to nobody.
 */
export async function clearLeftovers({ data }: Cluster, log: Log): Promise<void> {
  let running = await processesIn(data)
  if (running === undefined) return
  if (running.length > 0) log('A database left over from an earlier run is stopped first.')
  for (let tries = 0; running && running.length > 0; tries++) {
    if (tries % 100 === 0) for (const pid of await postmasterOf(data, running)) signal(pid, tries === 0 ? 'SIGINT' : 'SIGQUIT')
    if (tries > 400)
      throw new PlainError(
        `A database left over from an earlier run does not stop (processes ${running.join(', ')}). End it, then start again.`,
      )
    await sleep(100)
    running = await processesIn(data)
  }
  await rm(join(data, 'postmaster.pid'), { force: true })
}

async function postmasterOf(data: string, running: number[]): Promise<number[]> {
  const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
  return running.filter((other) => other === pid)
}

/** The port of the last time when it is still free, so that a connection string noted somewhere stays right. */
export async function choosePort({ folder }: Cluster): Promise<number> {
  const file = join(folder, 'port')
  const remembered = Number(await readFile(file, 'utf8').catch(() => ''))
  if (remembered > 1023 && (await portState(remembered)) === 'free') return remembered
  const port = await freePort()
  await writeFile(file, `${port}\n`)
  return port
}
