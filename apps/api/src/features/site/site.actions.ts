import { countAttempt, placesOf } from '../../platform/limits/attempts.ts'
import { mailAdministrators } from '../../platform/mail/send-mail.ts'
import { problem } from '../../platform/procedures/problem.ts'
import { actions } from '../../platform/procedures/procedures.ts'
import { contactMail } from './site.jobs.ts'
import { publicOrganisation, submitContact } from './site.queries.ts'
import { newReference } from './site.rules.ts'

const { site } = actions

export const siteActions = site.router({
  contact: site.contact.handler(async ({ input, context }) => {
    const { database, config } = context.services
    const reference = newReference()
    // What fills in a field that nobody sees gets the answer of a success, and nothing else.
    if (input.website) return { reference }

    const outcome = await database.withoutActor(async (db) => {
      const organisation = await publicOrganisation(db, config.ORG_ID)
      if (!organisation) return 'nobody'
      if (!(await countAttempt(db, organisation.id, 'contact', placesOf(context.ip, config.ACTOR_KEY)))) return 'too many'
      const message = await submitContact(db, organisation.id, reference, input)
      await mailAdministrators(db, organisation.id, contactMail, { params: { message }, dedupeKey: `contact:${message}` })
      return 'sent'
    })
    if (outcome === 'nobody') throw problem('NOT_FOUND')
    if (outcome === 'too many') {
      context.setHeader('retry-after', '3600')
      throw problem('TOO_MANY_REQUESTS', {
        reason: 'contact_limit',
        detail: 'Too many messages were sent within an hour. Try again later or write an e-mail.',
      })
    }
    return { reference }
  }),
})
