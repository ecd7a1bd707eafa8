import { readCommandConfig } from '../platform/config.ts'
import { holdMail } from '../platform/mail/outbox.ts'
import { createLog } from '../platform/observability/log.ts'
import { createServices } from '../platform/services.ts'
import type { Command } from './command.ts'

export const holdWaitingMail: Command = {
  usage: '',
  summary: 'send no mail that waits now: before the first start on a database that was copied',
  async run() {
    const config = readCommandConfig(process.env)
    const services = createServices(config, createLog('silent'), config.WORKER_DATABASE_URL)
    const held = await holdMail(services, new Date()).finally(() => services.close())
    process.stdout.write(`${held} mails are held back.\n`)
    return 0
  },
}
