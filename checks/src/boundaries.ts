import path from 'node:path'
import { command } from './command.ts'
import { root } from './repository.ts'

type Cruise = {
  summary: {
    violations: { from: string; to: string; rule: { name: string }; cycle?: { name: string }[]; comment?: string }[]
    totalCruised: number
  }
}

/** Every import that goes against the directions of .dependency-cruiser.js, below `folder`. */
export async function boundaries(folder = root) {
  const config = path.join(root, '.dependency-cruiser.js')
  const { output } = await command(
    'depcruise',
    ['--config', config, '--output-type', 'json', 'packages', 'apps', 'checks', 'e2e', 'bench'],
    { cwd: folder },
  )
  if (!output.startsWith('{')) return [output]
  const { summary }: Cruise = JSON.parse(output)
  return summary.violations.map(
    ({ from, to, rule, cycle }) => `${rule.name}: ${[from, ...(cycle?.map(({ name }) => name) ?? [to])].join(' → ')}`,
  )
}
