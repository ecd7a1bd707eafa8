import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { issueLink, useLink } from '../links/signed-links.ts'
import type { Services } from '../services.ts'

const purpose = 'unsubscribe'
const day = 86_400_000

/** Where whoever gets this mail says that they want no more of the kind. */
export async function unsubscribeUrlOf({ database, config }: Services, mail: { orgId: string; id: string }): Promise<string> {
  const { path } = await database.withoutActor((db) =>
    issueLink(db, {
      purpose,
      subject: { type: 'mail', id: mail.id },
      expiresAt: new Date(Date.now() + 90 * day),
      uses: 'many',
      orgId: mail.orgId,
    }),
  )
  return new URL(path, config.PUBLIC_URL).href
}

/** What mail programs send at one click (RFC 8058), and the form of the page: the address gets essential mail only from now on. */
export async function addUnsubscribe(app: FastifyInstance, { database, config }: Services): Promise<void> {
  await app.register(async (scope) => {
    // The body says nothing that the address does not.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { bodyLimit: 4_096 }, (_request, payload, done) => {
      payload.resume()
      done(null)
    })
    scope.post<{ Params: { token: string } }>(`/public/${purpose}/:token`, async (request, reply) => {
      const isDone = await database.withoutActor(async (db) => {
        const link = await useLink(db, { purpose, token: request.params.token, idpOrg: config.ORG_ID })
        if (link) await sql`select app.suppress_mail_of(${link.orgId}, ${link.subject.id})`.execute(db)
        return link !== undefined
      })
      reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8')
      return isDone
        ? reply.send('You will get no more of these mails.')
        : reply.status(404).send('This link is not valid any more. Change what you are told about in your profile.')
    })
  })
}
