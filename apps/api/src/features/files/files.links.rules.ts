import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'

const Claims = z.strictObject({ orgId: z.uuid(), accountId: z.uuid(), fileId: z.uuid(), until: z.int() })
type Whose = Omit<z.infer<typeof Claims>, 'until'>

/** Long enough for a browser to begin the download; what has begun is finished. */
const validMs = 60_000

const seal = (key: string, claims: string) => createHmac('sha256', key).update(`file link\n${claims}`).digest()

/** An address that downloads a file for the account that asked for it. */
export function signFileLink(key: string, whose: Whose, now: Date): { url: string; expiresAt: string } {
  const until = now.getTime() + validMs
  const claims = Buffer.from(JSON.stringify({ ...whose, until })).toString('base64url')
  return { url: `/files/${claims}.${seal(key, claims).toString('base64url')}`, expiresAt: new Date(until).toISOString() }
}

/** Who asks for what, or null when we did not make this or its time is over. */
export function readFileLink(key: string, token: string, now: Date): Whose | null {
  const [claims = '', sealed = ''] = token.split('.')
  const given = Buffer.from(sealed, 'base64url')
  const wanted = seal(key, claims)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null
  const { until, ...whose } = Claims.parse(JSON.parse(Buffer.from(claims, 'base64url').toString()))
  return until > now.getTime() ? whose : null
}
