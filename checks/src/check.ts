/** `npm run check`: every rule a machine can hold us to. `npm run check -- lint types` runs those steps only. */
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { boundaries } from './boundaries.ts'
import { bundle } from './bundle.ts'
import { catalogues } from './catalogues.ts'
import { command, tsc } from './command.ts'
import { drift } from './drift.ts'
import { composeSecrets, environment } from './environment.ts'
import { links } from './links.ts'
import { newArea } from './new-area.ts'
import { conclude, runSteps, type Outcome, type Step } from './report.ts'
import { root, tree } from './repository.ts'
import { secrets } from './secrets.ts'
import { structure } from './structure.ts'
import { supplyChain } from './supply-chain.ts'
import { words } from './words.ts'

const web = path.join(root, 'apps/web')

async function program(name: string, ...args: string[]): Promise<Outcome> {
  const { code, output } = await command(name, args)
  return { problems: code === 0 ? [] : [output] }
}

/** In two parts: the types of everything at once are more than one process holds. */
const lint = (cache: string, ...folders: string[]) =>
  program('eslint', '--max-warnings', '0', '--cache', '--cache-location', `node_modules/.cache/${cache}`, ...folders)

const found = async (problems: string[] | Promise<string[]>): Promise<Outcome> => ({ problems: await problems })

async function build(): Promise<Outcome> {
  const { code, output } = await command('npm', ['run', 'build', '--workspace', '@guildhall/web'])
  return code === 0 ? bundle(path.join(web, 'dist')) : { problems: [output] }
}

const steps: Step[] = [
  { name: 'format', run: () => program('prettier', '--check', '--log-level', 'warn', '.') },
  { name: 'lint', run: () => lint('eslint', '.', '--ignore-pattern', 'apps/web', '--ignore-pattern', 'e2e') },
  { name: 'lint-web', run: () => lint('eslint-web', 'apps/web', 'e2e') },
  { name: 'types', run: () => program(tsc, '--project', '.') },
  { name: 'types-web', run: () => program(tsc, '--project', 'apps/web') },
  { name: 'types-e2e', run: () => program(tsc, '--project', 'e2e') },
  { name: 'boundaries', run: () => found(boundaries()) },
  { name: 'structure', run: () => found(structure(tree())) },
  { name: 'new-area', run: () => found(newArea()) },
  { name: 'unused', run: () => program('knip', '--no-progress', '--no-config-hints') },
  { name: 'secrets', run: () => found(secrets()) },
  { name: 'environment', run: () => found([...environment(), ...composeSecrets()]) },
  { name: 'links', run: () => found(links()) },
  { name: 'supply-chain', run: () => found(supplyChain()) },
  { name: 'drift', run: () => found(drift()) },
  { name: 'catalogues', run: () => found(catalogues().then((problems) => [...problems, ...words()])) },
  { name: 'build', run: build },
]

const names = process.argv.slice(2)
const unknown = names.filter((name) => !steps.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. There are ${steps.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
const chosen = names.length > 0 ? steps.filter(({ name }) => names.includes(name)) : steps
// More than two would want more memory than small machines have: ESLint and TypeScript each hold the whole program.
const failures = await runSteps(chosen, Math.min(2, availableParallelism()))
const planned = tree().features.filter((feature) => feature.planned)
console.log(
  planned.length > 0
    ? `${planned.length} planned areas are left: ${planned.map(({ name }) => name).join(', ')}`
    : 'No planned areas are left.',
)
conclude(chosen.length - failures.length, failures)
