import { LRUCache } from 'lru-cache'
import { networksOf } from './attempts.ts'

/** Whether an address (IPv4) or /64 (IPv6) may ask once more within its minute; counted in each process. */
export function perMinute(most: number) {
  const asked = new LRUCache<string, { times: number }>({ max: 50_000, ttl: 60_000 })
  return (ip: string): boolean => {
    const [place] = networksOf(ip)
    const seen = asked.get(place)
    if (!seen) asked.set(place, { times: 1 })
    else seen.times += 1
    return (seen?.times ?? 1) <= most
  }
}
