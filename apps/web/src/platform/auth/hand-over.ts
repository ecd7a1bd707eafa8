// The callback pages only pass their address on; the application does the work. The message is the one oidc-client-ts listens
// for, written out here so that these pages load a few hundred bytes and no library.
const source = 'oidc-client'

export function handToParent(parent: Window | null, url: string) {
  if (parent) parent.postMessage({ source, url, keepOpen: false }, location.origin)
}

export const openerOf = ({ opener }: { readonly opener: unknown }): Window | null => (isWindow(opener) ? opener : null)

const isWindow = (value: unknown): value is Window => typeof value === 'object' && value !== null && 'postMessage' in value

/** Without an opener (a provider page may cut the link) the page that opened us listens on a channel named by the state. */
export function handToOpener(opener: Window | null, url: string) {
  if (opener) return handToParent(opener, url)
  const state = new URL(url).searchParams.get('state')
  if (!state) return
  const channel = new BroadcastChannel(`oidc-client-popup-${state}`)
  channel.postMessage({ source, url, keepOpen: false })
  channel.close()
}

const answerKey = 'guildhall.answer'

/** A redirect has no waiting page: the application that starts in this one's place finds the answer in the tab's storage. */
export function handToApplication(storage: Storage, url: string) {
  storage.setItem(answerKey, url)
  location.replace('/')
}

/** The provider's answer, once: a reload or a copy of the tab finds nothing. */
export function takeAnswer(storage: Storage): string | null {
  const url = storage.getItem(answerKey)
  storage.removeItem(answerKey)
  return url
}

export function closeWindow() {
  window.close()
  setTimeout(() => document.getElementById('fallback')?.removeAttribute('hidden'), 1000)
}
