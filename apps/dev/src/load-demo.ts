import { openAdmin } from '@guildhall/db/admin'
import { localFiles } from '@guildhall/api/platform/files/files'
import { addDemoCovers, demoIsLoaded, loadDemo, relinkDemoAccounts } from '@guildhall/db/demo'
import pg from 'pg'
import { keepCover } from './demo-covers.ts'
import { keepDemoFile } from './demo-files.ts'
import { keepDemoPayments } from './demo-payments.ts'
import type { PaymentCompanion } from './payment-companion.ts'
import { PlainError } from './plain-error.ts'
import type { Settings } from './settings.ts'

type Options = {
  adminUrl: string
  issuer: string
  size: Settings['demo']
  /** Where the application stores files. */
  filesDir: string
  /** Where payments by card were made. */
  payments: Pick<PaymentCompanion, 'state' | 'save'>
  onProgress: (people: number, of: number) => void
}

/**
 * Fills an empty database with the demo organisation; one that holds any organisation is left as it is. Answers what there is now to say
 * of it. The accounts follow the provider's address, which changes with the port.
 */
export async function loadDemoOnce({ adminUrl, issuer, size, filesDir, payments, onProgress }: Options): Promise<string> {
  if (await demoIsLoaded(adminUrl)) {
    await relinkDemoAccounts({ adminUrl, issuer })
    return 'Demo organisation'
  }
  const organisations = await openAdmin(adminUrl, (query) => query<{ name: string }>('select name from app.organisations limit 1'))
  if (organisations[0]) return `Organisation ${organisations[0].name}`
  if (size === 'none') return 'No organisation yet'
  try {
    const { people } = await loadDemo({
      ...{ adminUrl, issuer, size, onProgress },
      today: new Date().toISOString().slice(0, 10),
      keepFile: keepDemoFile(localFiles(filesDir)),
    })
    await addDemoCovers({ adminUrl, keep: keepCover(filesDir) })
    await keepDemoPayments(adminUrl, payments)
    return `Demo organisation, ${people.toLocaleString('en')} people`
  } catch (error) {
    const mayNot = error instanceof pg.DatabaseError && error.code === '42501'
    if (mayNot)
      throw new PlainError('Only a superuser may load the demo: give one in DATABASE_URL, or start with GUILDHALL_DEMO=none npm start.')
    throw error
  }
}
