const longest = 2000

/**
 * Where to go after sign-in. Only a path of this very site is followed, and never a callback path: the value has been
 * through storage and must not become an open redirect.
 */
export function safeReturnRoute(to: unknown, origin: string): string {
  if (typeof to !== 'string' || to.length > longest || !/^\/(?![/\\])/.test(to)) return '/'
  const url = URL.parse(to, origin)
  if (url?.origin !== origin || url.username || /^\/auth(\/|$)/i.test(decoded(url.pathname))) return '/'
  // Looked at as it is followed: "/.//evil.example" becomes "//evil.example" only when it is resolved.
  const route = url.pathname + url.search + url.hash
  return URL.parse(route, origin)?.href === url.href ? route : '/'
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return '/auth'
  }
}
