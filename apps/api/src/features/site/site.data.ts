import { listPage } from '../../platform/lists/list-page.ts'
import { mustFind } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { contactMessagesList, publicChaptersList, publicOrganisation, readMenu, setHandled } from './site.queries.ts'

const { site } = data

export const siteData = site.router({
  menu: site.menu.handler(({ context }) => context.inTx(readMenu)),

  organisation: site.organisation.handler(async ({ context: { services } }) => {
    const found = mustFind(await services.database.withoutActor((db) => publicOrganisation(db, services.config.ORG_ID)))
    return { name: found.name, locale: found.locale, contactEmail: found.contactEmail }
  }),

  chapters: site.chapters.handler(({ input, context }) =>
    listPage(context, publicChaptersList(context.services.config.ORG_ID, input.q?.trim() ?? ''), { limit: 10, ...input }),
  ),

  messages: {
    list: site.messages.list.handler(({ input, context }) => listPage(context, contactMessagesList(input), input)),
    update: site.messages.update.handler(async ({ input, context }) => {
      return mustFind(await context.inTx((db) => setHandled(db, input.messageId, input.handled)))
    }),
  },
})
