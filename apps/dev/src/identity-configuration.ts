import { interactionPolicy, type Configuration } from 'oidc-provider'
import { personBySub, type DemoPerson } from './demo-people.ts'
import { errorPage, signedOutPage, signOutPage } from './identity-pages.ts'
import type { IdentityKeys } from './identity-keys.ts'
import { checkSessionPath } from './identity-session.ts'
import { allScopes, profileClaims, reservedClaims, scopeClaims, type IdentitySettings } from './identity-settings.ts'
import { createIdentityStore } from './identity-store.ts'
import type { Page } from './page.ts'

const hour = 3600
const absoluteRefreshLife = 24 * hour

/** The application's client, registered as a Zitadel instance would have it. */
const client = ({ appUrl, clientId }: IdentitySettings) => ({
  client_id: clientId,
  client_name: 'Guildhall',
  token_endpoint_auth_method: 'none' as const,
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code' as const],
  application_type: 'web' as const,
  redirect_uris: ['signinwin', 'signinpop', 'signinsilent'].map((kind) => `${appUrl}/auth/${kind}/zitadel`),
  post_logout_redirect_uris: [`${appUrl}/`, `${appUrl}/auth/signoutpop/zitadel`],
  backchannel_logout_uri: `${appUrl}/auth/backchannel-logout`,
  backchannel_logout_session_required: true,
  require_auth_time: true,
})

/**
 * oidc-provider as a likeness of Zitadel: its paths, its JWT access tokens, its claims; consent is never asked, refresh tokens rotate
 * and end at sign-out.
 */
export function identityConfiguration(settings: IdentitySettings, keys: IdentityKeys, people: readonly DemoPerson[]): Configuration {
  const { issuer, appUrl, clientId, projectId, accessTokenSeconds } = settings
  const personOf = (sub: string | undefined) => personBySub(people, sub)
  const port = new URL(issuer).port
  const policy = interactionPolicy.base()
  policy.remove('consent')

  return {
    adapter: createIdentityStore(),
    clients: [client(settings)],
    jwks: { keys: [keys.signing] },
    // Cookies of one host are shared by all its ports: the port in the name keeps two installations apart.
    cookies: {
      keys: keys.cookies,
      names: { session: `identity_${port}`, interaction: `identity_${port}_login`, resume: `identity_${port}_resume` },
    },
    routes: {
      authorization: '/oauth/v2/authorize',
      token: '/oauth/v2/token',
      revocation: '/oauth/v2/revoke',
      introspection: '/oauth/v2/introspect',
      jwks: '/oauth/v2/keys',
      userinfo: '/oidc/v1/userinfo',
      end_session: '/oidc/v1/end_session',
    },
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    discovery: { check_session_iframe: `${issuer}${checkSessionPath}` },
    scopes: Object.keys(scopeClaims(settings)),
    claims: scopeClaims(settings),
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: 60,
      IdToken: accessTokenSeconds,
      Interaction: hour,
      Session: absoluteRefreshLife,
      Grant: absoluteRefreshLife,
      // Rotation does not extend the life of a browser's refresh token: it ends a day after the sign-in.
      RefreshToken: (ctx) => ctx.oidc.entities.RotatedRefreshToken?.remainingTTL ?? absoluteRefreshLife,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true },
      introspection: { enabled: false },
      backchannelLogout: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => `${appUrl}/`,
        useGrantedResource: async () => true,
        // Naming every scope keeps the answered scope whole, and with it the id token of later refreshes.
        getResourceServerInfo: async () => ({
          scope: allScopes(settings),
          audience: projectId,
          accessTokenFormat: 'jwt',
          accessTokenTTL: accessTokenSeconds,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (ctx, form) =>
          send(ctx, signOutPage({ form, appUrl, isAsked: ctx.oidc.entities['IdTokenHint'] === undefined })),
        postLogoutSuccessSource: async (ctx) => send(ctx, signedOutPage(appUrl)),
      },
    },
    formats: {
      customizers: {
        jwt: async (_ctx, _token, jwt) => {
          jwt.header = { ...jwt.header, typ: 'JWT' }
          // Zitadel's say nothing of scopes; undefined is left out of the token.
          jwt.payload = { ...jwt.payload, scope: undefined, aud: [clientId, projectId], nbf: jwt.payload['iat'] }
        },
      },
    },
    extraTokenClaims: async (_ctx, token) => {
      const person = 'accountId' in token ? personOf(token.accountId) : undefined
      return person && reservedClaims(settings, person)
    },
    findAccount: async (_ctx, sub) => {
      const person = personOf(sub)
      if (!person) return undefined
      const claims = { sub, azp: clientId, ...reservedClaims(settings, person) }
      // Like Zitadel, the id token of a code flow says nothing of name and e-mail: the user-info endpoint does.
      return { accountId: sub, claims: async (use) => (use === 'id_token' ? claims : { ...claims, ...profileClaims(person) }) }
    },
    loadExistingGrant: async (ctx) => {
      const { client: asking, session, provider } = ctx.oidc
      if (!asking || !session?.accountId) return undefined
      const granted = session.grantIdFor(asking.clientId)
      const existing = granted ? await provider.Grant.find(granted) : undefined
      if (existing) return existing
      const grant = new provider.Grant({ clientId: asking.clientId, accountId: session.accountId })
      grant.addOIDCScope(allScopes(settings))
      grant.addResourceScope(`${appUrl}/`, allScopes(settings))
      await grant.save()
      return grant
    },
    // The library gives refresh tokens only with prompt=consent; Zitadel to every client that has the grant type.
    issueRefreshToken: async (_ctx, asking) => asking.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => true,
    rotateRefreshToken: true,
    clientBasedCORS: (_ctx, origin) => origin === new URL(appUrl).origin,
    interactions: { policy, url: (_ctx, { uid }) => `/login/${uid}` },
    renderError: async (ctx, out) => send(ctx, errorPage({ code: out.error, description: out.error_description, appUrl })),
    // The library's own dispatcher refuses this machine's addresses, which here is where the application listens.
    fetch: (url, options) => fetch(url, withoutDispatcher(options)),
  }
}

function withoutDispatcher(options: RequestInit | undefined): RequestInit {
  const copy = { ...options }
  Reflect.deleteProperty(copy, 'dispatcher')
  return copy
}

function send(ctx: { set: (headers: Record<string, string>) => void; body: unknown }, { headers, body }: Page): void {
  ctx.set(headers)
  ctx.body = body
}
