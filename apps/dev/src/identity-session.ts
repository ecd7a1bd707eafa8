import { createHash, randomBytes } from 'node:crypto'
import type { Provider, Session } from 'oidc-provider'
import { html } from './html.ts'
import { page, type Page } from './page.ts'
import type { IdentitySettings } from './identity-settings.ts'

export const checkSessionPath = '/oidc/v1/check_session'

/** Readable by the frame's script, so that it can tell without a request whether the session is still the same. */
const cookieName = ({ issuer }: IdentitySettings) => `browser_state_${new URL(issuer).port}`

const cookieOptions = { httpOnly: false, signed: false, sameSite: 'lax', path: '/' } as const

/** OpenID session management, which the library gave up: the application asks a frame of ours every 2 s whether its session still stands. */
export function addSessionManagement(provider: Provider, settings: IdentitySettings): void {
  provider.on('authorization.success', (ctx, answer) => {
    const { session, client } = ctx.oidc
    if (!answer || !session || !client) return
    const browserState = browserStateOf(session)
    const salt = randomBytes(8).toString('hex')
    const origin = new URL(settings.appUrl).origin
    const hash = createHash('sha256').update([client.clientId, origin, browserState, salt].join(' ')).digest('hex')
    answer['session_state'] = `${hash}.${salt}`
    ctx.cookies.set(cookieName(settings), browserState, cookieOptions)
  })
  provider.on('end_session.success', (ctx) => {
    const { session } = ctx.oidc
    if (session && 'destroyed' in session && session.destroyed) ctx.cookies.set(cookieName(settings), null, cookieOptions)
  })
}

const browserStateOf = ({ uid, accountId, loginTs }: Session): string =>
  createHash('sha256').update(`${uid} ${accountId} ${loginTs}`).digest('base64url')

export function checkSessionPage(settings: IdentitySettings): Page {
  const origin = new URL(settings.appUrl).origin
  return page({
    title: 'Session check',
    body: html``,
    policy: { 'frame-ancestors': origin },
    script: `
addEventListener('message', async ({ origin, source, data }) => {
  if (origin !== ${JSON.stringify(origin)} || typeof data !== 'string') return
  const [clientId, state = ''] = data.split(' ')
  const [hash, salt] = state.split('.')
  if (!clientId || !hash || !salt) return source.postMessage('error', origin)
  const cookie = document.cookie.split('; ').find((one) => one.startsWith(${JSON.stringify(`${cookieName(settings)}=`)}))
  const text = [clientId, origin, cookie ? cookie.slice(cookie.indexOf('=') + 1) : '', salt].join(' ')
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  const expected = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  source.postMessage(expected === hash ? 'unchanged' : 'changed', origin)
})`,
  })
}
