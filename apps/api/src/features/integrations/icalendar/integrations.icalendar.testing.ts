import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { serveLocally } from '../../../platform/server/local-server-testing.ts'

export type CalendarServer = {
  /** host:port, as OUTGOING_ALLOW names it. */
  host: string
  url: string
  /** Entries by UID, as lines. */
  entries: Map<string, string[]>
  /** Statuses that were answered. */
  answered: number[]
  /** Something else than the calendar. */
  instead: { status: number; body: string } | null
  close(): Promise<void>
}

/** A web server that publishes one calendar, with its tag. */
export async function startCalendar(): Promise<CalendarServer> {
  const there: Pick<CalendarServer, 'entries' | 'answered' | 'instead'> = { entries: new Map(), answered: [], instead: null }
  const server = createServer((request, response) => {
    const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Club//EN', 'X-WR-CALNAME:Club calendar']
      .concat(
        [...there.entries].flatMap(([uid, lines]) => ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20261101T000000Z', ...lines, 'END:VEVENT']),
      )
      .concat('END:VCALENDAR')
      .join('\r\n')
    const etag = `"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`
    const isSame = there.instead === null && request.headers['if-none-match'] === etag
    const { status, body } = there.instead ?? { status: isSame ? 304 : 200, body: isSame ? '' : text }
    there.answered.push(status)
    response.writeHead(status, { 'content-type': 'text/calendar', etag }).end(body)
  })
  const { host, url, close } = await serveLocally(server)
  return Object.assign(there, { host, url: `${url}/club.ics`, close })
}
