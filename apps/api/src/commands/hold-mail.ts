import { readCommandConfig } from '../platform/config.ts'
import { holdMail } from '../platform/jobs/jobs.ts'
import type { Command } from './command.ts'

export const holdWaitingMail: Command = {
  usage: '',
  summary: 'send no mail that waits now: before the first start on a database that was copied',
  async run() {
    const config = readCommandConfig(process.env)
    const held = await holdMail(config.WORKER_DATABASE_URL ?? config.DATABASE_URL, new Date())
    process.stdout.write(`${held} mails are held back.\n`)
    return 0
  },
}
