import { join, resolve } from 'node:path'
import { z } from 'zod'
import { PlainError } from './plain-error.ts'

export const root = resolve(import.meta.dirname, '../../..')

/** The application's port; the companions sit on the ones after it. */
export type Ports = { app: number; identity: number; inbox: number; smtp: number; payments: number }

export const demoSizes = ['demo', 'none', 'small', 'large', 'very-large'] as const
export type DemoSize = (typeof demoSizes)[number]

export type Settings = {
  ports: Ports
  appUrl: string
  dataDir: string
  /** An administrator's address of a PostgreSQL that is used instead of the one npm installed. */
  databaseUrl: string | undefined
  /** How much demo data an empty database gets. */
  demo: DemoSize
  /** Reload what changes, for developers. */
  watch: boolean
}

/** What the application and the identity provider agree on, the same in every development installation. */
export const identity = { clientId: 'guildhall-web', projectId: 'guildhall', orgId: 'demo' }

const lastPort = 65_535 - 4

const Environment = z.object({
  PORT: z.coerce
    .number('PORT must be a number, for example PORT=4000 npm start')
    .int()
    .min(1, 'PORT must be at least 1')
    .max(lastPort, `PORT must be at most ${lastPort}, as the four after it are used too`)
    .default(3000),
  GUILDHALL_DATA: z.string().min(1).default('.data'),
  GUILDHALL_DEMO: z.enum(demoSizes, `GUILDHALL_DEMO must be one of ${demoSizes.join(', ')}`).default('demo'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'DATABASE_URL must look like postgres://user:password@host:5432/database' })
    .optional(),
})

export function readSettings(environment: NodeJS.ProcessEnv, flags: readonly string[]): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const { success, data, error } = Environment.safeParse(given)
  if (!success) throw new PlainError(error.issues.map(({ message }) => message).join('. '))
  const unknown = flags.find((flag) => flag !== '--watch')
  if (unknown) throw new PlainError(`Unknown option ${unknown}. There is --watch, which reloads what changes (npm run dev).`)
  const { PORT: app } = data
  return {
    ports: { app, identity: app + 1, inbox: app + 2, smtp: app + 3, payments: app + 4 },
    appUrl: `http://localhost:${app}`,
    dataDir: resolve(root, data.GUILDHALL_DATA),
    databaseUrl: data.DATABASE_URL,
    demo: data.GUILDHALL_DEMO,
    watch: flags.includes('--watch'),
  }
}

export const filesIn = (dataDir: string): string => join(dataDir, 'files')
export const logsIn = (dataDir: string): string => join(dataDir, 'logs')
