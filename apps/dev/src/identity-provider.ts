import type { IncomingMessage, ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'
import { demoPeople, type DemoPerson } from './demo-people.ts'
import { identityConfiguration } from './identity-configuration.ts'
import { loadIdentityKeys } from './identity-keys.ts'
import { answerLogin } from './identity-login.ts'
import { welcomePage } from './identity-pages.ts'
import { addSessionManagement, checkSessionPage, checkSessionPath } from './identity-session.ts'
import type { IdentitySettings } from './identity-settings.ts'
import { answerUserInfo, mintAccessToken, type Issuer } from './identity-tokens.ts'
import { serveLocally, type Reply } from './local-server.ts'
import { freePort } from './ports.ts'
import { refuseInProduction } from './refuse-in-production.ts'

export type IdentityProviderOptions = {
  /** 0 for any free one. */
  port: number
  /** Where the application is, without a slash at the end. */
  appUrl: string
  /** Keeps the signing keys. */
  dataDir: string
  people?: readonly DemoPerson[]
  accessTokenSeconds?: number
  clientId?: string
  projectId?: string
  orgId?: string
  log?: (line: string) => void
}

export type IdentityProvider = {
  issuer: string
  /** An access token as a sign-in would give it, without one; claims given replace the usual ones, undefined leaves one out. */
  mintAccessToken: (sub: string, claims?: Record<string, unknown>) => Promise<string>
  stop: () => Promise<void>
}

/** Signs in the demo people as Zitadel would: OpenID Connect with code and proof key. For development; refuses to run in production. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  refuseInProduction('The development identity provider, whose passwords are public,')
  const { appUrl, dataDir, people = demoPeople, accessTokenSeconds = 600, log = () => {} } = options
  const { clientId = 'guildhall-web', projectId = 'guildhall', orgId = 'demo' } = options
  const port = options.port || (await freePort())
  const settings: IdentitySettings = { issuer: `http://localhost:${port}`, appUrl, clientId, projectId, orgId, accessTokenSeconds }
  const keys = await loadIdentityKeys(dataDir)
  const provider = new Provider(settings.issuer, identityConfiguration(settings, keys, people))
  addSessionManagement(provider, settings)
  provider.on('server_error', (_ctx, error) => log(`Identity provider: ${error.stack ?? error.message}`))
  provider.on('backchannel.error', (_ctx, error) => log(`Identity provider: the application was not told of a sign-out: ${error.message}`))

  const issuer: Issuer = { settings, keys, people }
  const stop = await serveLocally({ port, log, answer: routes(provider, issuer) })
  return { issuer: settings.issuer, mintAccessToken: (sub, claims = {}) => mintAccessToken(issuer, sub, claims), stop }
}

function routes(provider: Provider, issuer: Issuer) {
  const { appUrl } = issuer.settings
  const library = provider.callback()
  return async (request: IncomingMessage, response: ServerResponse, { pathname }: URL): Promise<Reply | undefined> => {
    if (pathname === '/') return welcomePage(appUrl)
    if (pathname === checkSessionPath) return checkSessionPage(issuer.settings)
    if (pathname === '/oidc/v1/userinfo') return answerUserInfo(issuer, request)
    if (pathname.startsWith('/login/')) return answerLogin({ request, response, provider, appUrl, people: issuer.people })
    await library(request, response)
    return undefined
  }
}
