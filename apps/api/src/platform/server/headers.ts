import type { Config } from '../config.ts'

/**
 * Response headers that keep a page to itself. Only the silent-renewal page may be framed, and only by us;
 * the identity provider is the one foreign origin that scripts may call and frames may show.
 */
export function securityHeaders(config: Config) {
  const issuer = new URL(config.ISSUER).origin
  const secure = new URL(config.PUBLIC_URL).protocol === 'https:'
  const policy = (nonce: string, ancestors: "'none'" | "'self'") =>
    [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data: blob:",
      "font-src 'self'",
      `connect-src 'self' ${issuer}`,
      `frame-src 'self' ${issuer}`,
      `frame-ancestors ${ancestors}`,
      "worker-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "object-src 'none'",
      "form-action 'self'",
      "require-trusted-types-for 'script'",
    ].join('; ')
  const common: Record<string, string> = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=()',
    'x-dns-prefetch-control': 'off',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
  return {
    /** For answers that are data: nothing in them may ever run or be framed. */
    data: { ...common, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox", 'cache-control': 'no-store' },
    /** For a page; `nonce` marks the style elements that the interface makes at run time. */
    page: (nonce: string, path: string): Record<string, string> => ({
      ...common,
      // The provider's page cuts no link between a sign-in window and the page that waits for it; neither may the page it ends on.
      ...(/^\/auth\/sign(in|out)pop\//i.test(path) ? { 'cross-origin-opener-policy': 'unsafe-none' } : {}),
      'content-security-policy': policy(nonce, path.toLowerCase().startsWith('/auth/signinsilent/') ? "'self'" : "'none'"),
      'cache-control': path.toLowerCase().startsWith('/auth/') ? 'no-store' : 'no-cache',
    }),
    common,
  }
}
