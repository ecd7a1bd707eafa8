import type { Case } from './case.ts'
import { backupDrill } from './cases/backup.ts'
import { bigImport } from './cases/big-import.ts'
import { connections } from './cases/connections.ts'
import { costlySearches } from './cases/costly-searches.ts'
import { databaseRestart } from './cases/database-restart.ts'
import { doubleClicks } from './cases/double-clicks.ts'
import { importKills } from './cases/import-kills.ts'
import { jobKills, outbox } from './cases/jobs.ts'
import { mailKills } from './cases/mail.ts'
import { messageKills } from './cases/messages.ts'
import { enumeration } from './cases/enumeration.ts'
import { fullDisk } from './cases/full-disk.ts'
import { hostileClients } from './cases/hostile-clients.ts'
import { interruptedMigration, liveMigration } from './cases/migrations.ts'
import { overload } from './cases/overload.ts'
import { renewals } from './cases/renewals.ts'
import { rollingRestart } from './cases/rolling-restart.ts'
import { savedCards } from './cases/saved-cards.ts'
import { seats } from './cases/seats.ts'
import { twoOfEverything } from './cases/two-of-everything.ts'

export const cases: Case[] = [
  importKills,
  backupDrill,
  doubleClicks,
  jobKills,
  outbox,
  mailKills,
  messageKills,
  renewals,
  savedCards,
  seats,
  databaseRestart,
  connections,
  fullDisk,
  hostileClients,
  overload,
  enumeration,
  costlySearches,
  rollingRestart,
  liveMigration,
  interruptedMigration,
  twoOfEverything,
  bigImport,
]
