import { expect, test } from 'vitest'
import { composeSecrets, environment } from './environment.ts'
import { tree } from './repository.ts'

const sound: Record<string, string> = {
  'apps/api/src/platform/config.ts':
    'const Environment = z.object({\n  PORT: z.int(),\n  SMTP_URL: z.url(),\n})\nconst other = { port: 1 }',
  '.env.example': 'PORT=3000\n# Mail\n# SMTP_URL=smtp://localhost\n',
  'docs/operators/configure.md': '| `PORT` | 3000 | port |\n| `SMTP_URL` | | mail |',
}
const problems = (planted: Record<string, string | null>) => {
  const content = Object.fromEntries(
    Object.entries({ ...sound, ...planted }).filter((entry): entry is [string, string] => entry[1] !== null),
  )
  return environment({ files: Object.keys(content), read: (file) => content[file] ?? '' })
}

test('settings that are all described have no findings', () => {
  expect(problems({})).toEqual([])
})

test.each<[string, Record<string, string | null>, string]>([
  ['a setting that the example leaves out', { '.env.example': 'PORT=3000' }, '.env.example: SMTP_URL is not described'],
  ['an example of a setting that is gone', { '.env.example': `${sound['.env.example']}OLD=1` }, '.env.example: OLD is not a setting'],
  [
    'a setting that the operators’ page leaves out',
    { 'docs/operators/configure.md': '| `PORT` |' },
    'docs/operators/configure.md: SMTP_URL is not described',
  ],
  ['a missing example file', { '.env.example': null }, '.env.example is missing'],
])('%s is found', (_, planted, finding) => {
  expect(problems(planted)).toEqual([finding])
})

test('no container but that of migrations knows the administrator of the database or the password of another role', () => {
  const compose = tree().read('compose.yaml')
  const findings = (text: string) => composeSecrets({ read: () => text })
  expect(findings(compose)).toEqual([])
  expect(findings(compose.replace("    POSTGRES_PASSWORD: ''\n", ''))).toEqual(['compose.yaml: empty POSTGRES_PASSWORD for all services'])
  expect(findings(compose.replace('app_worker:${APP_WORKER_PASSWORD:?}', 'postgres:${POSTGRES_PASSWORD:?}'))).toEqual([
    'compose.yaml: worker gets POSTGRES_PASSWORD',
  ])
})
