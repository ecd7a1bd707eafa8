/** As much of a browser as a sign-in needs: cookies by name and path, and redirects one at a time. */
export function openBrowser() {
  const jar = new Map<string, { value: string; path: string }>()

  const keep = (line: string) => {
    const [pair = '', ...attributes] = line.split('; ')
    const name = pair.slice(0, pair.indexOf('='))
    const value = pair.slice(pair.indexOf('=') + 1)
    const path = attributes.find((one) => /^path=/i.test(one))?.slice('path='.length) ?? '/'
    if (value === '') jar.delete(name)
    else jar.set(name, { value, path })
  }

  const request = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(url)
    const cookies = [...jar].filter(([, { path }]) => pathname.startsWith(path)).map(([name, { value }]) => `${name}=${value}`)
    const headers = new Headers(init.headers)
    headers.set('cookie', cookies.join('; '))
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    response.headers.getSetCookie().forEach(keep)
    return response
  }

  return {
    request,
    cookie: (name: RegExp) => [...jar].find(([key]) => name.test(key))?.[1].value,
    /** Follows redirects as long as they stay with one host; answers the page, or the address that leads elsewhere. */
    visit: async (url: string | URL, init: RequestInit = {}): Promise<{ response: Response; url: URL }> => {
      let at = new URL(url)
      let response = await request(at, init)
      for (let location = response.headers.get('location'); location; location = response.headers.get('location')) {
        const next = new URL(location, at)
        if (next.host !== at.host) return { response, url: next }
        at = next
        response = await request(at)
      }
      return { response, url: at }
    },
  }
}
