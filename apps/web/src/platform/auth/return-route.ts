/**
 * Where to go after sign-in. Only a path of this very site is followed, and never a callback path: the value has been
 * through storage and must not become an open redirect.
 */
export function safeReturnRoute(to: unknown, origin: string): string {
  if (typeof to !== 'string' || !to.startsWith('/') || to.startsWith('//') || to.startsWith('/\\')) return '/'
  try {
    const url = new URL(to, origin)
    if (url.origin !== origin || /^\/auth(\/|$)/i.test(url.pathname)) return '/'
    return url.pathname + url.search + url.hash
  } catch {
    return '/'
  }
}
