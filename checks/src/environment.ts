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

/** All of .env reaches every container; each process is left with the password of its own role and no other. */
const passwords: Record<string, string[]> = { server: ['APP_API_PASSWORD'], worker: ['APP_WORKER_PASSWORD'] }
const kept = ['POSTGRES_PASSWORD', 'ADMIN_DATABASE_URL', 'APP_API_PASSWORD', 'APP_WORKER_PASSWORD', 'DATABASE_URL', 'WORKER_DATABASE_URL']

export function composeSecrets({ read }: Pick<Tree, 'read'> = tree()) {
  const [shared = '', services = ''] = read('compose.yaml').split(/^services:$/m)
  const parts = new Map([...services.matchAll(/^ {2}(\w+):\n((?: {3,}.*\n|\n)*)/gm)].map(([, name = '', text = '']) => [name, text]))
  return [
    ...kept.filter((name) => !shared.includes(`\n    ${name}: ''\n`)).map((name) => `compose.yaml: empty ${name} for all services`),
    ...Object.entries(passwords).flatMap(([service, own]) => {
      const text = parts.get(service) ?? ''
      const given = [...text.matchAll(/\$\{([A-Z_]+)/g)].map((match) => match[1] ?? '')
      return [
        ...(text.includes('<<: *settings') ? [] : [`compose.yaml: ${service} lacks the shared settings`]),
        ...given.filter((name) => !own.includes(name)).map((name) => `compose.yaml: ${service} gets ${name}`),
      ]
    }),
  ]
}

const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')
