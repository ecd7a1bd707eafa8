import { boundaries } from './boundaries.ts'
import { command, tsc } from './command.ts'
import { copyOfRepository } from './repository-copy.ts'

/** What `npm run new` writes is in order at once: in a copy it adds an area and adopts a planned one, and types, lint and directions of imports are looked at. */
export async function newArea(): Promise<string[]> {
  const copy = copyOfRepository()
  const run = async (program: string, ...args: string[]) => {
    const { code, output } = await command(program, args, { cwd: copy.root })
    return code === 0 ? [] : [output]
  }
  try {
    const planned = copy.features.find((feature) => feature.planned)?.name
    const areas = [['volunteering', 'shifts and helpers', '--record', 'work shift'], ...(planned ? [[planned, '--record', 'entry']] : [])]
    for (const area of areas) {
      const failed = await run(process.execPath, 'checks/src/new-feature.ts', '--no-measure', ...area)
      if (failed.length > 0) return failed
    }
    const folders = areas.flatMap(([area = '']) => [
      `apps/api/src/features/${area}`,
      `apps/web/src/features/${area}`,
      `packages/contract/src/features/${area}.ts`,
      `packages/db/src/demo/areas/${area}.ts`,
      `packages/db/tests/${area}.policies.test.ts`,
      `apps/api/tests/rights/areas`,
    ])
    return [
      ...(await run(tsc, '--project', '.')),
      ...(await run(tsc, '--project', 'apps/web')),
      ...(await run('eslint', '--max-warnings', '0', ...folders)),
      ...(await boundaries(copy.root)),
    ]
  } finally {
    copy.remove()
  }
}
