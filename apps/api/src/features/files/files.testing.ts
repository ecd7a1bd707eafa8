import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { TestPerson } from '../../testing.ts'

const Answer = z.record(z.string(), z.unknown())

/** A form with one file, as browsers send it; the name stands in it byte for byte. */
export function form(name: string, content: Buffer, boundary = 'b0undary'): { payload: Buffer; type: string } {
  const quoted = name.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted}"\r\nContent-Type: text/html\r\n\r\n`
  return {
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}

export async function send(app: FastifyInstance, me: TestPerson, url: string, name: string, content: Buffer) {
  const { payload, type } = form(name, content)
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: `/actions${url}`,
    headers: { authorization: `Bearer ${me.token}`, 'content-type': type },
    payload,
  })
  const answer = Answer.parse(JSON.parse(body))
  return { status: statusCode, body: answer, reason: typeof answer['reason'] === 'string' ? answer['reason'] : null }
}

export async function fetched(app: FastifyInstance, me: TestPerson | null, url: string) {
  const { statusCode, headers, rawPayload } = await app.inject({ url, headers: me ? { authorization: `Bearer ${me.token}` } : {} })
  return { status: statusCode, headers, content: rawPayload }
}
