import { contentKey } from '../../platform/files/content.ts'
import { StoredContent } from '../../platform/files/files.ts'
import type { CallerContext } from '../../platform/procedures/context.ts'
import { mustFind, problem } from '../../platform/procedures/problem.ts'
import { actions } from '../../platform/procedures/procedures.ts'
import { readOne } from '../../platform/records/statement.ts'
import { signFileLink } from './files.links.rules.ts'
import { contentQuery, findFile } from './files.queries.ts'
import { takeIn } from './files.uploads.jobs.ts'

const { files } = actions

export const filesActions = files.router({
  upload: files.upload.handler(async ({ input, context }) => {
    const fileId = await takeIn(context, input, 'attachment')
    return mustFind(await context.inTx((db) => findFile(db, fileId)))
  }),

  download: files.download.handler(async ({ input, context }) => {
    const file = await readOne(context, contentQuery(input.fileId, 'attachment'))
    context.whileAllowed(async () => (await context.read(contentQuery(file.id, 'attachment'))).length > 0)
    return send(context, contentKey(file.orgId, file.id, 'content'), file.name, file.type)
  }),

  link: files.link.handler(async ({ input, context }) => {
    const file = await readOne(context, contentQuery(input.fileId, 'attachment'))
    const { actor, services } = context
    return signFileLink(services.config.ACTOR_KEY, { orgId: actor.orgId, accountId: actor.accountId, fileId: file.id }, new Date())
  }),

  setPicture: files.setPicture.handler(async ({ input, context }) => ({
    pictureId: await takeIn(
      context,
      input,
      ({ person: 'face', organisation: 'logo', event: 'cover', campaign: 'cover', message_picture: 'message' } as const)[input.recordType],
    ),
  })),

  picture: files.picture.handler(async ({ input, context }) => {
    const file = await readOne(context, contentQuery(input.pictureId, 'picture'))
    return send(context, contentKey(file.orgId, file.id, input.size), file.name, file.type)
  }),
})

async function send(context: CallerContext, key: string, name: string, type: string) {
  const { files: store } = context.services
  const size = await store.size(key)
  if (size === null) throw problem('GONE', { reason: 'content_gone', detail: 'The content of this file is no longer there.' })
  return new StoredContent(store, key, { name, type: sentType(type), size })
}

/** Texts say how they are written; nothing that is stored runs in a browser. */
export const sentType = (type: string) => (type.startsWith('text/') ? 'text/plain; charset=utf-8' : type)
