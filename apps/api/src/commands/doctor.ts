import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { publicOrganisation } from '../features/site/site.queries.ts'
import { readCommandConfig } from '../platform/config.ts'
import { refusalOfSignature, refuseUnsafeDatabase } from '../platform/database-checks.ts'
import { createLog } from '../platform/observability/log.ts'
import { createServices } from '../platform/services.ts'
import type { Services } from '../platform/services.ts'
import type { Command } from './command.ts'
import { fault, note, ok, reasonOf, sectionText } from './doctor-finding.ts'
import type { Finding } from './doctor-finding.ts'
import { examineProvider } from './doctor-provider.ts'
import { examineToken } from './doctor-token.ts'

export const doctor: Command = {
  usage: '[--token TOKEN | --token -]',
  summary: 'check sign-in, database and mail, and say what is wrong; - reads an access token from the input',
  async run(args) {
    const { values } = parseArgs({ args, options: { token: { type: 'string' } } })
    const token = values.token === '-' ? (await text(process.stdin)).trim() : values.token
    const services = createServices(readCommandConfig(process.env), createLog('silent'))
    try {
      const { report, isWell } = await examine(services, token)
      process.stdout.write(report)
      return isWell ? 0 : 1
    } finally {
      await services.close()
    }
  },
}

export async function examine(services: Services, token?: string): Promise<{ report: string; isWell: boolean }> {
  const sections: [title: string, findings: Finding[]][] = [['Sign-in', await examineProvider(services.config)]]
  if (token !== undefined) sections.push(['Access token', await examineToken(services, token)])
  sections.push(['Database', await examineDatabase(services)], ['Mail', [await examineMail(services)]])
  const all = sections.flatMap(([, findings]) => findings)
  const count = (level: Finding['level']) => all.filter((finding) => finding.level === level).length
  const faults = count('fault')
  const end = faults === 0 ? 'Nothing is wrong' : `${faults} ${faults === 1 ? 'thing is' : 'things are'} wrong`
  return {
    report: `${sections.map(([title, findings]) => sectionText(title, findings)).join('')}${end}; ${count('ok')} fine, ${count('note')} to know.\n`,
    isWell: faults === 0,
  }
}

async function examineDatabase({ config, database }: Services): Promise<Finding[]> {
  try {
    await database.ping()
  } catch (error) {
    return [fault(`The database cannot be reached: ${reasonOf(error)}.`, 'Check DATABASE_URL, and that the server is up.')]
  }
  const findings = [ok('The database answers.')]
  try {
    await refuseUnsafeDatabase(database)
    findings.push(ok('Its role and its rules keep organisations apart.'))
  } catch (error) {
    findings.push(fault(error instanceof Error ? error.message : String(error), 'Run npm run guildhall -- migrate.'))
  }
  findings.push(await actorKeyFinding(database), await organisationFinding(database, config.ORG_ID))
  return findings
}

async function actorKeyFinding(database: Services['database']): Promise<Finding> {
  const code = await refusalOfSignature(database)
  if (code === null) return ok('It accepts our ACTOR_KEY.')
  if (code === '28000') {
    return fault(
      'It does not accept what we sign: ACTOR_KEY is another one, or the clocks differ by more than five minutes.',
      'Run npm run guildhall -- migrate with the same ACTOR_KEY, and set the clocks.',
    )
  }
  return fault(`It does not have today's functions (${code}).`, 'Run npm run guildhall -- migrate.')
}

async function organisationFinding(database: Services['database'], orgId: string | undefined): Promise<Finding> {
  const served = await database.withoutActor((db) => publicOrganisation(db, orgId)).catch(() => undefined)
  if (served) return ok(`People of ${orgId ? `the provider's organisation ${orgId}` : 'the provider'} belong to ${served.name}.`)
  return orgId
    ? fault(
        `No organisation belongs to ORG_ID ${orgId}.`,
        'Found it with npm run guildhall -- create-organisation … --idp-org, or leave ORG_ID empty.',
      )
    : note(
        'There is no organisation yet, or there are several and tokens must name theirs.',
        'The first is founded with npm run guildhall -- create-organisation.',
      )
}

async function examineMail({ config, mailer }: Services): Promise<Finding> {
  if (!config.SMTP_URL) return note('There is no mail server; mail waits in the queue.', 'Set SMTP_URL.')
  try {
    await mailer.check()
    return ok(`The mail server ${new URL(config.SMTP_URL).host} lets us in.`)
  } catch (error) {
    return fault(`The mail server does not let us in: ${reasonOf(error)}.`, 'Check SMTP_URL: smtps://user:password@host:465.')
  }
}
