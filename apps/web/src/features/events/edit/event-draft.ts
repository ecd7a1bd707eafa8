import { EventChange, NewEvent } from '@guildhall/contract/features/events'
import type { Event, SeriesScope } from '@guildhall/contract/features/events'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { problemText } from '../../../platform/api/problem-text.tsx'
import type { Api } from '../../../platform/api/api.tsx'
import { faultsOf } from '../../../platform/api/form-rules.ts'
import { createStore } from '../../../platform/store.ts'
import { sentOf, valuesOf, withIds } from './event-values.ts'
import type { EventKey, EventValues } from './event-values.ts'

export type DraftState = {
  values: EventValues
  /** As it was last saved; undefined until it has been. */
  event: Event | undefined
  saving: boolean
  savedAt: number | undefined
  /** Why the last attempt to save did not work, where no field can say so. */
  failure: string | undefined
  /** What is wrong, by the place in what is sent: "ticketTypes.0.name". */
  faults: Readonly<Record<string, string>>
  /** Something is not saved yet. */
  pending: boolean
}

type Clash = { key: EventKey; mine: unknown; theirs: unknown }
type Options = {
  events: Pick<Api['data']['events'], 'create' | 'update' | 'get'>
  values: EventValues
  event?: Event | undefined
  /** Whoever changed the same: asked one thing after another. */
  decide: (clash: Clash) => Promise<'mine' | 'theirs'>
  onSaved: (event: Event, created: boolean) => void
}

/** So long after the last key a draft is saved. */
const idleMs = 800
/** What belongs together is sent together, since the server judges both. */
const companions: Partial<Record<EventKey, readonly EventKey[]>> = {
  startsAt: ['endsAt'],
  groupId: ['visibility'],
  chapterId: ['visibility'],
}

const written = (value: unknown) => JSON.stringify(value ?? null)

/**
 * An event while it is entered. A draft is saved when nobody has typed for a moment, a published event when somebody says so. Only what
 * was changed is sent; what the contract refuses waits, and keeps nothing else from being saved.
 */
export function eventDraft({ events, values, event, decide, onSaved }: Options) {
  const store = createStore<DraftState>({
    values,
    event,
    saving: false,
    savedAt: undefined,
    failure: undefined,
    faults: {},
    pending: false,
  })
  /** Of each field: what this form sent last, what the server answered last, and what it refused. */
  let sent = new Map(Object.entries(event ? sentOf(values) : {}).map(([key, value]) => [key, written(value)]))
  let stored = new Map(Object.entries(event ? sentOf(valuesOf(event)) : {}).map(([key, value]) => [key, written(value)]))
  const refused = new Map<string, { json: string; faults: Record<string, string> }>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  /** For which events of a series the next change is. */
  let scope: SeriesScope = 'this'

  const patch = (change: Partial<DraftState>) => store.set((before) => ({ ...before, ...change }))
  const isDraft = () => (store.get().event?.status ?? 'draft') === 'draft'

  /** What differs from what was sent last, and what is wrong with it. */
  function look() {
    const all = sentOf(store.get().values)
    const changed = Object.entries(all).filter(([key, value]) => sent.get(key) !== written(value))
    const faults: Record<string, string> = {}
    const ready: Record<string, unknown> = {}
    for (const [key, value] of changed) {
      const known = refused.get(key)
      const found = known?.json === written(value) ? known.faults : faultsOf(EventChange, { [key]: value })
      if (Object.keys(found).length > 0) Object.assign(faults, found)
      else ready[key] = value
    }
    return { all, changed, faults, ready }
  }

  function note() {
    const { changed, faults } = look()
    const known = store.get().faults
    patch({ faults: written(known) === written(faults) ? known : faults, pending: changed.length > 0 })
  }

  function set(change: Partial<EventValues>) {
    store.set((before) => ({ ...before, values: { ...before.values, ...change } }))
    note()
    clearTimeout(timer)
    if (isDraft()) timer = setTimeout(() => void flush().catch(() => {}), idleMs)
  }

  /** Saves whatever can be saved; resolves when nothing is under way any more. */
  async function flush(changes: SeriesScope = 'this'): Promise<Event | undefined> {
    clearTimeout(timer)
    scope = changes
    for (let tries = 0; tries < 8; tries += 1) {
      await running
      const { ready } = look()
      const { event: before } = store.get()
      if (Object.keys(ready).length === 0) break
      if (!before && !NewEvent.safeParse(ready).success) break
      running = save(ready).finally(() => {
        running = undefined
      })
      await running
      if (store.get().failure !== undefined) break
    }
    note()
    return store.get().event
  }

  async function save(ready: Record<string, unknown>) {
    const { event: before, values: asSent } = store.get()
    patch({ saving: true, failure: undefined })
    try {
      const together = { ...ready }
      const all = sentOf(asSent)
      if (before)
        for (const [key, others] of Object.entries(companions)) if (key in ready) for (const other of others) together[other] ??= all[other]
      const saved = before
        ? await events.update.call(
            { eventId: before.id, ...EventChange.parse(together), ...(before.series && { scope }) },
            { context: { ifMatch: before.version } },
          )
        : await events.create.call(NewEvent.parse(ready))
      adopt(asSent, Object.keys(together), saved)
      onSaved(saved, !before)
    } catch (problem) {
      await fail(problem, ready)
    } finally {
      patch({ saving: false })
    }
  }

  function adopt(asSent: EventValues, keys: readonly string[], saved: Event) {
    store.set((now) => ({ ...now, event: saved, savedAt: Date.now(), failure: undefined, values: withIds(now.values, asSent, saved) }))
    for (const [key, value] of Object.entries(sentOf(withIds(asSent, asSent, saved)))) {
      if (!keys.includes(key)) continue
      sent.set(key, written(value))
      refused.delete(key)
    }
    stored = new Map(Object.entries(sentOf(valuesOf(saved))).map(([key, value]) => [key, written(value)]))
  }

  async function fail(problem: unknown, ready: Record<string, unknown>) {
    const { event: before } = store.get()
    if (before && problem instanceof ApiProblem && problem.status === 412) return merge(await events.get.call({ eventId: before.id }))
    const fields =
      problem instanceof ApiProblem ? problem.errors.map((fault) => ({ ...fault, path: fault.path.replace(/^body\./, '') })) : []
    const blamed = fields.filter(({ path }) => (path.split('.')[0] ?? '') in ready)
    for (const { path, message } of blamed) {
      const key = path.split('.')[0] ?? ''
      refused.set(key, { json: written(ready[key]), faults: { ...refused.get(key)?.faults, [path]: message } })
    }
    if (blamed.length === 0) patch({ failure: problemText(problem) })
  }

  /** Somebody else has saved: what only they changed is taken over; where both changed the same, the reader decides. */
  async function merge(now: Event) {
    const theirs = sentOf(valuesOf(now))
    const mine = sentOf(store.get().values)
    const fresh = valuesOf(now)
    const taken: EventKey[] = []
    for (const key of keysOf(theirs)) {
      if (stored.get(key) === written(theirs[key])) continue
      const isMine = sent.get(key) !== written(mine[key])
      if (isMine && written(mine[key]) !== written(theirs[key]) && (await decide({ key, mine: mine[key], theirs: theirs[key] })) === 'mine')
        continue
      taken.push(key)
    }
    store.set((before) => ({ ...before, event: now, values: { ...before.values, ...pick(fresh, taken) } }))
    stored = new Map(Object.entries(theirs).map(([key, value]) => [key, written(value)]))
    sent = new Map([...sent, ...taken.map((key): [string, string] => [key, written(theirs[key])])])
  }

  return {
    use: store.use,
    get: store.get,
    subscribe: store.subscribe,
    set,
    flush,
    /** What differs from what is saved. */
    changes: () => look().changed.map(([key]) => key),
    /** After another act has changed the event: publishing it, say. */
    accept: (saved: Event) => patch({ event: saved }),
    stop: () => clearTimeout(timer),
  }
}
export type EventDraft = ReturnType<typeof eventDraft>

const keysOf = <Shape extends object>(shape: Shape) => Object.keys(shape).filter((key): key is keyof Shape & string => key in shape)

/** The fields of the form that hold this. */
function pick(values: EventValues, keys: readonly EventKey[]): Partial<EventValues> {
  const names: readonly string[] = keys.flatMap((key) => (key === 'link' ? ['linkUrl', 'linkNote'] : [key]))
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
}
