import { spawn } from 'node:child_process'
import path from 'node:path'
import { root } from './repository.ts'

export type Finished = { code: number; output: string }

/** The compiler that checks types: TypeScript's native one, by its path, since the package that ESLint needs has a `tsc` too. */
export const tsc = path.join(root, 'node_modules/typescript-native/bin/tsc')

/** Runs a program of the repository (node_modules/.bin first) and collects what it printed; `live` shows it as it comes. */
export function command(program: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv; live?: boolean } = {}) {
  const cwd = options.cwd ?? root
  const env = {
    ...process.env,
    ...options.env,
    PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
  }
  return new Promise<Finished>((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ['ignore', options.live ? 'inherit' : 'pipe', options.live ? 'inherit' : 'pipe'],
    })
    let output = ''
    const collect = (chunk: Buffer) => (output += chunk.toString())
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.on('error', (error) => resolve({ code: 127, output: `${program}: ${error.message}` }))
    child.on('close', (code, signal) => resolve({ code: code ?? 1, output: signal ? `${output}\nended by ${signal}` : output }))
  })
}
