import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { problem } from '../procedures/problem.ts'
import type { Upload } from '../procedures/context.ts'

/** RFC 2046 section 5.1.1: the boundary has 1 to 70 characters of these, said once. */
const boundary = /;\s*boundary=(?:"([\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?])"|([\w'+\-.]{1,70}))\s*(?=;|$)/gi

const limits = { files: 1, fields: 20, fieldSize: 10_000, parts: 30, headerPairs: 20, headerSize: 8_192, fileSize: Number.MAX_SAFE_INTEGER }

/** The first file of a multipart request as it streams in; fields before it are passed over. A form that cannot be read is its sender's error. */
export async function firstFile(request: FastifyRequest): Promise<Upload | null> {
  if (!request.isMultipart()) return null
  const type = request.headers['content-type'] ?? ''
  const named = type.split(';').filter((parameter) => parameter.trimStart().toLowerCase().startsWith('boundary'))
  if ([...type.matchAll(boundary)].length !== 1 || named.length !== 1)
    throw problem('BAD_REQUEST', { reason: 'form', detail: 'Name one boundary of at most 70 characters in the Content-Type of the form.' })
  try {
    const file = await request.file({ limits })
    if (!file) return null
    // Whoever reads it meets the error; one that nobody reads any more, since the request was refused, must not end the process.
    const content = Readable.from(read(file.file), { objectMode: false }).on('error', () => undefined)
    return { fileName: file.filename, content }
  } catch (error) {
    throw formProblem(error)
  }
}

async function* read(file: Readable): AsyncGenerator<Buffer> {
  try {
    yield* file
  } catch (error) {
    throw formProblem(error)
  }
}

function formProblem(error: unknown) {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 400
  return status === 413
    ? problem('PAYLOAD_TOO_LARGE', {
        reason: 'form',
        detail: `Send the file alone: a form has at most ${limits.fields} fields and ${limits.parts} parts.`,
      })
    : problem('BAD_REQUEST', { reason: 'form', detail: 'This form is broken or ends too early. Send it again.' })
}
