import { expect, test } from 'vitest'
import { tree } from './repository.ts'

const { read } = tree()
const rules = read('docs/operators/alerts.yml')
const runbook = read('docs/operators/watch.md')
const metrics = read('apps/api/src/platform/observability/metrics.ts')
const drills = read('apps/api/src/platform/observability/metrics.test.ts')

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')

test('every alarm has its place in the runbook, and the other way round', () => {
  expect(all(runbook, /^### (Guildhall\w+)/gm).sort()).toEqual(all(rules, /alert: (\w+)/g).sort())
})

test('alarms look at metrics that there are, and each of those is fired by a test and described', () => {
  const looked = new Set(all(rules, /\b(guildhall_\w+?)(?:_bucket)?[{[)]/g))
  expect(looked.size).toBeGreaterThan(8)
  for (const name of looked) {
    expect(metrics, name).toContain(`'${name}'`)
    expect(drills, name).toContain(name)
  }
  for (const name of all(metrics, /'(guildhall_\w+)'/g)) expect(runbook, name).toContain(`\`${name}\``)
})
