import { createHmac } from 'node:crypto'
import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

/** An address and the networks around it, from narrow to wide, as the database counts them; null where there is no such network. */
export type Places = readonly [own: string, site: string | null, network: string, provider: string]

/** Counts what anybody may do, by where it comes from; false when it was once too often within the hour. */
export async function countAttempt(
  db: Kysely<Schema>,
  orgId: string,
  what: 'contact' | 'access' | 'link' | 'register' | 'give',
  places: Places,
): Promise<boolean> {
  const { rows } = await sql<{ allowed: boolean }>`select app.count_attempt(${orgId}, ${what}, ${[...places]}::text[]) as allowed`.execute(
    db,
  )
  return rows[0]?.allowed ?? false
}

/** Where a request comes from, for counting only: keyed hashes, so that no address is kept. */
export function placesOf(ip: string, secret: string): Places {
  const [own, site, network, provider] = networksOf(ip)
  const hashed = (place: string) => createHmac('sha256', secret).update(`place ${place}`).digest('base64url').slice(0, 32)
  return [hashed(own), site === null ? null : hashed(site), hashed(network), hashed(provider)]
}

/**
 * One address of version 4; a /64 of version 6, since a house has billions of addresses. Around it what one customer, one place and one
 * provider typically have: /56, /48 or /24, /32 or /16.
 */
export function networksOf(ip: string): Places {
  const four = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (four) {
    const parts = four.split('.')
    return [four, null, `${parts.slice(0, 3).join('.')}/24`, `${parts.slice(0, 2).join('.')}/16`]
  }
  const [a, b, c, d] = firstGroups(ip)
  return [`${a}:${b}:${c}:${d}`, `${a}:${b}:${c}:${d.padStart(4, '0').slice(0, 2)}/56`, `${a}:${b}:${c}/48`, `${a}:${b}/32`]
}

/** The upper half of an address of version 6, in its shortest form; of what is no address, as much as there is. */
function firstGroups(ip: string): [string, string, string, string] {
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail ? tail.split(':').length : 0
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest)
  const [a = '0', b = '0', c = '0', d = '0'] = [
    ...groups,
    ...Array.from({ length: zeros }, () => '0'),
    ...(tail ? tail.split(':') : []),
  ].map((group) => group.replace(/^0+(?=.)/, ''))
  return [a, b, c, d]
}
