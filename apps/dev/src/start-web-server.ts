import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { logsIn, root, type Settings } from './settings.ts'
import { logFile } from './log-files.ts'
import { supervise, type Log, type Supervised } from './supervise.ts'

/** For developers: the web app as it is being written, reloaded as it changes, with everything else passed on to the API. */
export function startWebServer({ ports, dataDir }: Settings, apiPort: number, log: Log): Supervised {
  const output = logFile(logsIn(dataDir), 'web')
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  return supervise({
    name: 'The web server',
    log,
    stopSignal: 'TERM',
    stopSeconds: 5,
    start: () => {
      const target = output.open()
      const child = spawn(process.execPath, [vite, '--host', '127.0.0.1', '--port', String(ports.app), '--strictPort'], {
        cwd: join(root, 'apps/web'),
        env: { ...process.env, NODE_ENV: 'development', API_URL: `http://127.0.0.1:${apiPort}` },
        stdio: ['ignore', target, target],
        detached: true,
      })
      output.close(target)
      return child
    },
    explain: (how) => `The web server ended (${how}). Its log is ${output.path}.`,
  })
}
