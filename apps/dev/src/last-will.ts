import { spawn } from 'node:child_process'
import { Socket } from 'node:net'

const script = `
trap '' HUP INT TERM
read -r _
kill -s "$1" -- "$2" 2>/dev/null
for _ in $(seq 100); do kill -0 -- "$2" 2>/dev/null || exit 0; sleep 0.1; done
kill -s KILL -- "$2" 2>/dev/null
`

/**
 * Ends a child even when this process is killed without a word: a small shell waits on a pipe that only we hold open, and signals
 * the child when the pipe closes. `target` is a process id, or its negative for the whole process group. Returns the way to cancel.
 */
export function endAlongWithUs(target: number, signal: 'TERM' | 'INT'): () => void {
  const guard = spawn('/bin/sh', ['-c', script, 'guard', signal, String(target)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  })
  guard.on('error', () => undefined)
  guard.stdin.on('error', () => undefined)
  guard.unref()
  if (guard.stdin instanceof Socket) guard.stdin.unref()
  return () => guard.kill('SIGKILL')
}
