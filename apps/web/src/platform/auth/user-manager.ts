import { UserManager } from 'oidc-client-ts'
import type { OidcClient, SigninSilentArgs, User } from 'oidc-client-ts'
import { authConstants } from '../../constants.ts'
import { StrictOidcClient } from './strict-client.ts'

/** The library's manager over the strict client, with the three defaults that otherwise hang or lose a session. */
export class StrictUserManager extends UserManager {
  protected override readonly _client: OidcClient = new StrictOidcClient(this.settings, this.metadataService)
  #renewing: Promise<User | null> | undefined

  /** One renewal at a time: two would spend the same refresh token, which the provider answers by ending the session. */
  override signinSilent(args: SigninSilentArgs = {}): Promise<User | null> {
    this.#renewing ??= super
      .signinSilent({ silentRequestTimeoutInSeconds: authConstants.silentRequestTimeoutSeconds, ...args })
      .finally(() => (this.#renewing = undefined))
    return this.#renewing
  }

  /** In a window, by somebody at the keyboard whatever session the provider has, and by the same person: nobody else's answer is stored. */
  async signInAgain({ sub, email }: { sub: string; email?: string | undefined }): Promise<User> {
    const redirect_uri = this.settings.popup_redirect_uri
    if (!redirect_uri) throw new Error('No popup_redirect_uri configured')
    const handle = await this._popupNavigator.prepare({})
    // Both: some providers know only one of them, and max_age has them say when it was.
    const asked = { prompt: 'login', max_age: 0, ...(email && { login_hint: email }) }
    return this._signin({ request_type: 'si:p', redirect_uri, display: 'popup', ...asked }, handle, sub)
  }

  /** The library offers the abort on close for sign-in only, and off by default: a closed popup would wait for ever. */
  abortClosedPopups() {
    const navigator = this._popupNavigator
    const prepare = navigator.prepare.bind(navigator)
    navigator.prepare = (params: object) => prepare({ ...params, popupAbortOnClose: true })
  }
}
