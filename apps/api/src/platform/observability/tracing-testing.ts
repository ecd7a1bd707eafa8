import { createServer } from 'node:http'
import * as z from 'zod'

const Span = z.object({ traceId: z.string(), spanId: z.string(), parentSpanId: z.string().optional(), name: z.string() })
const Sent = z.object({ resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })) })

/** A collector of OpenTelemetry, as far as it takes spans. */
export function startCollector() {
  const spans: z.infer<typeof Span>[] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      bodies.push(text)
      const { resourceSpans } = Sent.parse(JSON.parse(text))
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const url = new Promise<string>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1/traces`)
    })
  })
  return { url, spans, bodies, stop: () => new Promise((resolve) => server.close(resolve)) }
}
