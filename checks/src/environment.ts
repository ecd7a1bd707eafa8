import { tree, type Tree } from './repository.ts'

const schema = 'apps/api/src/platform/config.ts'
const described = ['.env.example', 'docs/operators/configure.md']

/** The server's settings, its example file and the operators' page name the same variables. */
export function environment({ read, files }: Pick<Tree, 'read' | 'files'> = tree()) {
  const settings = names(read(schema), /^ {2}([A-Z][A-Z_]+):/gm)
  return described.flatMap((file) => {
    if (!files.includes(file)) return [`${file} is missing`]
    const listed = names(read(file), /^(?:# ?|\| `)?([A-Z][A-Z_]+)(?:=|` *\|)/gm)
    return [
      ...settings.filter((name) => !listed.includes(name)).map((name) => `${file}: ${name} is not described`),
      ...listed.filter((name) => !settings.includes(name)).map((name) => `${file}: ${name} is not a setting`),
    ]
  })
}

const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')
