import type { Auth } from '../auth/auth.ts'
import type { AppConfig } from '../config.ts'
import { acting } from './acting.ts'
import { ApiProblem, problemFrom } from './problem.ts'

type OnProgress = (share: number) => void
type Session = Pick<Auth, 'accessToken' | 'idToken' | 'hasSignedInAgain' | 'renew' | 'end'>

/**
 * The one way to both APIs. The token is read when the request leaves; a 401 is answered by one renewal and one replay,
 * and only a second 401 ends the session. Where the server wants to know when somebody signed in, the id token says so.
 */
export const apiFetch =
  (session: Session, { tracing }: Pick<AppConfig, 'tracing'>) =>
  async (request: Request, onProgress?: OnProgress): Promise<Response> => {
    if (tracing) request.headers.set('traceparent', traceparent())
    // Once for all that becomes of a request: a replay is never somebody else's.
    const actingFor = acting.get()
    if (actingFor !== null) request.headers.set(actingHeader, actingFor)
    const replay = request.clone()
    const first = await send(request, session, onProgress)
    if (first.status === 403) return prove(first, replay, session)
    if (first.status !== 401) return accept(first)
    if (!session.accessToken() || !(await session.renew())) {
      const problem = await problemFrom(first)
      await session.end('provider')
      throw problem
    }
    const again = replay.clone()
    const second = await send(replay, session, onProgress)
    if (second.status === 401) await session.end('provider')
    return second.status === 403 ? prove(second, again, session) : accept(second)
  }

const actingHeader = 'acting-for'

/** Nothing has happened yet when it is asked for, so the same request goes out once more. */
async function prove(refusal: Response, request: Request, session: Session): Promise<Response> {
  const problem = await problemFrom(refusal)
  // Ended, of age, or somebody else has signed in here: they are themselves again. A tab that has changed since is not.
  if (problem.reason === 'acting_not_allowed' && request.headers.get(actingHeader) === acting.get()) acting.set(null)
  const proof = session.idToken()
  if (problem.reason !== 'recent_sign_in' || proof === '') throw problem
  request.headers.set('sign-in-proof', proof)
  const second = await send(request, session, undefined)
  if (second.status !== 403) return accept(second)
  const verdict = await problemFrom(second)
  // An ordinary sign-in need not tell its time; one that asked for it must.
  throw verdict.reason === 'sign_in_time_unknown' && !session.hasSignedInAgain() ? problem : verdict
}

/** The trace that begins with what somebody did here (W3C Trace Context); a replay after a renewal belongs to it. */
const traceparent = () => `00-${letters()}-${letters().slice(16)}-01`
const letters = () => crypto.randomUUID().replaceAll('-', '')

async function send(request: Request, session: Session, onProgress: OnProgress | undefined): Promise<Response> {
  const token = session.accessToken()
  if (token) request.headers.set('authorization', `Bearer ${token}`)
  if (request.method === 'POST' && !request.headers.has('idempotency-key')) request.headers.set('idempotency-key', crypto.randomUUID())
  try {
    return await (onProgress ? sendTold(request, onProgress) : fetch(request))
  } catch (cause) {
    if (request.signal.aborted) throw cause
    throw new ApiProblem(0, {}, { cause })
  }
}

/** The same for a file of which somebody wants to know how much has been sent, which fetch does not say. */
async function sendTold(request: Request, onProgress: OnProgress): Promise<Response> {
  const body = await request.blob()
  return new Promise((resolve, reject) => {
    const way = new XMLHttpRequest()
    const abort = () => way.abort()
    const fail = () => reject(new TypeError('The request did not get through.'))
    way.open(request.method, request.url)
    request.headers.forEach((value, name) => way.setRequestHeader(name, value))
    way.responseType = 'arraybuffer'
    way.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    way.onload = () => {
      const type = way.getResponseHeader('content-type')
      const body = way.response instanceof ArrayBuffer && way.status !== 204 ? way.response : null
      resolve(new Response(body, { status: way.status, headers: type ? { 'content-type': type } : {} }))
    }
    way.onerror = fail
    way.onabort = fail
    way.onloadend = () => request.signal.removeEventListener('abort', abort)
    request.signal.addEventListener('abort', abort)
    way.send(body)
  })
}

async function accept(response: Response): Promise<Response> {
  if (response.ok || response.status === 304) return response
  throw await problemFrom(response)
}
