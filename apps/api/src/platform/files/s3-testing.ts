import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

// A store that speaks the part of S3 that we use, in memory, for tests. Like a real one it refuses what is not signed with its key (Signature
// Version 4) and contents that are not what was signed.

const accessKeyId = 'test-key'
const secretAccessKey = 'test-secret-of-the-store'

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encoded = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
const escaped = (text: string) => text.replace(/[<&>]/g, (one) => `&#${one.charCodeAt(0)};`)

/** Whether a request was signed with our key, today, and says truly what it brings. */
function isSigned({ method = '', url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    )
  const at = String(headers['x-amz-date'] ?? '')
  const digest = String(headers['x-amz-content-sha256'] ?? '')
  if (!given) return false
  const [, key = '', day = '', region = '', names = '', signature = ''] = given
  const seconds = Math.abs(Date.now() - Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))) / 1_000
  if (key !== accessKeyId || !at.startsWith(day) || !(seconds < 900)) return false
  if (digest !== 'UNSIGNED-PAYLOAD' && digest !== sha256(body)) return false
  const { pathname, searchParams } = new URL(url, 'http://store')
  const query = [...searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&')
  const lines = names.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`)
  const request = [method, pathname, query, lines.join(''), names, digest].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const signing = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), 's3'), 'aws4_request')
  const wanted = hmac(signing, ['AWS4-HMAC-SHA256', at, scope, sha256(request)].join('\n'))
  return timingSafeEqual(wanted, Buffer.from(signature, 'hex'))
}

export type TestStore = {
  settings: { bucket: string; region: string; endpoint: string; accessKeyId: string; secretAccessKey: string }
  objects: Map<string, Buffer>
  /** Uploads in parts that were begun and neither finished nor given up. */
  begun: Map<string, { key: string; parts: Map<number, Buffer> }>
  close(): Promise<void>
}

export async function startTestStore(): Promise<TestStore> {
  const objects: TestStore['objects'] = new Map()
  const begun: TestStore['begun'] = new Map()
  const bucket = 'files'
  type Answer = { status: number; body?: string | Buffer; headers?: Record<string, string> }
  const missing: Answer = { status: 404, body: '<Error><Code>NoSuchKey</Code><Message>There is no such key.</Message></Error>' }

  function answer(request: IncomingMessage, body: Buffer): Answer {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store')
    if (!isSigned(request, body)) return { status: 403, body: '<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>' }
    const [, inBucket, ...rest] = pathname.split('/')
    const key = decodeURIComponent(rest.join('/'))
    if (inBucket !== bucket) return { status: 404, body: '<Error><Code>NoSuchBucket</Code><Message>no</Message></Error>' }
    const etag = (content: Buffer) => ({ etag: `"${sha256(content)}"` })
    const id = searchParams.get('uploadId')
    const upload = id === null ? undefined : begun.get(id)
    switch (request.method) {
      case 'PUT': {
        const part = Number(searchParams.get('partNumber'))
        if (id !== null && !upload) return missing
        if (upload) upload.parts.set(part, body)
        else objects.set(key, body)
        return { status: 200, headers: etag(body) }
      }
      case 'POST': {
        if (searchParams.has('uploads')) {
          const made = sha256(`${key}${begun.size}${Date.now()}`)
          begun.set(made, { key, parts: new Map() })
          return { status: 200, body: `<InitiateMultipartUploadResult><UploadId>${made}</UploadId></InitiateMultipartUploadResult>` }
        }
        if (!upload || id === null) return missing
        objects.set(key, Buffer.concat([...upload.parts].toSorted(([one], [other]) => one - other).map(([, part]) => part)))
        begun.delete(id)
        return { status: 200, body: '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>' }
      }
      case 'DELETE':
        if (id === null) objects.delete(key)
        else begun.delete(id)
        return { status: 204 }
      case 'HEAD':
      case 'GET': {
        const prefix = searchParams.get('prefix') ?? ''
        if (key === '' && searchParams.has('uploads')) {
          const list = [...begun].filter(([, one]) => one.key.startsWith(prefix))
          return {
            status: 200,
            body: `<ListMultipartUploadsResult>${list.map(([made, one]) => `<Upload><Key>${escaped(one.key)}</Key><UploadId>${made}</UploadId></Upload>`).join('')}</ListMultipartUploadsResult>`,
          }
        }
        if (key === '') {
          // Two at a time, so that whoever lists has to ask again.
          const after = searchParams.get('continuation-token') ?? ''
          const left = [...objects].filter(([one]) => one > after).toSorted(([one], [other]) => (one < other ? -1 : 1))
          const shown = left.slice(0, 2)
          const next = left.length > 2 ? `<NextContinuationToken>${escaped(shown.at(-1)?.[0] ?? '')}</NextContinuationToken>` : ''
          return {
            status: 200,
            body: `<ListBucketResult>${next}${shown.map(([one, content]) => `<Contents><Key>${escaped(one)}</Key><Size>${content.length}</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`).join('')}</ListBucketResult>`,
          }
        }
        const content = objects.get(key)
        if (!content) return missing
        return { status: 200, body: content, headers: { ...etag(content), 'content-length': String(content.length) } }
      }
      default:
        return { status: 405 }
    }
  }

  const server = createServer((request, response) => {
    void buffer(request).then(
      (body) => {
        const { status, headers = {}, body: answered } = answer(request, body)
        response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : answered)
      },
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    settings: { bucket, region: 'eu-central-1', endpoint: `http://127.0.0.1:${port}`, accessKeyId, secretAccessKey },
    objects,
    begun,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
