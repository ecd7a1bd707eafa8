import type { FastifyInstance } from 'fastify'
import { contentKey } from '../../platform/files/content.ts'
import { jobActor } from '../../platform/jobs/job-progress.ts'
import { problem } from '../../platform/procedures/problem.ts'
import { savedAs } from '../../platform/files/files.ts'
import type { Services } from '../../platform/services.ts'
import { sentType } from './files.actions.ts'
import { readFileLink } from './files.links.rules.ts'
import { contentQuery } from './files.queries.ts'

/** Downloads by link, which a browser begins without a token. The link says whose it is, and what they see now decides. */
export function addFileDownloads(app: FastifyInstance, { config, database, files }: Services, headers: Record<string, string>): void {
  app.get<{ Params: { token: string } }>('/files/:token', { schema: {} }, async (request, reply) => {
    const whose = readFileLink(config.ACTOR_KEY, request.params.token, new Date())
    if (!whose)
      throw problem('NOT_FOUND', { reason: 'link_over', detail: 'This link is no longer valid. Download the file from its page again.' })
    const actor = await jobActor(database, whose.orgId, whose.accountId)
    const [file] = actor ? await database.read(actor, contentQuery(whose.fileId, 'attachment')) : []
    const key = file ? contentKey(file.orgId, file.id, 'content') : ''
    const size = file ? await files.size(key) : null
    if (!file || size === null) throw problem('NOT_FOUND', { reason: 'content_gone', detail: 'This file is no longer there.' })
    return reply
      .headers({ ...headers, 'content-disposition': savedAs(file.name), 'content-length': String(size) })
      .type(sentType(file.type))
      .send(files.read(key))
  })
}
