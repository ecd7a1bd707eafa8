// eslint-disable-next-line no-restricted-imports -- the one program a server starts is Node itself, to read apart what comes from outside
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** What a module in a process of its own may use. The heap is V8's own limit; `memoryMb` counts all that the process holds. */
export type Limits = {
  heapMb: number
  memoryMb: number
  cpuSeconds: number
  wallMs: number
  /** Native libraries, which Node's permissions do not hold back. */
  addons?: boolean
}
export type Apart = { ended: 'answer'; answer: unknown } | { ended: 'memory' | 'time' | 'failed' | 'busy' }

/** So many at once in one server; more would take its processor from everyone else. */
const atOnce = 2
const mostWaiting = 8
const patienceMs = 20_000
const answerLimit = 1_000_000
const watchMs = 50
const pageBytes = 4096
/** What Node reserves before it does anything, on top of what it uses: the kernel's limit counts both. */
const reservedMb = 900

let running = 0
const waiting: (() => void)[] = []

/** A place to run in, or false when too many are waiting already or none got free in time. */
async function enter(): Promise<boolean> {
  if (running < atOnce) {
    running += 1
    return true
  }
  if (waiting.length >= mostWaiting) return false
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      resolve(true)
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(go), 1)
      resolve(false)
    }, patienceMs)
    waiting.push(go)
  })
}

function leave() {
  const next = waiting.shift()
  // The place goes to the next one without being free in between.
  if (next) next()
  else running -= 1
}

/**
 * Runs a module that reads something from outside in a process of its own, so that whatever the content does to its reader happens there. The
 * process gets one line of JSON on stdin, answers with one on stdout, inherits no environment, and may write only to `writes`. Memory,
 * processor time and time are limited by the kernel, by V8 and from here, and it is killed at the first of them.
 */
export async function runApart(script: URL, task: unknown, writes: string, limits: Limits): Promise<Apart> {
  if (!(await enter())) return { ended: 'busy' }
  try {
    return await runOne(script, task, writes, limits)
  } finally {
    leave()
  }
}

function runOne(script: URL, task: unknown, writes: string, limits: Limits): Promise<Apart> {
  const node = [
    process.execPath,
    `--max-old-space-size=${limits.heapMb}`,
    '--permission',
    '--allow-fs-read=*',
    `--allow-fs-write=${writes}`,
    ...(limits.addons ? ['--allow-addons'] : []),
    '--no-warnings',
    fileURLToPath(script),
  ]
  const kernel = `ulimit -c 0; ulimit -t ${limits.cpuSeconds}; ulimit -d ${(limits.memoryMb + reservedMb) * 1024}; exec "$@"`
  const [command = '', ...rest] = existsSync('/bin/sh') ? ['/bin/sh', '-c', kernel, 'sh', ...node] : node
  const child = spawn(command, rest, { env: {}, stdio: ['pipe', 'pipe', 'ignore'] })
  return new Promise((resolve) => {
    let said = ''
    let killed: 'memory' | 'time' | 'failed' | null = null
    const kill = (why: 'memory' | 'time' | 'failed') => {
      killed ??= why
      child.kill('SIGKILL')
    }
    const clock = setTimeout(() => kill('time'), limits.wallMs)
    const watch = setInterval(
      () => void residentMb(child.pid).then((megabytes) => (megabytes > limits.memoryMb ? kill('memory') : undefined)),
      watchMs,
    )
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.length > answerLimit) kill('failed')
    })
    // A process that ends early closes its stdin; what that means is said by its end.
    child.stdin.on('error', () => undefined)
    child.stdin.write(`${JSON.stringify(task)}\n`)
    child.on('error', () => undefined)
    child.on('close', (code, signal) => {
      clearTimeout(clock)
      clearInterval(watch)
      resolve(killed ? { ended: killed } : conclude(said, code, signal))
    })
  })
}

function conclude(said: string, code: number | null, signal: NodeJS.Signals | null): Apart {
  if (code === 0) {
    try {
      return { ended: 'answer', answer: JSON.parse(said) }
    } catch {
      return { ended: 'failed' }
    }
  }
  if (signal === 'SIGXCPU' || signal === 'SIGKILL') return { ended: 'time' }
  // V8 and the allocator end a process that gets no more memory with one of these.
  return { ended: signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL' ? 'memory' : 'failed' }
}

/** What a process holds in memory; 0 where the system does not say (the kernel's and V8's limits hold there). */
async function residentMb(pid: number | undefined): Promise<number> {
  const pages = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  return (Number(pages.split(' ')[1] ?? 0) * pageBytes) / 1_000_000
}
