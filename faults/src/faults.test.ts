import { expect, test } from 'vitest'
import { cases } from './cases.ts'
import { runCase } from './report.ts'

for (const one of cases) {
  if (!one.short) continue
  test(`${one.name}: ${one.about}`, { timeout: 120_000 }, async () => {
    const checks = await runCase(one, { seed: 20_261_121, ...(one.short ?? one.full) })
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
    expect(checks.length).toBeGreaterThan(0)
  })
}
