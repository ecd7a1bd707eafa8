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

  /** The library offers the abort on close for sign-in only, and off by default: a closed popup would wait for ever. */
  abortClosedPopups() {
    const navigator = this._popupNavigator
    const prepare = navigator.prepare.bind(navigator)
    navigator.prepare = (params: object) => prepare({ ...params, popupAbortOnClose: true })
  }
}
