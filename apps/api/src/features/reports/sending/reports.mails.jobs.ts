import * as z from 'zod'
import { toProblem } from '../../../platform/procedures/problem.ts'
import type { MailAttachment } from '../../../platform/mail/mail-content.ts'
import type { MailTemplate } from '../../../platform/mail/templates.ts'
import { fileTypes, reportFile } from '../files/reports.files.jobs.ts'
import { filteredNames } from '../files/reports.names.queries.ts'
import { reportTable } from '../files/reports.table.rules.ts'
import { frameFor } from '../reports.frame.queries.ts'
import { findRunToMail } from '../saved/reports.runs.queries.ts'

/** A report as its recipient sees it, with its files. Who may not see it any more when it leaves gets nothing. */
export const reportMail: MailTemplate<{ run: string }> = {
  key: 'report',
  essential: false,
  params: z.object({ run: z.uuid() }),
  async write({ i18n, params, organisation, recipient, database }) {
    if (!recipient) return null
    const found = await database.asActor(recipient, async (db) => {
      const run = await findRunToMail(db, params.run)
      if (!run) return null
      try {
        await frameFor(db, run.question)
      } catch (error) {
        const expected = toProblem(error)
        if (expected && expected.status < 500) return null
        throw error
      }
      return { run, recordNames: await filteredNames(db, run.question) }
    })
    if (!found) return null
    const { question, answer, name, formats, reportId } = found.run
    const table = reportTable(i18n, { question, answer, name, timezone: organisation.timezone, recordNames: found.recordNames })
    const attachments: MailAttachment[] = []
    for (const format of ['csv', 'pdf'] as const)
      if (formats.includes(format))
        attachments.push({ contentType: fileTypes[format], ...(await reportFile(i18n, organisation.name, table, format, answer.at)) })
    return {
      subject: i18n._('Report: {title}', { title: table.title }),
      paragraphs: [i18n._('{title} is attached, with what you may see of it.', { title: table.title }), ...table.facts],
      ...(reportId && { action: { label: i18n._('Open report'), path: `/reports/${reportId}` } }),
      attachments,
    }
  },
}
