import { createHmac, randomInt } from 'node:crypto'

// Without letters and digits that are mistaken for each other when read out.
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A number to quote when asking again, such as K7MA-2QXB. */
export function newReference(): string {
  const letters = Array.from({ length: 8 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

/** Who sends, for counting only: a keyed hash, so that no address is kept. An IPv6 network counts as one, since a house has billions of addresses. */
export function contactSource(ip: string, secret: string): string {
  return createHmac('sha256', secret)
    .update(`contact ${networkOf(ip)}`)
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
