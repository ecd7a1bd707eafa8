import { chown, readFile, stat } from 'node:fs/promises'
import { PlainError } from './plain-error.ts'

/** Somebody else to run as: PostgreSQL refuses to run as root. */
export type Account = { uid: number; gid: number }

/** Whom the server runs as when root starts it: the owner of what is there already, or else `postgres` or `nobody`. Nobody is created. */
export async function findAccount(folder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(folder).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const found = lines.find((fields) => fields[0] === name)
    if (found) return { uid: Number(found[2]), gid: Number(found[3]) }
  }
  throw new PlainError(
    'PostgreSQL refuses to run as root, and this machine has no user named "postgres" or "nobody" to run it as. ' +
      'Start Guildhall as an ordinary user, or give the address of a PostgreSQL of your own: DATABASE_URL=postgres://… npm start.',
  )
}

/** Hands a file to the account the server runs as. */
export const giveTo = (account: Account | undefined, path: string): Promise<void> =>
  account ? chown(path, account.uid, account.gid) : Promise.resolve()

/** For every program of PostgreSQL: its messages in English, nothing of our environment, a working folder it may enter. */
export const programOptions = (account: Account | undefined) => ({
  ...account,
  cwd: '/',
  env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
})
