/** Loaded into a process before its program: on SIGWINCH it writes down how long its event loop was held up at worst, and begins anew. */
import { appendFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const histogram = monitorEventLoopDelay({ resolution: 10 })
histogram.enable()
process.on('SIGWINCH', () => {
  const file = process.env['LOOP_DELAY_FILE']
  const delays = { pid: process.pid, p99: histogram.percentile(99) / 1e6, longest: histogram.max / 1e6 }
  if (file) appendFileSync(file, `${JSON.stringify(delays)}\n`)
  histogram.reset()
})
