import { createHmac } from 'node:crypto'
import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

/** Counts what anybody may do, by where it comes from; false when it was once too often within the hour. */
export async function countAttempt(db: Kysely<Schema>, orgId: string, what: 'contact' | 'access', place: string): Promise<boolean> {
  const { rows } = await sql<{ allowed: boolean }>`select app.count_attempt(${orgId}, ${what}, ${place}) as allowed`.execute(db)
  return rows[0]?.allowed ?? false
}

/** Where a request comes from, for counting only: a keyed hash, so that no address is kept. An IPv6 network counts as one, since a house has billions of addresses. */
export function placeOf(ip: string, secret: string): string {
  return createHmac('sha256', secret)
    .update(`place ${networkOf(ip)}`)
    .digest('base64url')
    .slice(0, 32)
}

export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped) return mapped
  if (!ip.includes(':')) return ip
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail ? tail.split(':').length : 0
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest)
  return [...groups, ...Array.from({ length: zeros }, () => '0'), ...(tail ? tail.split(':') : [])]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
