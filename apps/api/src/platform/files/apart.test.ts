import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { runApart } from './apart.ts'

const limits = { heapMb: 64, memoryMb: 200, cpuSeconds: 20, wallMs: 20_000 }
const answer = 'process.stdout.write(JSON.stringify(said), () => process.exit(0))'

test.for([
  ['an answer', `const said = { at: 1 }; ${answer}`, {}, { ended: 'answer', answer: { at: 1 } }],
  [
    'nothing of the environment',
    `const said = Object.keys(process.env).filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name)); ${answer}`,
    {},
    { ended: 'answer', answer: [] },
  ],
  ['buffers without end', 'const kept = []; setInterval(() => kept.push(Buffer.alloc(20_000_000, 1)), 5)', {}, { ended: 'memory' }],
  ['buffers in one go', 'const kept = []; for (;;) kept.push(Buffer.alloc(20_000_000, 1))', {}, { ended: 'memory' }],
  ['objects without end', 'const kept = []; for (;;) kept.push({ at: kept.length, text: String(kept.length) })', {}, { ended: 'memory' }],
  ['work without end', 'for (;;);', { cpuSeconds: 1 }, { ended: 'time' }],
  ['waiting without end', 'setInterval(() => undefined, 1000)', { wallMs: 1_000 }, { ended: 'time' }],
  ['talk without end', "setInterval(() => process.stdout.write('x'.repeat(100_000)), 5)", {}, { ended: 'failed' }],
  ['a file elsewhere', "import { writeFileSync } from 'node:fs'; writeFileSync('/tmp/guildhall-elsewhere', 'x')", {}, { ended: 'failed' }],
  ['another program', "import { execSync } from 'node:child_process'; execSync('true')", {}, { ended: 'failed' }],
  ['a crash', "throw new Error('no')", {}, { ended: 'failed' }],
] as const)('a process of its own: %s', { timeout: 30_000 }, async ([, program, tighter, expected]) => {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-apart-'))
  const script = join(folder, 'script.mjs')
  await writeFile(script, program)
  const before = process.memoryUsage.rss()
  const start = performance.now()
  expect(await runApart(pathToFileURL(script), {}, join(folder, 'out'), { ...limits, ...tighter })).toEqual(expected)
  expect(performance.now() - start).toBeLessThan(15_000)
  expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000)
  await rm(folder, { recursive: true })
})
