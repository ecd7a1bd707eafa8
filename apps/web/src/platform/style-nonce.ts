let nonce: string | undefined

/** The nonce of this page: the security policy lets only style elements that carry it apply. */
export function styleNonce(): string {
  nonce ??= document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
  return nonce
}
