import { ask } from '../connectors/integrations.connector.actions.ts'
import { connectorError, exampleOf, textSetting } from '../connectors/integrations.connector.rules.ts'
import type { Reach, SyncConnector } from '../connectors/integrations.connector.rules.ts'
import { readCalendar, theirFields } from './integrations.icalendar.rules.ts'
import type { ReadCalendar } from './integrations.icalendar.rules.ts'

const largestFile = 5_000_000
const patienceMs = 20_000

const refusals = {
  not_a_calendar: 'There is no calendar at this address. Give the address of the .ics file, not of a page that shows it.',
  ours: 'This calendar is made by Guildhall: its events are here already, or would go round and round.',
  too_many: 'This calendar holds more than 5,000 entries.',
  too_long: 'It takes too long to work out when the entries of this calendar take place.',
} as const

/** Undefined where it is the same as the tag says. */
async function fetchCalendar(reach: Reach, tag: string | null): Promise<(ReadCalendar & { tag: string | null }) | undefined> {
  const headers = { accept: 'text/calendar, text/plain;q=0.5', ...(tag !== null && { 'if-none-match': tag }) }
  const answer = await ask(
    reach,
    textSetting(reach, 'address'),
    { headers, timeoutMs: patienceMs, maxBytes: largestFile },
    tag === null ? [] : [304],
  )
  if (answer.status === 304) return undefined
  const found = readCalendar(answer.body.toString('utf8'), { today: reach.today, timezone: reach.timezone, now: new Date() })
  if (found === 'too_many' || found === 'too_long') throw connectorError('too_large', { message: refusals[found] })
  if (typeof found === 'string') throw connectorError(found === 'ours' ? 'refused' : 'bad_answer', { message: refusals[found] })
  const { etag } = answer.headers
  return { ...found, tag: typeof etag === 'string' && etag.length <= 500 ? etag : null }
}

/** A calendar that is published at an address. It is read anew once a day at least, since the twelve months ahead move on. */
export const icalendarConnector: SyncConnector = {
  async test(reach) {
    const found = await fetchCalendar(reach, null)
    return [...(found?.name ? [{ name: 'calendar', value: found.name }] : []), { name: 'events', value: String(found?.rows.length ?? 0) }]
  },
  async theirs(reach) {
    const first = (await fetchCalendar(reach, null))?.rows[0]
    return theirFields.map((key) => ({ key, label: null, example: exampleOf(first?.values[key]), isKey: false }))
  },
  async pull(reach, _cursor, mark) {
    const [day = '', tag = ''] = mark?.split(' ', 2) ?? []
    const found = await fetchCalendar(reach, day === reach.today && tag !== '' ? tag : null)
    if (!found) return { rows: [], bad: [], cursor: null, total: null, isFresh: true, mark }
    return {
      rows: found.rows,
      bad: found.bad,
      cursor: null,
      total: found.rows.length,
      mark: found.tag === null ? null : `${reach.today} ${found.tag}`,
    }
  },
}
