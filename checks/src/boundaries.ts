import path from 'node:path'
import * as z from 'zod'
import { command } from './command.ts'
import { root } from './repository.ts'

const Cruise = z.object({
  summary: z.object({
    violations: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        rule: z.object({ name: z.string() }),
        cycle: z.array(z.object({ name: z.string() })).optional(),
      }),
    ),
  }),
})

/** Every import that goes against the directions of .dependency-cruiser.js, below `folder`. */
export async function boundaries(folder = root) {
  const config = path.join(root, '.dependency-cruiser.js')
  const { output } = await command(
    'depcruise',
    ['--config', config, '--output-type', 'json', 'packages', 'apps', 'checks', 'e2e', 'bench'],
    { cwd: folder },
  )
  if (!output.startsWith('{')) return [output]
  const { summary } = Cruise.parse(JSON.parse(output))
  return summary.violations.map(
    ({ from, to, rule, cycle }) => `${rule.name}: ${[from, ...(cycle?.map(({ name }) => name) ?? [to])].join(' → ')}`,
  )
}
