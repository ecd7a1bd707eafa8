import { spawn } from 'node:child_process'
import { once } from 'node:events'

export const cli = new URL('../../apps/api/src/cli.ts', import.meta.url).pathname

/** Runs an operator's command to its end. */
export async function command(args: string[], env: Record<string, string>): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [cli, ...args], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  await once(child, 'close')
  return { code: child.exitCode ?? 1, output }
}
