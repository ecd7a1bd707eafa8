import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'

export type Product = {
  /** Address, and those of the development mail inbox and payment provider. */
  url: string
  mail: string
  payments: string
  /** Where a journey may listen as another system: the product asks this address although it is of this machine. */
  outside: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** One for each worker, so that journeys that run side by side do not meet. */
    products: Product[]
  }
}

const root = path.resolve(import.meta.dirname, '../..')
const patienceSeconds = 240
/** Journeys wait a good deal, so two of them at once keep two cores busy. A running product is used by one at a time. */
export const workers = process.env['E2E_URL'] ? 1 : 2

/** The same few people run all errands within the hour, and read more people than one person would. */
const manyErrands = { PEOPLE_PER_HOUR: 'off' }

/**
 * Starts a whole product for each worker, as `npm start` does, on ports and data of its own; E2E_URL names a running one instead, which needs
 * `OUTGOING_ALLOW` with the fifth port after its own for the journey of integrations.
 */
export async function setup(project: TestProject) {
  const running = process.env['E2E_URL']
  if (running) {
    project.provide('products', [addressesOf(new URL(running))])
    return
  }
  const started: Awaited<ReturnType<typeof startProduct>>[] = []
  const stop = async () => {
    for (const product of started) await product.stop()
  }
  try {
    // One after another: the first one builds the web application for both.
    for (let worker = 0; worker < workers; worker += 1) started.push(await startProduct(manyErrands))
  } catch (error) {
    await stop()
    throw error
  }
  project.provide(
    'products',
    started.map(({ url }) => addressesOf(url)),
  )
  return stop
}

/** A whole product on ports and data of its own, with settings that the usual one has not. */
export async function startProduct(settings: Record<string, string> = {}) {
  const port = await freePorts(6)
  const data = await mkdtemp(path.join(tmpdir(), 'guildhall-e2e-'))
  const child = spawn(process.execPath, ['apps/dev/src/start.ts'], {
    cwd: root,
    env: { ...process.env, OUTGOING_ALLOW: `localhost:${port + 5}`, ...settings, PORT: String(port), GUILDHALL_DATA: data },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-8000)))
  const stop = async () => {
    await stopped(child)
    await rm(data, { recursive: true, force: true })
  }
  const url = new URL(`http://localhost:${port}`)
  try {
    await ready(child, [new URL('/readyz', url), new URL(`http://localhost:${port + 1}/.well-known/openid-configuration`)])
  } catch (error) {
    await stop()
    throw new Error(`The product did not start.\n${output}`, { cause: error })
  }
  return { url, stop }
}

function addressesOf(url: URL): Product {
  const mail = new URL(url)
  mail.port = String(Number(url.port) + 2)
  const payments = new URL(url)
  payments.port = String(Number(url.port) + 4)
  const outside = new URL(url)
  outside.port = String(Number(url.port) + 5)
  return { url: url.origin, mail: mail.origin, payments: payments.origin, outside: outside.origin }
}

async function ready(child: ChildProcess, urls: URL[]) {
  const end = Date.now() + patienceSeconds * 1000
  for (const url of urls) {
    while (!(await answers(url))) {
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`)
      if (Date.now() > end) throw new Error(`${url.href} gave no answer in ${patienceSeconds} seconds.`)
      await sleep(250)
    }
  }
}

async function answers(url: URL) {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false // not listening yet
  }
}

async function stopped(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const end = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  const inTime = await Promise.race([end.then(() => true), sleep(30_000, false, { ref: false })])
  if (inTime) return
  child.kill('SIGKILL')
  throw new Error('The product did not stop within 30 seconds of Ctrl-C.')
}

/** The first of some free ports in a row, since the product's companions sit on the ports after its own. */
async function freePorts(count: number): Promise<number> {
  const first = 20_000 + Math.floor(Math.random() * 20_000)
  const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)))
  return free.every(Boolean) ? first : freePorts(count)
}

function isFree(port: number) {
  return new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
