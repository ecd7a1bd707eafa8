import type { EventCounts, RosterEntry } from '@guildhall/contract/features/events'
import { openDB } from 'idb'
import type { DBSchema, IDBPDatabase } from 'idb'
import type { Queue, QueuedScan } from './door-queue.ts'

/** A roster holds names and tickets: it stays on a device for so long after it was last read. */
const keptMs = 2 * 86_400_000

export type KeptRoster = { entries: RosterEntry[]; counts: EventCounts; asOf: string }

interface Kept extends DBSchema {
  rosters: { key: [accountId: string, eventId: string]; value: KeptRoster & { accountId: string; eventId: string; keptAt: number } }
  scans: { key: string; value: QueuedScan & { accountId: string; nth: number }; indexes: { byEvent: [string, string] } }
}

/** What one account keeps on this device for the door of one event. */
export type DoorStore = {
  /** Survives a reload. */
  lasting: boolean
  roster(): Promise<KeptRoster | undefined>
  keepRoster(roster: KeptRoster): Promise<void>
  queue(): Promise<Queue>
  keepScan(scan: QueuedScan): Promise<void>
  dropScans(ids: readonly string[]): Promise<void>
}

export async function openDoorStore(accountId: string, eventId: string): Promise<DoorStore> {
  const database = await open()
  if (!database) return inMemory()
  await sweep(database, accountId)
  return {
    lasting: true,
    roster: () => database.get('rosters', [accountId, eventId]),
    async keepRoster(roster) {
      await database.put('rosters', { ...roster, accountId, eventId, keptAt: Date.now() })
    },
    async queue() {
      const rows = await database.getAllFromIndex('scans', 'byEvent', [accountId, eventId])
      return rows.toSorted((one, other) => one.nth - other.nth).map(({ accountId: _, nth: _n, ...scan }) => scan)
    },
    async keepScan(scan) {
      const before = await database.get('scans', scan.clientId)
      await database.put('scans', { ...scan, accountId, nth: before?.nth ?? Date.now() })
    },
    async dropScans(ids) {
      const tx = database.transaction('scans', 'readwrite')
      await Promise.all([...ids.map((id) => tx.store.delete(id)), tx.done])
    },
  }
}

/** Null where the browser keeps nothing, such as in a private window. */
async function open(): Promise<IDBPDatabase<Kept> | null> {
  if (!('indexedDB' in globalThis)) return null
  try {
    return await openDB<Kept>('guildhall-door', 1, {
      upgrade(database) {
        database.createObjectStore('rosters', { keyPath: ['accountId', 'eventId'] })
        database.createObjectStore('scans', { keyPath: 'clientId' }).createIndex('byEvent', ['accountId', 'eventId'])
      },
    })
  } catch {
    return null
  }
}

/** Rosters of others and old ones go; scans stay until they are sent. */
async function sweep(database: IDBPDatabase<Kept>, accountId: string) {
  for (const roster of await database.getAll('rosters'))
    if (roster.accountId !== accountId || roster.keptAt < Date.now() - keptMs)
      await database.delete('rosters', [roster.accountId, roster.eventId])
}

function inMemory(): DoorStore {
  let kept: KeptRoster | undefined
  const scans = new Map<string, QueuedScan>()
  return {
    lasting: false,
    roster: async () => kept,
    keepRoster: async (roster) => void (kept = roster),
    queue: async () => [...scans.values()],
    keepScan: async (scan) => void scans.set(scan.clientId, scan),
    dropScans: async (ids) => ids.forEach((id) => scans.delete(id)),
  }
}
