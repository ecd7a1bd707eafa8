import { createContext, use, useState, useSyncExternalStore } from 'react'
import type { EventDraft } from './event-draft.ts'
import type { EventValues } from './event-values.ts'

/** What the parts of the form share; none of it changes with a key. */
type FormContext = {
  draft: EventDraft
  /** What is wrong at a place in what is sent, once its field was left. */
  errorOf: (path: string) => string | undefined
  /** The currency of new prices. */
  currency: string
  /** One of a series already. */
  inSeries: boolean
}
const Context = createContext<FormContext | undefined>(undefined)
export const FormProvider = Context

type Of<Held> = {
  [Key in keyof EventValues]: EventValues[Key] extends Held ? (Held extends EventValues[Key] ? Key : never) : never
}[keyof EventValues]
type Moment = string | null | undefined

/** Some fields of the event: a part of the form is drawn anew when one of these changes, not with every key in another part. */
export function usePart<Key extends keyof EventValues>(...keys: readonly Key[]) {
  const form = use(Context)
  if (!form) throw new Error('outside of the form of an event')
  const { draft, errorOf, currency, inSeries } = form
  const [look] = useState(() => {
    let last: EventValues | undefined
    return () => {
      const { values } = draft.get()
      const before = last
      if (!before || keys.some((key) => before[key] !== values[key])) last = values
      return last ?? values
    }
  })
  const values: Pick<EventValues, Key> = useSyncExternalStore(draft.subscribe, look)
  const { set } = draft
  return {
    draft,
    values,
    set,
    errorOf,
    currency,
    inSeries,
    text: <Name extends Key & Of<string>>(name: Name, path: string = name) => ({
      value: values[name],
      onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => set({ [name]: value }),
      error: errorOf(path),
      'data-path': path,
    }),
    flag: <Name extends Key & Of<boolean>>(name: Name) => ({
      checked: values[name],
      onChange: ({ currentTarget: { checked } }: { currentTarget: { checked: boolean } }) => set({ [name]: checked }),
    }),
    moment: <Name extends Key & Of<Moment>>(name: Name, zone: string) => ({
      value: values[name],
      zone,
      onChange: (at: Moment) => set({ [name]: at }),
      // The field says itself what it does not understand.
      error: values[name] === undefined ? undefined : errorOf(name),
    }),
  }
}

/** A number field's value: empty is none. */
export const asNumber = (value: string | number): number | null => (typeof value === 'number' ? value : null)
