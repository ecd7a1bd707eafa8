import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { boundaries } from './boundaries.ts'
import { root } from './repository.ts'

const sound = {
  'packages/contract/src/index.ts': 'export const contract = 1',
  'packages/db/src/index.ts': "import { sql } from 'kysely'\nexport const db = sql",
  'apps/api/src/platform/log.ts': 'export const log = 1',
  'apps/api/src/features/people/people.queries.ts': "import { sql } from 'kysely'\nexport const list = sql",
  'apps/api/src/features/people/people.public.ts': "export { list } from './people.queries.ts'",
  'apps/api/src/features/groups/groups.data.ts':
    "import { list } from '../people/people.public.ts'\nimport { log } from '../../platform/log.ts'\nexport const data = [list, log]",
  'apps/api/src/app.ts':
    "import { contract } from '@guildhall/contract'\nimport { db } from '@guildhall/db'\nimport { data } from './features/groups/groups.data.ts'\nexport const app = [contract, db, data]",
  'apps/web/src/ui/button.tsx': 'export const Button = 1',
  'apps/web/src/features/people/person-page.tsx': "import { Button } from '../../ui/button.tsx'\nexport const PersonPage = Button",
}

/** One wrong import per rule, all planted at once, each in a file of its own. */
const planted: [rule: string, file: string, content: string][] = [
  ['contract-is-alone', 'packages/contract/src/a.ts', "export * from '../../db/src/index.ts'"],
  ['db-is-alone', 'packages/db/src/a.ts', "export * from '../../contract/src/index.ts'"],
  ['web-needs-contract', 'apps/web/src/app/a.tsx', "export * from '../../../api/src/platform/log.ts'"],
  ['web-features-know-no-app', 'apps/web/src/features/people/b.tsx', "export * from '../../app/a.tsx'"],
  ['web-platform-knows-no-feature', 'apps/web/src/platform/a.ts', "export * from '../features/people/person-page.tsx'"],
  ['ui-is-alone', 'apps/web/src/ui/a.tsx', "export * from '../features/people/person-page.tsx'"],
  ['web-feature-through-public', 'apps/web/src/features/groups/a.tsx', "export * from '../people/person-page.tsx'"],
  ['web-slots-are-light', 'apps/web/src/features/people/people-slots.tsx', "export * from './person-page.tsx'"],
  ['web-slots-are-light', 'apps/web/src/features/people/people-area.tsx', "export * from './person-page.tsx'"],
  ['web-slots-come-later', 'apps/web/src/app/b.tsx', "export * from '../features/people/people-slots.tsx'"],
  ['api-needs-contract-and-db', 'apps/api/src/a.ts', "export * from '../../web/src/ui/button.tsx'"],
  ['api-features-know-no-app', 'apps/api/src/features/people/a.rules.ts', "export * from '../../app.ts'"],
  ['api-platform-knows-no-feature', 'apps/api/src/platform/a.ts', "export * from '../features/people/people.public.ts'"],
  ['api-feature-through-public', 'apps/api/src/features/groups/b.data.ts', "export * from '../people/people.queries.ts'"],
  ['no-feature-circles', 'apps/api/src/features/people/c.rules.ts', "export * from '../groups/groups.public.ts'"],
  ['no-circles', 'apps/api/src/platform/c.ts', "import { d } from './d.ts'\nexport const c = d"],
  ['no-circles', 'apps/api/src/platform/e.ts', "import type { F } from './f.ts'\nexport type E = F | 1"],
  ['sql-in-queries', 'apps/api/src/features/groups/d.data.ts', "import { sql } from 'kysely'\nexport const data = sql"],
  ['no-outside-effects-in-data', 'apps/api/src/features/groups/e.data.ts', "import mailer from 'nodemailer'\nexport const data = mailer"],
  ['no-outside-effects-in-data', 'apps/api/src/features/groups/f.data.ts', "import http from 'node:https'\nexport const data = http"],
  [
    'outside-through-named-ports',
    'apps/api/src/features/groups/g.actions.ts',
    "import http from 'node:https'\nexport const actions = http",
  ],
  ['typed-addresses-through-outgoing', 'apps/api/src/platform/mail/h.ts', "import { request } from 'undici'\nexport const ask = request"],
  ['dev-stays-out-of-production', 'apps/api/src/g.ts', "import server from 'smtp-server'\nexport const app = server"],
  ['dev-needs-api-and-db', 'apps/dev/src/a.ts', "export * from '../../web/src/ui/button.tsx'"],
  ['e2e-is-outside', 'e2e/src/a.ts', "export * from '../../packages/db/src/index.ts'"],
  ['declared', 'packages/contract/src/h.ts', "import fastify from 'fastify'\nexport const h = fastify"],
  ['found', 'apps/api/src/i.ts', "import gone from './gone.ts'\nexport const i = gone"],
  ['no-orphans', 'apps/api/src/platform/alone.ts', 'export const alone = 1'],
]

function cruise(files: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'boundaries-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const manifests = ['apps/api', 'apps/web', 'apps/dev', 'packages/db', 'packages/contract'].map((name) => `${name}/package.json`)
  for (const file of ['package.json', 'tsconfig.base.json', ...manifests]) cpSync(path.join(root, file), path.join(folder, file))
  for (const other of ['checks', 'e2e', 'bench', 'apps/web', 'apps/dev']) mkdirSync(path.join(folder, other), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  for (const name of ['contract', 'db']) {
    mkdirSync(path.join(folder, 'apps/api/node_modules/@guildhall'), { recursive: true })
    symlinkSync(path.join(folder, 'packages', name), path.join(folder, 'apps/api/node_modules/@guildhall', name))
  }
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), content)
  }
  return boundaries(folder)
}

test('imports in the allowed directions have no findings', async () => {
  expect(await cruise(sound)).toEqual([])
})

test('every rule finds the import planted against it', async () => {
  const findings = await cruise({
    ...sound,
    'apps/api/src/platform/d.ts': "import { c } from './c.ts'\nexport const d = c",
    'apps/api/src/platform/f.ts': "import type { E } from './e.ts'\nexport type F = E | 2",
    'apps/api/src/features/groups/groups.public.ts': "import { list } from '../people/people.public.ts'\nexport const groups = list",
    ...Object.fromEntries(planted.map(([, file, content]) => [file, content])),
  })
  const unnoticed = planted.filter(([rule, file]) => {
    const expected = rule === 'no-feature-circles' ? `${rule}: ` : `${rule}: ${file}`
    return !findings.some((finding) => finding.startsWith(expected))
  })
  expect(unnoticed, findings.join('\n')).toEqual([])
})
