import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { z } from 'zod'
import { readJson, writeJson } from './json-files.ts'

const Summary = z.object({
  id: z.string(),
  receivedAt: z.string(),
  /** From the envelope, so blind copies show too. */
  to: z.array(z.string()),
  from: z.string(),
  subject: z.string(),
  preview: z.string(),
  attachments: z.array(z.string()),
})
export type MailSummary = z.infer<typeof Summary>

export type Mailbox = {
  /** Newest first. */
  list: () => readonly MailSummary[]
  find: (id: string) => Promise<{ summary: MailSummary; email: Email; source: Buffer } | undefined>
  add: (source: Buffer, envelopeTo: readonly string[]) => Promise<MailSummary>
  clear: () => Promise<void>
}

const mostMessages = 500

/** The messages in a folder: one file as it came, one with what the list shows; beyond the last 500 the oldest go. */
export async function openMailbox(folder: string): Promise<Mailbox> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const ids = (await readdir(folder)).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length))
  const stored = await Promise.all(ids.map((id) => readJson(Summary, join(folder, `${id}.json`))))
  const messages = stored.filter((one) => one !== undefined).sort((a, b) => b.id.localeCompare(a.id))

  // Ids are times, and no two are equal: they sort as the mail came in.
  let newest = Date.parse(messages[0]?.receivedAt ?? '1970-01-01')

  const remove = async ({ id }: MailSummary) => {
    for (const ending of ['json', 'eml']) await rm(join(folder, `${id}.${ending}`), { force: true })
  }

  return {
    list: () => messages,
    find: async (id) => {
      const summary = messages.find((one) => one.id === id)
      if (!summary) return undefined
      const source = await readFile(join(folder, `${id}.eml`))
      return { summary, source, email: await PostalMime.parse(source) }
    },
    add: async (source, envelopeTo) => {
      newest = Math.max(Date.now(), newest + 1)
      const now = new Date(newest)
      const id = now.toISOString().replaceAll(/[-:.]/g, '')
      const summary = summarise(id, now, await PostalMime.parse(source), envelopeTo)
      await writeFile(join(folder, `${id}.eml`), source, { mode: 0o600 })
      await writeJson(join(folder, `${id}.json`), summary)
      messages.unshift(summary)
      for (const old of messages.splice(mostMessages)) await remove(old)
      return summary
    },
    clear: async () => {
      for (const old of messages.splice(0)) await remove(old)
    },
  }
}

function summarise(id: string, now: Date, email: Email, to: readonly string[]): MailSummary {
  return {
    id,
    receivedAt: now.toISOString(),
    to: [...to],
    from: email.from?.name || email.from?.address || 'nobody',
    subject: email.subject || '(no subject)',
    preview: (email.text ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 140),
    attachments: email.attachments.filter(({ disposition }) => disposition !== 'inline').map(({ filename }) => filename ?? 'unnamed'),
  }
}
