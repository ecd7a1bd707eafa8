import path from 'node:path'
import { command } from './command.ts'
import { root } from './repository.ts'

/** Every text of the web app stands in every language's catalogue, and none is without a translation to fall back on. */
export async function catalogues(web = path.join(root, 'apps/web')) {
  const problems: string[] = []
  for (const what of ['sync', 'missing']) {
    const { code, output } = await command('lingui', ['check', what], { cwd: web })
    if (code !== 0) problems.push(`${output.trimEnd()}\nRun \`npm run messages --workspace @guildhall/web\`.`)
  }
  return problems
}
