/** `npm run new -- careers "jobs and mentoring" --record "job posting"`: an area that works in every layer, to be changed into what it shall be. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { addFeature } from './add-feature.ts'
import { command } from './command.ts'
import { root } from './repository.ts'

const must = async (program: string, ...args: string[]) => {
  const { code, output } = await command(program, args)
  if (code !== 0) throw new Error(output)
}

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: { record: { type: 'string' }, measure: { type: 'boolean', default: true } },
  })
  const [area = '', means] = positionals
  const { created, changed } = await addFeature(root, { area, means, record: values.record })
  await must('prettier', '--write', '--ignore-unknown', '--log-level', 'warn', ...created, ...changed)
  // In a process of its own, which reads the contract as it is now.
  await must(process.execPath, 'checks/src/generate.ts')
  await must('npm', 'run', 'messages', '--workspace', '@guildhall/web')
  // Who may do what with the new table, into docs/users/rights-by-table.md.
  if (values.measure) await must('vitest', 'run', 'rights-grid', '-u')
  const texts = await Promise.all(created.map((file) => readFile(path.join(root, file), 'utf8')))
  const lines = texts.map((text) => text.split('\n').length - 1)
  console.log(created.map((file, index) => `${String(lines[index]).padStart(5)}  ${file}`).join('\n'))
  console.log(`${String(lines.reduce((sum, count) => sum + count, 0)).padStart(5)}  lines\n\nWired in:\n${changed.join('\n')}`)
  console.log('\nNext: docs/developers/add-a-feature.md says what is left to you.')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error('Usage: npm run new -- <area> ["<what it means>"] [--record "<what one of its records is called>"]')
  process.exitCode = 1
}
