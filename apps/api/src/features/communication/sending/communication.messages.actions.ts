import type { PreflightFinding } from '@guildhall/contract/features/communication.messages'
import { OutgoingError } from '../../../platform/outgoing/outgoing.ts'
import { mustFind, toProblem } from '../../../platform/procedures/problem.ts'
import { actions } from '../../../platform/procedures/procedures.ts'
import type { Services } from '../../../platform/services.ts'
import { contentFindings, finding, linksToCheck, sorted } from './communication.checks.rules.ts'
import { reachOf } from './communication.checks.queries.ts'
import { findMessage, settingsQuery } from './communication.messages.queries.ts'

const { messages: procedures } = actions.communication

/** So many links are tried at most, some at once, and no longer than so long in all. */
const mostLinks = 20
const linksAtOnce = 5
const linkMs = 4_000
/** An audience of nearly everybody is worth a second look. */
const broadShare = 0.9
const broadFrom = 100
const overlapShare = 0.3

export const messagesActions = procedures.router({
  preflight: procedures.preflight.handler(async ({ input, context }) => {
    const { message, reach, settings } = await context.inTx(
      async (db) => {
        const found = mustFind(await findMessage(db, input.messageId))
        const [known] = (await db.executeQuery(settingsQuery().compile())).rows
        return { message: found, settings: mustFind(known).item, reach: await reachOf(db, found).catch(unreachable) }
      },
      { statementTimeoutMs: 20_000 },
    )
    const findings = contentFindings(message)
    if (reach === null) findings.push(finding('audience_gone', 'error'))
    else {
      const { recipients, everybody, overlaps } = reach
      const skipped = Object.entries(reach.skipped)
      if (recipients === 0) findings.push(finding('nobody', 'error'))
      if (recipients >= broadFrom && recipients >= everybody * broadShare)
        findings.push(finding('broad_audience', 'warning', { recipients, everybody }))
      if (recipients > settings.reviewAbove) findings.push(finding('needs_review', 'info', { recipients, limit: settings.reviewAbove }))
      for (const [reason, people] of skipped) findings.push(finding('skipped', 'info', { reason, people }))
      for (const [field, people] of reach.missing) if (people > 0) findings.push(finding('missing_values', 'warning', { field, people }))
      for (const { name, people } of overlaps.filter((one) => one.people > recipients * overlapShare))
        findings.push(finding('overlap', 'warning', { name, people }))
    }
    if (input.links)
      findings.push(...(await linkFindings(context.services, linksToCheck(message.body, context.services.config.PUBLIC_URL))))
    return {
      recipients: reach?.recipients ?? 0,
      skipped: Object.values(reach?.skipped ?? {}).reduce((sum, people) => sum + people, 0),
      findings: sorted(findings),
    }
  }),
})

/** A part of the audience that is gone or hidden is told among the findings. */
function unreachable(error: unknown): null {
  if (toProblem(error)?.status === 422) return null
  throw error
}

async function linkFindings(services: Services, links: readonly string[]): Promise<PreflightFinding[]> {
  const waiting = links.slice(0, mostLinks)
  const found: PreflightFinding[] =
    links.length > mostLinks ? [finding('links_unchecked', 'info', { links: links.length - mostLinks })] : []
  await Promise.all(
    Array.from({ length: linksAtOnce }, async () => {
      for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
        const wrong = await wrongWith(services, url)
        if (wrong !== undefined) found.push(finding('broken_link', 'warning', { url, why: wrong }))
      }
    }),
  )
  return found
}

/** What a link answers that is wrong; undefined where it leads somewhere, or where nobody can tell from here. */
async function wrongWith({ outgoing }: Services, url: string): Promise<string | undefined> {
  try {
    const { status } = await outgoing.request(url, { method: 'GET', timeoutMs: linkMs, maxBytes: 200_000 })
    return status === 404 || status === 410 || status >= 500 ? String(status) : undefined
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    // A page that is large, or leads on to another one, is there.
    return ['redirected', 'too_large', 'unknown_encoding', 'not_https'].includes(error.reason) ? undefined : error.reason
  }
}
