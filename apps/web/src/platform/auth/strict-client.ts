import type { JWTVerifyGetKey } from 'jose'
import { OidcClient } from 'oidc-client-ts'
import type { CreateSigninRequestArgs, SigninRequest, SigninResponse, UseRefreshTokenArgs } from 'oidc-client-ts'
import { AuthError, refused } from './auth-error.ts'
import { authConstants } from '../../constants.ts'
import { fetchUserInfo, fixedClaims, profileFrom } from './user-info.ts'

type ProviderKeys = JWTVerifyGetKey & { readonly fresh: boolean; reload: () => Promise<void> }

/**
 * The library decodes id tokens but does not check them. Every way to a user (redirect, popup, frame, refresh) passes
 * through the methods below before anything is stored, so a token refused here never becomes a session.
 */
export class StrictOidcClient extends OidcClient {
  #keys: { uri: string; get: ProviderKeys } | undefined

  override createSigninRequest(args: CreateSigninRequestArgs): Promise<SigninRequest> {
    return super.createSigninRequest({ ...args, nonce: args.nonce ?? crypto.randomUUID() })
  }

  override async processSigninResponse(url: string, extraHeaders?: Record<string, never>, removeState = true): Promise<SigninResponse> {
    await this.clearStaleState()
    const { state } = await this.readSigninResponseState(url)
    await this.#checkIssuer(url).catch(async (error: unknown) => {
      // A refused answer uses its state up, as a failed one does: it can never be tried again.
      await this.settings.stateStore.remove(state.id)
      throw error
    })
    await this.#fetchKeys()
    const response = await super.processSigninResponse(url, extraHeaders, removeState)
    checkTokens(response)
    // Its presence was checked by the library too; here an answer without nonce is refused as well.
    const claims = await this.#verify(response.id_token, state.nonce ?? '')
    const info = state.skipUserInfo ? {} : await fetchUserInfo(this.metadataService, response.access_token, claims.sub)
    response.profile = profileFrom(claims, info)
    return response
  }

  override async useRefreshToken(args: UseRefreshTokenArgs): Promise<SigninResponse> {
    await this.#checkIssuer()
    await this.#fetchKeys()
    const response = await super.useRefreshToken({
      ...args,
      timeoutInSeconds: args.timeoutInSeconds ?? authConstants.silentRequestTimeoutSeconds,
    })
    checkTokens(response)
    const { id_token: before, profile } = args.state
    const renewed = response.id_token && response.id_token !== before ? await this.#verify(response.id_token) : undefined
    // The provider has already replaced the refresh token, so a failing user-info call must not lose this answer.
    const info = await fetchUserInfo(this.metadataService, response.access_token, profile.sub).catch((error: unknown) => {
      if (error instanceof AuthError) throw error
      return undefined
    })
    response.profile = info ? profileFrom(renewed ?? fixedClaims(profile), info) : { ...profile, ...(renewed && profileFrom(renewed, {})) }
    return response
  }

  async #checkIssuer(url?: string) {
    const { authority } = this.settings
    if (withoutSlash(await this.metadataService.getIssuer()) !== withoutSlash(authority)) throw refused('discovery names another issuer')
    if (!url) return
    const named = new URL(url).searchParams.get('iss')
    const advertised: unknown = Reflect.get(await this.metadataService.getMetadata(), 'authorization_response_iss_parameter_supported')
    if (named === null && advertised === true) throw refused('the answer does not name its issuer')
    if (named !== null && named !== (await this.metadataService.getIssuer())) throw refused('the answer names another issuer')
  }

  async #verify(token: string | undefined, nonce?: string) {
    if (!token) throw refused('No id token returned from token endpoint')
    const { verifyIdToken } = await import('./id-token.ts')
    const issuer = await this.metadataService.getIssuer()
    const now = Math.floor(Date.now() / 1000)
    return verifyIdToken(token, await this.#keySet(), { issuer, clientId: this.settings.client_id, now, nonce })
  }

  /** Before the exchange: afterwards the code is spent or the refresh token replaced, and keys (or our own checking code) out of reach would lose the session. */
  async #fetchKeys() {
    const keys = await this.#keySet()
    if (!keys.fresh) await keys.reload()
  }

  async #keySet() {
    const uri = await this.metadataService.getKeysEndpoint(false)
    if (!uri) throw refused('the provider publishes no keys')
    if (this.#keys?.uri !== uri) {
      const { providerKeys } = await import('./id-token.ts')
      this.#keys = { uri, get: providerKeys(uri) }
    }
    return this.#keys.get
  }
}

const withoutSlash = (url: string) => url.replace(/\/$/, '')

function checkTokens(response: SigninResponse) {
  if (!response.access_token) throw new AuthError('no_access_token', 'No access token returned from token endpoint')
  if (response.token_type.toLowerCase() !== 'bearer') throw refused('token type is not Bearer')
  if (typeof response.expires_at !== 'number') throw refused('No expires_in returned from token endpoint')
}
