import { migrate } from '@guildhall/db/migrate'
import { readAdminConfig } from '../platform/config.ts'
import type { Command } from './command.ts'

export const migrateDatabase: Command = {
  usage: '',
  summary: 'bring the database of ADMIN_DATABASE_URL to this version; safe to repeat',
  async run() {
    const { adminUrl, actorKey, apiPassword, workerPassword } = readAdminConfig(process.env)
    const { applied } = await migrate({
      adminUrl,
      actorKey,
      ...(apiPassword ? { apiPassword } : {}),
      ...(workerPassword ? { workerPassword } : {}),
      log: (line) => process.stdout.write(`${line}\n`),
    })
    process.stdout.write(
      applied.length
        ? `The database is up to date: ${applied.length} migrations applied.\n`
        : 'The database is up to date; there was nothing to do.\n',
    )
    return 0
  },
}
