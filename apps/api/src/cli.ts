import { backup } from './commands/backup.ts'
import { createOrganisation } from './commands/create-organisation.ts'
import { holdWaitingMail } from './commands/hold-mail.ts'
import { doctor } from './commands/doctor.ts'
import { importFile } from './commands/import.ts'
import { migrateDatabase } from './commands/migrate.ts'
import { restore } from './commands/restore.ts'
import type { Command } from './commands/command.ts'

/** Operator commands: `npm run guildhall -- <command> …`. See docs/operators. */
const commands: Record<string, Command> = {
  migrate: migrateDatabase,
  'create-organisation': createOrganisation,
  import: importFile,
  backup,
  restore,
  'hold-mail': holdWaitingMail,
  doctor,
}

const [name = 'help', ...args] = process.argv.slice(2)
const command = commands[name]
if (!command) {
  const known = name === 'help' || name === '--help'
  const lines = Object.entries(commands).map(([key, { usage, summary }]) => `  ${`${key} ${usage}`.padEnd(48)} ${summary}`)
  process.stderr.write(
    `${known ? '' : `There is no command "${name}".\n\n`}Usage: npm run guildhall -- <command> …\n\n${lines.join('\n')}\n`,
  )
  process.exitCode = known ? 0 : 2
} else {
  try {
    process.exitCode = await command.run(args)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
