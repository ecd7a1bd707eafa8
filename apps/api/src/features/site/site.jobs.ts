import { emailPattern } from '@guildhall/contract/email-pattern'
import { withoutHidden } from '@guildhall/contract/text-rules'
import type { JobHandler } from '../../platform/jobs/jobs.ts'
import type { Services } from '../../platform/services.ts'
import { administrators } from '../account/account.public.ts'
import { contactNotice } from './site.queries.ts'

/** Tells one administrator of a message of the contact page; one who is no longer told is left out. */
export const mailContactNotice =
  ({ database, mailer, config }: Services): JobHandler =>
  async ({ org = '', message = '', to = '' }) => {
    const notice = await database.withoutActor(async (db) => {
      const found = await contactNotice(db, org, message)
      const recipient = (await administrators(db, org)).find(({ key }) => key === to)
      return found && recipient ? { ...found, address: recipient.address } : null
    })
    if (!notice) return
    await mailer.send({
      to: notice.address,
      // Messages from before addresses and texts were looked at this closely are still sent, with what is safe of them.
      ...(emailPattern.test(notice.email) ? { replyTo: notice.email } : {}),
      subject: withoutHidden(`${notice.topic} (${notice.reference})`),
      text: withoutHidden(
        `${notice.name} <${notice.email}> wrote through the contact page:\n\n${notice.message}\n\n--\nReference ${notice.reference}\n${config.PUBLIC_URL}\n`,
      ),
      // The same for every try, so that a mail which did arrive is recognised.
      messageId: `<contact-${message}-${to}@guildhall>`,
    })
  }
