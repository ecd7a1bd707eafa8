import { lintSource } from '@secretlint/core'
import { creator as recommended } from '@secretlint/secretlint-rule-preset-recommend'
import { tree, type Tree } from './repository.ts'

const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: recommended }] }
const binary = /\.(png|ico|woff2?|jpg|xlsx|gz|zip)$/

/** Keys, tokens and passwords of real services that were committed, or are about to be. */
export async function secrets({ files, read }: Pick<Tree, 'files' | 'read'> = tree()): Promise<string[]> {
  const problems: string[] = []
  for (const file of files.filter((name) => !binary.test(name))) {
    const { messages } = await lintSource({
      source: { filePath: file, content: read(file), contentType: 'text' },
      options: { config, noPhysicFilePath: true },
    })
    problems.push(...messages.map(({ message, loc }) => `${file}:${loc.start.line}: ${message}`))
  }
  return problems
}
