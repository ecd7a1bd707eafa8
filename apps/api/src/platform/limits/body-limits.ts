import type { FastifyInstance } from 'fastify'
import { problem } from '../procedures/problem.ts'

/** Deeper than anything the contract asks for. */
const maxDepth = 32

/** Bodies are JSON of a sensible depth: what is nested thousands of levels is made to overflow whoever walks it. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString()
    if (depthOf(text) > maxDepth) done(problem('BAD_REQUEST', { reason: 'too_deep', detail: `Nest at most ${maxDepth} levels.` }))
    else void parse(request, text, done)
  })
}

const [quote, backslash, openObject, openArray, closeObject, closeArray] = Buffer.from('"\\{[}]')

/** How deep a JSON text is nested, without parsing it; stops looking once that is too deep. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let isText = false
  for (let at = 0; at < text.length && deepest <= maxDepth; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) isText = !isText
    else if (isText) at += code === backslash ? 1 : 0
    else if (code === openObject || code === openArray) deepest = Math.max(deepest, ++depth)
    else if (code === closeObject || code === closeArray) depth -= 1
  }
  return deepest
}

/** Counted from the end of the headers, so that its connection is gone within a minute even where thousands came at once. */
const bodyLimitMs = 55_000

/** A body that comes in drop by drop holds a connection and its memory: it has less than a minute. Uploads are read by their procedure, as they come. */
export function limitBodyTime(app: FastifyInstance): void {
  app.addHook('preParsing', async (request, _reply, payload) => {
    const { headers } = request
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (!hasBody || request.isMultipart()) return payload
    const timer = setTimeout(() => request.raw.destroy(), bodyLimitMs)
    payload.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
    return payload
  })
  // Nobody waits for the rest of a file that was refused.
  app.addHook('onSend', async (request, reply) => {
    if (request.isMultipart() && reply.statusCode >= 400) reply.header('connection', 'close')
  })
}
