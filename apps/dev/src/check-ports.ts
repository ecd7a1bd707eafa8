import { PlainError } from './plain-error.ts'
import { portState } from './ports.ts'
import type { Ports } from './settings.ts'

const uses: Record<keyof Ports, string> = {
  app: 'Guildhall itself',
  identity: 'signing in',
  inbox: 'the mail inbox',
  smtp: 'taking mail',
  payments: 'test payments',
}

/** Looks before anything is started, so that a taken port leaves nothing half done. */
export async function checkPorts(ports: Ports): Promise<void> {
  const other = ports.app < 10_000 ? ports.app + 1000 : 4000
  for (const use of ['app', 'identity', 'inbox', 'smtp', 'payments'] as const) {
    const port = ports[use]
    const state = await portState(port)
    const choose = `Choose another one: PORT=${other} npm start (it and the four after it are used).`
    if (state === 'taken') throw new PlainError(`Port ${port}, for ${uses[use]}, is used by another program. ${choose}`)
    if (state === 'forbidden') throw new PlainError(`Port ${port}, for ${uses[use]}, may not be used by an ordinary user. ${choose}`)
  }
}
