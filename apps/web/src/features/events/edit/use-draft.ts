import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import type { Conflict } from '../../../platform/records/conflict-dialog.tsx'
import { useEventChanged } from '../events-api.ts'
import type { Event } from '../events-api.ts'
import { eventDraft } from './event-draft.ts'
import type { EventKey, EventValues } from './event-values.ts'

/** One event in the form, for as long as the page is open; what waits is saved when it is left. */
export function useEventDraft({ values, event, onCreated }: { values: EventValues; event?: Event; onCreated?: (event: Event) => void }) {
  const { events } = useApi().data
  const changed = useEventChanged()
  const [conflict, setConflict] = useState<Conflict>()
  const [draft] = useState(() =>
    eventDraft({
      events,
      values,
      event,
      decide: ({ key, mine, theirs }) =>
        new Promise((resolve) => {
          setConflict({
            label: labelOf(key),
            mine: plain(mine),
            theirs: plain(theirs),
            author: undefined,
            words: undefined,
            onDecide: (choice) => {
              setConflict(undefined)
              resolve(choice)
            },
          })
        }),
      onSaved: (saved, created) => {
        void changed(saved)
        if (created) onCreated?.(saved)
      },
    }),
  )
  useEffect(
    () => () => {
      const { event: saved } = draft.get()
      if ((saved?.status ?? 'draft') === 'draft') void draft.flush()
      else draft.stop()
    },
    [draft],
  )
  return { draft, conflict }
}

/** Rows by what they are called: a programme or tickets as data say nothing to a reader. */
function plain(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const rows: unknown[] = value
  return rows.flatMap(nameOf).join(', ')
}

function nameOf(row: unknown): string[] {
  if (typeof row !== 'object' || row === null) return []
  const names: unknown[] = ['name', 'title', 'text', 'code'].map((field): unknown => Reflect.get(row, field))
  return names.filter((name) => typeof name === 'string' && name !== '').map(String)
}

function labelOf(key: EventKey): string {
  const labels: Partial<Record<EventKey, string>> = {
    title: t`Title`,
    startsAt: t`Start`,
    endsAt: t`End`,
    timezone: t`Time zone`,
    venueName: t`Place`,
    venueAddress: t`Address`,
    link: t`Link`,
    capacity: t`Capacity`,
    visibility: t`Who sees it`,
    summary: t`Summary`,
    description: t`Description`,
    ticketTypes: t`Tickets`,
    promoCodes: t`Promo codes`,
    questions: t`Questions`,
    programme: t`Programme`,
    coverFileId: t`Cover picture`,
    coverAlt: t`Alternative text`,
    staff: t`Hosts, speakers and helpers`,
  }
  return labels[key] ?? t`A setting of the event`
}
