import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { maxDifference } from '../platform/sign-in/clock-difference.ts'
import type { Config } from '../platform/config.ts'
import { algorithms } from '../platform/sign-in/provider.ts'
import { fault, note, ok, reasonOf } from './doctor-finding.ts'
import type { Finding } from './doctor-finding.ts'

const texts = z.array(z.string()).optional()
const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string().optional(),
  token_endpoint: z.string().optional(),
  userinfo_endpoint: z.string().optional(),
  jwks_uri: z.string().optional(),
  end_session_endpoint: z.string().optional(),
  revocation_endpoint: z.string().optional(),
  introspection_endpoint: z.string().optional(),
  response_types_supported: texts,
  grant_types_supported: texts,
  code_challenge_methods_supported: texts,
  id_token_signing_alg_values_supported: texts,
  token_endpoint_auth_methods_supported: texts,
  scopes_supported: texts,
  backchannel_logout_supported: z.boolean().optional(),
})
type Discovery = z.infer<typeof Discovery>
const Keys = z.object({ keys: z.array(z.object({ kid: z.string().optional(), kty: z.string(), n: z.string().optional() })) })
const OAuthError = z.object({ error: z.string(), error_description: z.string().optional() })

const ask = (url: string, init: RequestInit = {}) => fetch(url, { signal: AbortSignal.timeout(5_000), redirect: 'manual', ...init })
const form = (fields: Record<string, string>): RequestInit => ({ method: 'POST', body: new URLSearchParams(fields) })

/** The addresses of ours that the provider has to know. */
export function registeredAddresses({ PUBLIC_URL, AUTH_NAME }: Config) {
  const base = PUBLIC_URL.replace(/\/$/, '')
  return {
    redirect: ['signinwin', 'signinpop', 'signinsilent'].map((kind) => `${base}/auth/${kind}/${AUTH_NAME}`),
    afterSignOut: [`${base}/`, `${base}/auth/signoutpop/${AUTH_NAME}`],
    backchannel: `${base}/auth/backchannel-logout`,
  }
}

/** Looks at everything the provider shows without a person who signs in. */
export async function examineProvider(config: Config): Promise<Finding[]> {
  const issuer = config.ISSUER.replace(/\/$/, '')
  const address = `${issuer}/.well-known/openid-configuration`
  const whereTo = `Open ${address} in a browser: it must show the provider's configuration. If it does not, ISSUER is not the provider's address.`
  let response: Response
  try {
    response = await ask(address)
  } catch (error) {
    return [fault(`${issuer} cannot be reached: ${reasonOf(error)}.`, whereTo)]
  }
  if (!response.ok) return [fault(`${address} answers with status ${response.status}.`, whereTo)]
  const parsed = Discovery.safeParse(await response.json().catch(() => null))
  if (!parsed.success) return [fault(`${address} does not answer with an OpenID configuration.`, whereTo)]
  const found = parsed.data
  return [
    ok(`${issuer} answers with its configuration.`),
    issuerOf(found, issuer),
    clockOf(response),
    ...endpointsOf(found, config),
    ...(await keysOf(found)),
    ...abilitiesOf(found, config),
    ...(await clientOf(found, config)),
    ...(await redirectsOf(found, config)),
    ...(await corsOf(found, config, address)),
    ...(await introspectionOf(found, config)),
  ]
}

function issuerOf(found: Discovery, issuer: string): Finding {
  if (found.issuer.replace(/\/$/, '') === issuer) return ok(`It calls itself ${found.issuer}.`)
  return fault(`It calls itself ${found.issuer}, but ISSUER is ${issuer}.`, `Set ISSUER=${found.issuer}, letter by letter.`)
}

function clockOf(response: Response): Finding {
  const date = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(date)) return note('Its answers carry no date, so that the clocks cannot be compared.')
  const apart = Math.round(Math.abs(date / 1000 + 0.5 + (Number(response.headers.get('age')) || 0) - Date.now() / 1000))
  if (apart <= 30) return ok('Its clock agrees with ours.')
  const todo = 'Let this machine take its time from the network (chrony, systemd-timesyncd).'
  return apart <= maxDifference
    ? note(`Its clock and ours differ by ${apart} seconds.`, todo)
    : fault(`Its clock and ours differ by ${apart} seconds; beyond ${maxDifference} tokens are refused.`, todo)
}

function endpointsOf(found: Discovery, config: Config): Finding[] {
  const needed = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'] as const
  const missing = needed.filter((name) => !URL.canParse(found[name] ?? ''))
  const plain = [...needed, 'end_session_endpoint' as const].filter((name) => found[name]?.startsWith('http://'))
  const { origin } = new URL(config.ISSUER)
  const elsewhere = [...needed, 'revocation_endpoint' as const].filter(
    (name) => URL.canParse(found[name] ?? '') && new URL(found[name] ?? '').origin !== origin,
  )
  return [
    ...(elsewhere.filter((name) => name !== 'authorization_endpoint').length > 0
      ? [
          fault(
            `It has ${elsewhere.join(', ')} on other origins than ${origin}.`,
            'Pages of Guildhall may call the origin of ISSUER only; put the provider behind one name.',
          ),
        ]
      : []),
    missing.length > 0
      ? fault(`Its configuration lacks ${missing.join(', ')}.`, 'Sign-in needs them all; ask the provider’s administrator.')
      : ok('It has addresses for sign-in, tokens, user info and keys.'),
    ...(plain.length > 0 && config.NODE_ENV === 'production'
      ? [fault(`It offers ${plain.join(', ')} over plain http.`, 'Put the provider behind https.')]
      : []),
    found.end_session_endpoint
      ? ok('It can end its own session when somebody signs out.')
      : note('It has no address to end its session: signing out ends it in Guildhall only.'),
    found.revocation_endpoint
      ? ok('It takes refresh tokens back at sign-out.')
      : note('It has no address to take refresh tokens back at sign-out.'),
  ]
}

async function keysOf({ jwks_uri }: Discovery): Promise<Finding[]> {
  if (!jwks_uri || !URL.canParse(jwks_uri)) return []
  const todo = `Guildhall's server must be able to open ${jwks_uri}.`
  try {
    const response = await ask(jwks_uri)
    if (!response.ok) return [fault(`Its signing keys are answered with status ${response.status}.`, todo)]
    const parsed = Keys.safeParse(await response.json().catch(() => null))
    const keys = parsed.data?.keys ?? []
    if (keys.length === 0) return [fault('It publishes no signing keys.', 'Create one at the provider (RS256).')]
    const short = keys.filter(({ kty, n }) => kty === 'RSA' && Buffer.from(n ?? '', 'base64url').length < 256)
    return [
      ok(`It publishes ${keys.length} signing ${keys.length === 1 ? 'key' : 'keys'}.`),
      ...(short.length > 0 ? [fault('A signing key is shorter than 2048 bits.', 'Replace it at the provider.')] : []),
      ...(keys.some(({ kid }) => kid === undefined) && keys.length > 1
        ? [fault('Some signing keys have no name (kid), so that they cannot be told apart.', 'Give them names at the provider.')]
        : []),
    ]
  } catch (error) {
    return [fault(`Its signing keys cannot be fetched: ${reasonOf(error)}.`, todo)]
  }
}

function abilitiesOf(found: Discovery, config: Config): Finding[] {
  /** What a list must hold; a provider that does not say is asked no further. */
  const holds = (list: string[] | undefined, wanted: string, what: string, todo: string): Finding => {
    if (!list) return note(`It does not say whether it offers ${what}.`)
    return list.includes(wanted) ? ok(`It offers ${what}.`) : fault(`It does not offer ${what}.`, todo)
  }
  const isSigned = found.id_token_signing_alg_values_supported
  const isZitadel = found.authorization_endpoint?.includes('/oauth/v2/authorize') ?? false
  const wanted = (config.SCOPES ?? 'openid profile email offline_access').split(/\s+/).filter(Boolean)
  const unknown = wanted.filter((scope) => found.scopes_supported && !found.scopes_supported.includes(scope))
  return [
    holds(found.response_types_supported, 'code', 'the authorization code flow', 'Guildhall knows no other; choose another provider.'),
    holds(found.code_challenge_methods_supported, 'S256', 'proof keys (PKCE, S256)', 'Turn PKCE with S256 on at the provider.'),
    holds(
      found.grant_types_supported,
      'refresh_token',
      'refresh tokens',
      'Allow the grant type “refresh token”: without it sessions are renewed in a hidden frame, which many browsers block.',
    ),
    holds(
      found.token_endpoint_auth_methods_supported,
      'none',
      'public clients (authentication method “none”)',
      'Allow clients without a secret: a web page can keep none.',
    ),
    isSigned && !algorithms.some((one) => isSigned.includes(one))
      ? fault(`It signs with ${isSigned.join(', ')}, of which Guildhall takes none.`, `Choose one of ${algorithms.join(', ')}.`)
      : ok('It signs in a way that Guildhall takes.'),
    !isZitadel && !config.SCOPES
      ? fault(
          'It is not a Zitadel, but SCOPES is not set, so that the scopes of Zitadel are asked for.',
          'Set SCOPES="openid profile email offline_access", and what else brings the roles.',
        )
      : unknown.length > 0
        ? note(
            `It does not list the ${unknown.length === 1 ? 'scope' : 'scopes'} ${unknown.join(', ')}.`,
            'Look at SCOPES if sign-in is refused with invalid_scope.',
          )
        : ok('It knows the scopes that are asked for.'),
    found.backchannel_logout_supported
      ? ok('It can tell Guildhall of sign-outs (back-channel logout).')
      : note(
          'It does not say that it can tell of sign-outs (back-channel logout): a token then lives until it expires, so keep lifetimes at 5 to 15 minutes.',
        ),
  ]
}

/** Asks for tokens with a code that cannot be right: a client that is known and public is told so, any other is refused before. */
async function clientOf({ token_endpoint }: Discovery, config: Config): Promise<Finding[]> {
  if (!token_endpoint || !URL.canParse(token_endpoint)) return []
  const client_id = config.CLIENT_ID
  const wrong = randomBytes(24).toString('base64url')
  const [redirect_uri = ''] = registeredAddresses(config).redirect
  const refusal = async (fields: Record<string, string>) =>
    OAuthError.safeParse(await (await ask(token_endpoint, form({ client_id, ...fields }))).json().catch(() => null)).data?.error
  try {
    const code = await refusal({ grant_type: 'authorization_code', code: wrong, code_verifier: wrong + wrong, redirect_uri })
    const renewal = await refusal({ grant_type: 'refresh_token', refresh_token: wrong })
    if (code === 'invalid_client' || code === 'unauthorized_client') {
      return [
        fault(
          `It does not know the client ${client_id}, or asks it for a secret (${code}).`,
          'Register a public client (no secret, “none”, “PKCE”) for the authorization code flow and set CLIENT_ID to its id.',
        ),
      ]
    }
    if (code !== 'invalid_grant' && code !== 'invalid_request') return [note(`It answers a made-up code with ${code ?? 'no OAuth error'}.`)]
    return [
      ok(`It knows the client ${client_id}, without a secret.`),
      renewal === 'unauthorized_client' || renewal === 'unsupported_grant_type'
        ? fault(`The client ${client_id} may not use refresh tokens (${renewal}).`, 'Allow the grant type “refresh token” for this client.')
        : ok('The client may use refresh tokens.'),
    ]
  } catch (error) {
    return [fault(`Its token endpoint cannot be reached: ${reasonOf(error)}.`, `Guildhall's pages must be able to open ${token_endpoint}.`)]
  }
}

/** A registered address is redirected to, or to a sign-in page; any other is refused on the spot. */
async function redirectsOf({ authorization_endpoint }: Discovery, config: Config): Promise<Finding[]> {
  if (!authorization_endpoint || !URL.canParse(authorization_endpoint)) return []
  const { redirect, afterSignOut, backchannel } = registeredAddresses(config)
  const refused: string[] = []
  for (const redirect_uri of redirect) {
    const url = new URL(authorization_endpoint)
    url.search = new URLSearchParams({
      ...{ client_id: config.CLIENT_ID, response_type: 'code', scope: 'openid', prompt: 'none', redirect_uri },
      ...{ state: 'doctor', nonce: 'doctor', code_challenge: randomBytes(32).toString('base64url'), code_challenge_method: 'S256' },
    }).toString()
    const { status } = await ask(url.toString()).catch(() => ({ status: 0 }))
    if (status < 200 || status >= 400) refused.push(redirect_uri)
  }
  return [
    refused.length > 0
      ? fault(
          `It refuses to come back to ${refused.join(', ')}.`,
          `Register these redirect addresses for the client ${config.CLIENT_ID}, letter by letter.`,
        )
      : ok('It comes back to all three addresses of the sign-in.'),
    note(
      'It cannot be seen from outside whether these are registered:',
      `after sign-out ${afterSignOut.join(' and ')}; back-channel logout ${backchannel}`,
    ),
  ]
}

/** Browsers refuse to show a page the answer of another site that does not name the page's own. */
async function corsOf(found: Discovery, config: Config, address: string): Promise<Finding[]> {
  const { origin } = new URL(config.PUBLIC_URL)
  const admits = async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    headers.set('origin', origin)
    const response = await ask(url, { ...init, headers }).catch(() => null)
    return ['*', origin].includes(response?.headers.get('access-control-allow-origin') ?? '')
  }
  const preflight = {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
  }
  const asked: [what: string, url: string | undefined, init: RequestInit][] = [
    ['its configuration', address, {}],
    ['its keys', found.jwks_uri, {}],
    ['its token endpoint', found.token_endpoint, form({ client_id: config.CLIENT_ID, grant_type: 'refresh_token', refresh_token: 'none' })],
    ['user info', found.userinfo_endpoint, preflight],
    ['revocation', found.revocation_endpoint, form({ client_id: config.CLIENT_ID, token: 'none' })],
  ]
  const closed: string[] = []
  for (const [what, url, init] of asked) if (url && URL.canParse(url) && !(await admits(url, init))) closed.push(what)
  return [
    closed.length > 0
      ? fault(
          `It does not let pages of ${origin} read ${closed.join(', ')} (CORS).`,
          `Name ${origin} among the allowed or “web” origins of the client ${config.CLIENT_ID}.`,
        )
      : ok(`It answers pages of ${origin} (CORS).`),
  ]
}

async function introspectionOf({ introspection_endpoint }: Discovery, config: Config): Promise<Finding[]> {
  if (config.AUTH_MODE !== 'introspection') return []
  if (!introspection_endpoint) return [fault('It offers no introspection.', 'Set AUTH_MODE=jwt and let it issue access tokens as JWT.')]
  const [id, secret] = [config.INTROSPECTION_CLIENT_ID, config.INTROSPECTION_CLIENT_SECRET].map((part = '') => encodeURIComponent(part))
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const response = await ask(introspection_endpoint, { ...form({ token: 'made-up' }), headers: { authorization } }).catch(() => null)
  return [
    response?.ok
      ? ok('It answers introspection.')
      : fault(
          `It refuses introspection${response ? ` (status ${response.status})` : ''}.`,
          'Check INTROSPECTION_CLIENT_ID and INTROSPECTION_CLIENT_SECRET, and that this client may introspect tokens of the project.',
        ),
  ]
}
