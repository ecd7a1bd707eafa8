import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { command } from './command.ts'

test('a file, an export and a dependency that nothing uses are found', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'guildhall-unused-'))
  try {
    const files: Record<string, string> = {
      'package.json': JSON.stringify({ name: 'planted', main: 'used.ts', dependencies: { 'left-pad': '1.0.0' } }),
      'used.ts': `import { one } from './shared.ts'\none()\n`,
      'shared.ts': `export const one = () => 1\nexport const two = () => 2\n`,
      'forgotten.ts': `export const nothing = 0\n`,
    }
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content)
    const { code, output } = await command('knip', ['--no-progress', '--directory', folder])
    expect(code).not.toBe(0)
    for (const finding of ['forgotten.ts', 'two', 'left-pad']) expect(output).toContain(finding)
    expect(output).not.toMatch(/\bone\b/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
