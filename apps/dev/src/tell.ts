import { styleText } from 'node:util'
import { demoPassword, demoPeople } from './demo-people.ts'
import { logsIn, type Settings } from './settings.ts'

const bold = (text: string) => styleText('bold', text)
const dim = (text: string) => styleText('dim', text)

export const tell = (line: string): void => console.log(line)

/** One line when a step begins that takes a while, one when it is done. */
export async function step<T>(work: Promise<T>, done: string | ((result: T) => string)): Promise<T> {
  const start = performance.now()
  const result = await work
  const text = typeof done === 'string' ? done : done(result)
  tell(`  ${styleText('green', '✓')} ${text} ${dim(`${((performance.now() - start) / 1000).toFixed(1)} s`)}`)
  return result
}

/** Progress is worth a line every few seconds, not for every portion. */
export function tellNowAndThen<Arguments extends unknown[]>(say: (...values: Arguments) => void): (...values: Arguments) => void {
  let last = performance.now()
  return (...values) => {
    if (performance.now() - last < 3000) return
    last = performance.now()
    say(...values)
  }
}

type Running = { settings: Settings; inboxUrl: string; paymentsUrl: string; place: string; seconds: number }

/** What a person needs to begin, at the end of a start. */
export function announce({ settings, inboxUrl, paymentsUrl, place, seconds }: Running): void {
  const { appUrl, dataDir } = settings
  const widest = Math.max(...demoPeople.map((person) => person.email.length))
  const people = demoPeople.map((person) => `    ${person.email.padEnd(widest)}   ${dim(person.about)}`)
  tell(
    [
      '',
      `  ${bold('Guildhall is ready:')} ${styleText(['bold', 'cyan'], appUrl)}   ${dim(`started in ${seconds.toFixed(1)} s`)}`,
      '',
      `  Sign in as one of these, password ${bold(demoPassword)}`,
      ...people,
      '',
      `  Mail inbox   ${inboxUrl}`,
      `  Payments     ${paymentsUrl}`,
      `  API          ${appUrl}/docs`,
      `  Data         ${dataDir}`,
      ...(place.startsWith(dataDir) ? [] : [`  Database     ${place}`]),
      `  Logs         ${logsIn(dataDir)}`,
      '',
      `  ${dim(settings.watch ? 'Changes are reloaded. Ctrl-C stops everything.' : 'Ctrl-C stops everything.')}`,
      '',
    ].join('\n'),
  )
}
