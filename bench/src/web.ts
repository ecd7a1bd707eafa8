/** `npm run bench:web`: how the web application feels with 100,000 people, in Chromium, against the figures it is held to. */
import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { chromium } from '@guildhall/checks/chromium'
import { useList } from './interactions.ts'
import { audit } from './lighthouse.ts'
import { missed, round, table } from './report.ts'
import { setStage } from './stage.ts'

const { values } = parseArgs({
  options: { people: { type: 'string', default: '100000' }, runs: { type: 'string', default: '3' } },
})
const [people, runs] = [Number(values.people), Number(values.runs)]
if (!Number.isInteger(people) || people < 2_000 || !Number.isInteger(runs) || runs < 0) {
  console.error('Give whole numbers: --people 100000 (2,000 at least) --runs 3 (of Lighthouse, of which the median counts; 0 for none)')
  process.exit(1)
}
const log = (line: string) => console.error(`  ${line}`)
const browserPath = await chromium()
if (!browserPath) throw new Error('This needs a Chromium: install one (Debian: apt-get install chromium) or name it in CHROMIUM_PATH.')
const webDist = new URL('../../apps/web/dist', import.meta.url).pathname
const built = spawnSync('npm', ['run', 'build', '--workspace', '@guildhall/web'], { encoding: 'utf8' })
if (built.status !== 0) throw new Error(`The web application could not be built.\n${built.stdout}${built.stderr}`)

const stage = await setStage(people, log, webDist)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stage.stop().finally(() => process.exit(130)))
try {
  console.log(`\n${round(people)} people; Node ${process.version}, load average ${round(loadavg()[0] ?? 0, 1)} on ${cpus().length} cores\n`)
  const { interactions, scroll, layoutShift, heapMegabytes } = await useList(browserPath, stage.apiUrl, log)
  console.log(
    table([
      ['in the list of people, processor slowed 4 times', 'interactions', 'median ms', 'slowest ms', 'wanted'],
      ...interactions.map(({ what, times, slowest, median }) => [
        what,
        String(times),
        round(median),
        round(slowest),
        `≤ 200${missed(slowest > 200)}`,
      ]),
    ]),
  )
  console.log(
    `\n${table([
      ['processor not slowed', 'measured', 'wanted'],
      ['while scrolling, 95 of 100 frames within', `${round(scroll)} ms`, `≤ 25 ms${missed(scroll > 25)}`],
      ['layout shift of all of it', round(layoutShift, 3), `≤ 0.02${missed(layoutShift > 0.02)}`],
      ['heap after all of it', `${round(heapMegabytes)} MB`, `≤ 150 MB${missed(heapMegabytes > 150)}`],
    ])}`,
  )
  if (runs > 0) {
    const audits = await audit(browserPath, stage.apiUrl, runs, log)
    console.log(
      `\n${table([
        ['Lighthouse', 'as', 'performance', 'accessibility', 'best practices', 'LCP s', 'blocking ms', 'CLS', 'wanted'],
        ...audits.map(({ page, form, performance, accessibility, bestPractices, lcp, blocking, shift, wanted }) => [
          page,
          form,
          round(performance),
          round(accessibility),
          round(bestPractices),
          round(lcp / 1000, 2),
          round(blocking),
          round(shift, 3),
          `≥ ${wanted}, 100, 100${missed(performance < wanted || accessibility < 100 || bestPractices < 100)}`,
        ]),
      ])}`,
    )
  }
} finally {
  await stage.stop()
}
