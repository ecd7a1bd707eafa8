import { lookup as systemLookup } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction, Socket } from 'node:net'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Readable, Transform } from 'node:stream'
import { Agent, buildConnector, errors, request } from 'undici'
import { isPublicAddress, readAddress } from './address-rules.ts'
import type { AddressFault } from './address-rules.ts'

/** Why nothing came back. Each is for whoever typed the address; none tells what an inner network answered. */
export type OutgoingFault = AddressFault | 'unreachable' | 'too_slow' | 'too_large' | 'redirected' | 'unknown_encoding'

export class OutgoingError extends Error {
  readonly reason: OutgoingFault
  /** Where an answer leads that redirects: it is asked like any other address, or not at all. */
  readonly location: string | null
  constructor(reason: OutgoingFault, { location, ...options }: ErrorOptions & { location?: string | null } = {}) {
    super(`the address could not be asked: ${reason}`, options)
    this.reason = reason
    this.location = location ?? null
  }
}

export type OutgoingRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  body?: string | Buffer
  /** For everything from the first look-up to the last byte; ten seconds unless stated. */
  timeoutMs?: number
  /** Of the answer's body, also after it is unpacked; one megabyte unless stated. */
  maxBytes?: number
  /** Only so much of the answer is wanted: what follows is not waited for, nor refused, however much it is. */
  beginning?: number
}
export type OutgoingAnswer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }

/** The one way to ask an address that somebody typed in: a webhook, a calendar, a picture to fetch. */
export type Outgoing = {
  /** Throws an OutgoingError. Any status but a redirect is an answer: the caller says what it means. */
  request(address: string, request?: OutgoingRequest): Promise<OutgoingAnswer>
  close(): Promise<void>
}

type Lookup = (hostname: string) => Promise<LookupAddress[]>

export type OutgoingOptions = {
  /** Hosts with their ports that may be private and without TLS. */
  allowed: readonly string[]
  userAgent: string
  /** Another look-up than the system's, for tests. */
  lookup?: Lookup
}

const askSystem: Lookup = (hostname) =>
  new Promise((resolve, reject) =>
    systemLookup(hostname, { all: true, order: 'verbatim' }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
  )

class Refused extends Error {}

export function createOutgoing({ allowed, userAgent, lookup = askSystem }: OutgoingOptions): Outgoing {
  const open = new Set(allowed)

  /**
   * What is checked is what is connected to: between the two there is no second look-up that could answer otherwise. Of several addresses all must be
   * public.
   */
  const checkedLookup: LookupFunction = (hostname, { all }, done) => {
    lookup(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (!first) return done(new Error(`${hostname} has no address`), [])
        if (!addresses.every(({ address }) => isPublicAddress(address))) return done(new Refused(), [])
        return all ? done(null, addresses) : done(null, first.address, first.family)
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), []),
    )
  }
  const connectChecked = buildConnector({ lookup: checkedLookup, timeout: 10_000 })
  // The operator answers for these, who may use a look-up of a test as well.
  const connectAllowed = buildConnector({
    lookup: (hostname, { all }, done) => {
      lookup(hostname).then(
        (addresses) => (all ? done(null, addresses) : done(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 0)),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), []),
      )
    },
    timeout: 10_000,
  })

  const agent = new Agent({
    connect: (options, done) => {
      const { hostname, port, protocol } = options
      const name = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
      if (open.has(name)) return connectAllowed(options, done)
      return connectChecked(options, (...[error, socket]) => {
        if (error) return done(error, null)
        // A number in the address needs no look-up; and whatever happened before, this is who is there.
        if (!isPublicAddress(peerOf(socket))) {
          socket.destroy()
          return done(new Refused(), null)
        }
        return done(null, socket)
      })
    },
    // Of one host, where one address that is slow must not hold up the others.
    connections: 64,
    maxHeaderSize: 16_384,
    keepAliveTimeout: 1_000,
  })

  return {
    async request(
      address,
      { method = 'GET', headers = {}, body = null, timeoutMs = 10_000, maxBytes = 1_000_000, beginning = Infinity } = {},
    ) {
      const url = readAddress(address, open)
      if (typeof url === 'string') throw new OutgoingError(url)
      const deadline = AbortSignal.timeout(timeoutMs)
      try {
        const answer = await request(url, {
          dispatcher: agent,
          method,
          headers: { 'user-agent': userAgent, 'accept-encoding': 'identity', ...headers },
          body,
          signal: deadline,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
        })
        // An answer that is dropped half read says so, to nobody.
        answer.body.on('error', () => undefined)
        if (answer.statusCode >= 300 && answer.statusCode < 400 && answer.statusCode !== 304) {
          answer.body.destroy()
          const { location } = answer.headers
          throw new OutgoingError('redirected', {
            location: typeof location === 'string' ? (URL.parse(location, url.href)?.href ?? null) : null,
          })
        }
        const encoding = answer.headers['content-encoding']
        return {
          status: answer.statusCode,
          headers: answer.headers,
          body: await readBody(answer.body, encoding, { maxBytes, beginning }, deadline),
        }
      } catch (error) {
        throw error instanceof OutgoingError ? error : new OutgoingError(deadline.aborted ? 'too_slow' : reasonOf(error), { cause: error })
      }
    },
    close: () => agent.close(),
  }
}

const peerOf = (socket: Socket | null): string => socket?.remoteAddress ?? ''

const unpackers: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Nobody asked for a packed answer, but some pack anyway: what comes out of it counts as well, so that a small one cannot become a huge one. */
type Most = { maxBytes: number; beginning: number }
async function readBody(body: Readable, encoding: unknown, { maxBytes, beginning }: Most, deadline: AbortSignal): Promise<Buffer> {
  const packed = typeof encoding === 'string' && encoding !== '' && encoding.toLowerCase() !== 'identity'
  const unpack = packed ? unpackers[encoding.toLowerCase()] : undefined
  if ((packed && !unpack) || Array.isArray(encoding)) {
    body.destroy()
    throw new OutgoingError('unknown_encoding')
  }
  const source = unpack ? unpacked(body, unpack(), maxBytes) : body
  const chunks: Buffer[] = []
  let size = 0
  const stop = () => source.destroy(new OutgoingError('too_slow'))
  deadline.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of source) {
      const piece = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
      size += piece.length
      if (size > maxBytes && size < beginning) throw new OutgoingError('too_large')
      chunks.push(piece)
      if (size >= beginning) break
    }
    return Buffer.concat(chunks).subarray(0, beginning)
  } finally {
    deadline.removeEventListener('abort', stop)
    body.destroy()
  }
}

function unpacked(body: Readable, unpacker: Transform, maxBytes: number): Readable {
  let size = 0
  body.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) unpacker.destroy(new OutgoingError('too_large'))
  })
  body.on('error', (error) => unpacker.destroy(error))
  unpacker.on('close', () => body.destroy())
  return body.pipe(unpacker)
}

function reasonOf(error: unknown): OutgoingFault {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutgoingError) return cause.reason
    if (cause instanceof Refused) return 'address_refused'
    if (cause instanceof errors.HeadersOverflowError || cause instanceof errors.ResponseExceededMaxSizeError) return 'too_large'
    if (
      cause instanceof errors.ConnectTimeoutError ||
      cause instanceof errors.HeadersTimeoutError ||
      cause instanceof errors.BodyTimeoutError
    )
      return 'too_slow'
  }
  return 'unreachable'
}
