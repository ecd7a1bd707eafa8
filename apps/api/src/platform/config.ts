import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { BlockList, isIPv6 } from 'node:net'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import * as z from 'zod'
import { dkimFaults } from './mail/dkim.ts'
import { publicKeyOf } from './mail/feedback/sendgrid-key.ts'
import { longestBounceName } from './mail/mail-reference.ts'
import { isHostAndPort } from './outgoing/address-rules.ts'

const optional = (value: unknown) => (value === '' ? undefined : value)
const optionalText = z.preprocess(optional, z.string().optional())

const named = (claim: string) => z.preprocess(optional, z.string().max(200).default(claim))
const perHour = z.int().min(1).max(1_000_000_000)
const list = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : []),
  z.array(z.string().max(200)).max(20),
)

const privateNetworks = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  // prettier-ignore
  privateNetworks.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['fc00::', 7],
  ['fe80::', 10],
  ['::1', 128],
] as const)
  privateNetworks.addSubnet(network, bits, 'ipv6')

/** Whoever is in one of these networks may say that others ask: a private one, or a public one no larger than those of large providers. */
function isOfProxies(network: string): boolean {
  const [address = '', bits] = network.split('/')
  if (!isIPv6(address)) return Number(bits ?? 32) >= (privateNetworks.check(address, 'ipv4') ? 8 : 12)
  // ::ffff:0:0/96 is all of version 4 under another name.
  const mapped = new BlockList()
  mapped.addSubnet(address, Number(bits ?? 128), 'ipv6')
  if (mapped.check('::ffff:8.8.8.8', 'ipv6') || mapped.check('8.8.8.8', 'ipv4')) return bits === undefined || Number(bits) >= 96 + 12
  return Number(bits ?? 128) >= (privateNetworks.check(address, 'ipv6') ? 7 : 28)
}

const hostName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/i

function isEcKey(key: string): boolean {
  try {
    return publicKeyOf(key).asymmetricKeyType === 'ec'
  } catch {
    return false
  }
}

const hexKey = z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal characters (openssl rand -hex 32)')

/** Every setting of the api and the worker; the only place that reads the environment. See docs/operators/configure.md. */
const Environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  TRUSTED_PROXIES: z.preprocess(
    (value) => (typeof value === 'string' ? value.split(',').map((one) => one.trim()).filter(Boolean) : value), // prettier-ignore
    z
      .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be addresses or networks, separated by commas'))
      .max(100)
      .refine(
        (networks) => networks.every(isOfProxies),
        'name your proxies: a public network of more than /12 (IPv4) or /28 (IPv6) is not yours alone',
      )
      .default([]),
  ),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:3000'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  WORKER_DATABASE_URL: z.preprocess(optional, z.url({ protocol: /^postgres(ql)?$/ }).optional()),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(16),
  ACTOR_KEY: hexKey,
  INTEGRATIONS_KEY: z.preprocess(optional, hexKey.optional()),
  ISSUER: z.url({ protocol: /^https?$/ }),
  CLIENT_ID: z.string().min(1),
  PROJECT_RESOURCE_ID: z.string().min(1),
  ORG_ID: optionalText,
  API_CLIENT_IDS: list,
  AUTH_MODE: z.enum(['jwt', 'introspection']).default('jwt'),
  INTROSPECTION_CLIENT_ID: optionalText,
  INTROSPECTION_CLIENT_SECRET: optionalText,
  ROLES_FROM: z.enum(['token', 'userinfo']).default('token'),
  ROLES_CLAIM: named('urn:zitadel:iam:org:project:{project}:roles'),
  ORG_CLAIM: named('urn:zitadel:iam:user:resourceowner:id'),
  NAME_CLAIM: named('name'),
  EMAIL_CLAIM: named('email'),
  EMAIL_VERIFIED_CLAIM: named('email_verified'),
  SCOPES: optionalText,
  AUTH_NAME: z
    .string()
    .regex(/^[a-z0-9-]{1,60}$/, 'is part of addresses: small letters, digits and dashes')
    .default('zitadel'),
  AUTH_TYPE: z.enum(['window', 'popup']).default('window'),
  MONITOR_SESSION: z.enum(['on', 'off']).default('off'),
  RECORDING: z.enum(['on', 'off']).default('off'),
  FEEDBACK: z.enum(['on', 'off']).default('off'),
  SIGN_UP: z.enum(['invite', 'open']).default('invite'),
  SIGN_UP_ROLE: z
    .string()
    .regex(/^[a-z][a-z0-9-]{1,40}$/, 'must be the key of a role, such as member, or none')
    .default('member'),
  SMTP_URL: z.preprocess(optional, z.url({ protocol: /^smtps?$/ }).optional()),
  SMTP_TLS: z.enum(['required', 'optional']).default('required'),
  MAIL_FROM: z.string().default('Guildhall <no-reply@localhost>'),
  MAIL_PER_DOMAIN: z.coerce.number().int().min(0).max(1_000_000).default(600),
  MAIL_PER_ADDRESS: z.coerce.number().int().min(0).max(1_000_000).default(60),
  MAIL_BOUNCE_ADDRESS: z.preprocess(
    optional,
    z
      .email()
      .refine((address) => address.indexOf('@') <= longestBounceName && !address.includes('+'), {
        message: `must have at most ${longestBounceName} characters and no + before the @, since ids are added there`,
      })
      .optional(),
  ),
  MAIL_REPORT_TOKEN: z.preprocess(
    optional,
    z.string().min(24, 'must have 24 characters at least (openssl rand -hex 32)').max(200).optional(),
  ),
  MAILGUN_SIGNING_KEY: z.preprocess(optional, z.string().min(16).max(200).optional()),
  SENDGRID_PUBLIC_KEY: z.preprocess(
    optional,
    z.string().max(2_000).refine(isEcKey, 'must be the verification key of the signed event webhook').optional(),
  ),
  DKIM_DOMAIN: z.preprocess(optional, z.string().regex(hostName, 'must be a domain, such as example.org').optional()),
  DKIM_SELECTOR: z.preprocess(
    optional,
    z
      .string()
      .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i, 'must be small letters, digits and dashes')
      .optional(),
  ),
  DKIM_PRIVATE_KEY: optionalText,
  DNS_SERVERS: list,
  OUTGOING_ALLOW: z.preprocess(
    (value) => (typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : value),
    z.array(z.string().refine(isHostAndPort, 'must be hosts with their ports, such as localhost:4010')).max(50).default([]),
  ),
  STRIPE_SECRET_KEY: z.preprocess(
    optional,
    z
      .string()
      .regex(/^(sk|rk)_(test|live)_[A-Za-z0-9_]{8,250}$/, 'must be a secret or restricted key, such as sk_live_…')
      .optional(),
  ),
  STRIPE_WEBHOOK_SECRET: z.preprocess(
    (value) => (typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : value),
    z
      .array(z.string().regex(/^whsec_[A-Za-z0-9+/=_-]{8,250}$/, 'must be the signing secret of the endpoint, such as whsec_…'))
      .max(3)
      .default([]),
  ),
  STRIPE_API_URL: z.preprocess(optional, z.url({ protocol: /^https?$/ }).optional()),
  FILES_DIR: z.string().min(1),
  S3_BUCKET: optionalText,
  S3_REGION: z.preprocess(optional, z.string().max(60).default('us-east-1')),
  S3_ENDPOINT: z.preprocess(optional, z.url({ protocol: /^https?$/ }).optional()),
  S3_ACCESS_KEY_ID: optionalText,
  S3_SECRET_ACCESS_KEY: optionalText,
  WEB_DIST: optionalText,
  METRICS_PORT: z.preprocess(optional, z.coerce.number().int().min(0).max(65535).optional()),
  METRICS_HOST: z.string().default('127.0.0.1'),
  TRACES_URL: z.preprocess(optional, z.url({ protocol: /^https?$/ }).optional()),
  TRACES_SHARE: z.coerce.number().min(0).max(1).default(1),
  PEOPLE_PER_HOUR: z.preprocess(
    (value) => (typeof value === 'string' && value !== 'off' ? value.split(',').map((one) => Number(one.trim())) : optional(value)),
    z
      .union(
        [z.literal('off'), z.tuple([perHour, perHour, perHour])],
        'must be three whole numbers, for members, officers and the whole organisation, or off',
      )
      .default([3_000, 20_000, 1_000_000])
      .transform((bounds) => (bounds === 'off' ? bounds : { member: bounds[0], officer: bounds[1], organisation: bounds[2] })),
  ),
  DRAIN_SECONDS: z.coerce.number().min(0).max(60).default(5),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

type Settings = z.infer<typeof Environment>
export type Config = Settings & { INTEGRATIONS_KEY: string }

/** Settings of the operator commands that prepare a database. */
const AdminEnvironment = z.object({
  ADMIN_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  ACTOR_KEY: z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal characters (openssl rand -hex 32)'),
  APP_API_PASSWORD: optionalText,
  APP_WORKER_PASSWORD: optionalText,
})

export class ConfigError extends Error {}

/** Reads the settings; throws a ConfigError that lists every fault at once, naming each variable. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const parsed = Environment.safeParse(environment)
  const faults = parsed.success
    ? [
        ...signInFaults(parsed.data),
        ...storeFaults(parsed.data),
        ...paymentFaults(parsed.data),
        ...dkimFaults(parsed.data),
        ...productionFaults(parsed.data),
      ]
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  if (!parsed.success || faults.length > 0) {
    throw new ConfigError(`The configuration is not usable:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
  }
  return { ...parsed.data, INTEGRATIONS_KEY: parsed.data.INTEGRATIONS_KEY ?? localKey(parsed.data) }
}

/** A developer's machine needs no second key. The database knows the one it is made of, so it is none for production. */
const localKey = ({ ACTOR_KEY }: Settings) => createHash('sha256').update(`integrations ${ACTOR_KEY}`).digest('hex')

/** The same for commands typed on a developer's machine: where no settings are given, those that `npm start` runs with. */
export function readCommandConfig(environment: NodeJS.ProcessEnv): Config {
  return readConfig(environment['DATABASE_URL'] ? environment : { ...environment, ...localSettings(environment) })
}

function localSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const file = join(environment['GUILDHALL_DATA'] ?? '.data', 'guildhall.env')
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
}

const unusable = ({ issues }: z.ZodError) =>
  new ConfigError(`The configuration is not usable:\n${issues.map((issue) => `  - ${issue.path.join('.')}: ${issue.message}`).join('\n')}`)

/** Reads what `migrate` and `create-organisation` need; throws a ConfigError that lists every fault. */
export function readAdminConfig(environment: NodeJS.ProcessEnv) {
  const parsed = AdminEnvironment.safeParse(environment)
  if (!parsed.success) throw unusable(parsed.error)
  const { ADMIN_DATABASE_URL, ACTOR_KEY, APP_API_PASSWORD, APP_WORKER_PASSWORD } = parsed.data
  return { adminUrl: ADMIN_DATABASE_URL, actorKey: ACTOR_KEY, apiPassword: APP_API_PASSWORD, workerPassword: APP_WORKER_PASSWORD }
}

const BackupEnvironment = Environment.pick({
  FILES_DIR: true,
  S3_BUCKET: true,
  S3_REGION: true,
  S3_ENDPOINT: true,
  S3_ACCESS_KEY_ID: true,
  S3_SECRET_ACCESS_KEY: true,
}).extend({ ADMIN_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }) })

/** What `backup` needs; on a developer's machine, what `npm start` runs with. */
export function readBackupConfig(environment: NodeJS.ProcessEnv) {
  const parsed = BackupEnvironment.safeParse({ ...localSettings(environment), ...environment })
  if (!parsed.success) throw unusable(parsed.error)
  const { ADMIN_DATABASE_URL: adminUrl, ...store } = parsed.data
  return { adminUrl, store }
}

function signInFaults({ AUTH_MODE, INTROSPECTION_CLIENT_ID, INTROSPECTION_CLIENT_SECRET }: Settings): string[] {
  if (AUTH_MODE !== 'introspection') return []
  return [
    ...(INTROSPECTION_CLIENT_ID ? [] : ['INTROSPECTION_CLIENT_ID: the confidential client that may introspect is missing']),
    ...(INTROSPECTION_CLIENT_SECRET ? [] : ['INTROSPECTION_CLIENT_SECRET: its secret is missing']),
  ]
}

function storeFaults({ S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_ENDPOINT }: Settings): string[] {
  if (S3_BUCKET === undefined) return S3_ENDPOINT === undefined ? [] : ['S3_BUCKET: the bucket at S3_ENDPOINT is missing']
  return [
    ...(S3_ACCESS_KEY_ID ? [] : ['S3_ACCESS_KEY_ID: the key that opens the bucket is missing']),
    ...(S3_SECRET_ACCESS_KEY ? [] : ['S3_SECRET_ACCESS_KEY: its secret is missing']),
  ]
}

/** A payment whose events cannot be read would never settle; and money is moved by what is meant to move it. */
function paymentFaults({ NODE_ENV, STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secrets, STRIPE_API_URL: url }: Settings): string[] {
  if (key === undefined)
    return [
      ...(secrets.length > 0 ? ['STRIPE_SECRET_KEY: the key that belongs to STRIPE_WEBHOOK_SECRET is missing'] : []),
      ...(url !== undefined ? ['STRIPE_SECRET_KEY: the key for STRIPE_API_URL is missing'] : []),
    ]
  const isLive = /^[a-z]+_live_/.test(key)
  return [
    ...(secrets.length === 0 ? ['STRIPE_WEBHOOK_SECRET: the signing secret of the webhook endpoint is missing'] : []),
    ...(isLive && NODE_ENV !== 'production'
      ? ['STRIPE_SECRET_KEY: a live key is for production only; use one that begins with sk_test_']
      : []),
    ...(url !== undefined && NODE_ENV === 'production' ? ['STRIPE_API_URL: is for development only'] : []),
  ]
}

/** Names and addresses of this machine. */
export const isLoopback = (host: string): boolean => loopback.test(host)
const loopback = /^((.+\.)?localhost\.?|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f:]+\])$/
const knownPasswords = [
  ...[
    'postgres',
    'password',
    'passwort',
    'guildhall',
    'app_api',
    'app_worker',
    'secret',
    'changeme',
    'change-me',
    'example',
    'admin',
    'root',
  ],
  ...['test', 'letmein', 'qwerty', '12345678', '123456789', '1234567890', '123456'],
]
const isKnown = (password: string) => knownPasswords.includes(decodeURIComponent(password).toLowerCase())

/** Thirty-two random bytes hold about thirty different ones, and so many different steps from one to the next. */
function isGuessable(key: string): boolean {
  const bytes = Buffer.from(key, 'hex')
  const steps = bytes.map((byte, at) => byte - (bytes[at - 1] ?? 0))
  return new Set(bytes).size < 16 || new Set(steps).size < 16
}

/** Parameters of the address with which a mail server's certificate or encryption is done without. */
const weakens = /^(ignoretls|requiretls|opportunistictls|secure|tls\b.*)$/i

function mailFaults({ SMTP_URL, SMTP_TLS }: Settings): string[] {
  if (SMTP_URL === undefined) return []
  const url = new URL(SMTP_URL)
  if (loopback.test(url.hostname)) return []
  return [
    ...(url.password && isKnown(url.password) ? ['SMTP_URL: set a real password'] : []),
    ...(SMTP_TLS === 'required' && [...url.searchParams.keys()].some((name) => weakens.test(name))
      ? ['SMTP_URL: leave TLS as it is, or say SMTP_TLS=optional where mail may travel unencrypted']
      : []),
  ]
}

/** What is fine on a developer's machine must never reach production. */
function productionFaults(config: Settings): string[] {
  if (config.NODE_ENV !== 'production') return []
  const faults: string[] = []
  const url = new URL(config.PUBLIC_URL)
  const issuer = new URL(config.ISSUER)
  if (url.protocol !== 'https:' && !loopback.test(url.hostname)) faults.push('PUBLIC_URL: use https')
  if (loopback.test(issuer.hostname)) faults.push('ISSUER: a loopback identity provider is for development only')
  if (issuer.protocol !== 'https:') faults.push('ISSUER: use https')
  if (isGuessable(config.ACTOR_KEY)) faults.push('ACTOR_KEY: this is an example key or a pattern; make one with openssl rand -hex 32')
  if (config.INTEGRATIONS_KEY === undefined)
    faults.push('INTEGRATIONS_KEY: the key that seals secrets of integrations is missing; make one with openssl rand -hex 32')
  else if (isGuessable(config.INTEGRATIONS_KEY) || config.INTEGRATIONS_KEY.toLowerCase() === config.ACTOR_KEY.toLowerCase())
    faults.push('INTEGRATIONS_KEY: this is an example key, a pattern or ACTOR_KEY; make one with openssl rand -hex 32')
  if (config.S3_ENDPOINT !== undefined) {
    const store = new URL(config.S3_ENDPOINT)
    if (store.protocol !== 'https:' && !loopback.test(store.hostname)) faults.push('S3_ENDPOINT: use https')
  }
  faults.push(...mailFaults(config))
  for (const name of ['DATABASE_URL', 'WORKER_DATABASE_URL'] as const) {
    const value = config[name]
    if (value === undefined) continue
    const { username, password } = new URL(value)
    if (!password || isKnown(password)) faults.push(`${name}: set a real password`)
    if (username === 'postgres') faults.push(`${name}: use the role that "guildhall migrate" makes, not an administrator`)
  }
  return faults
}
