import { t } from '@lingui/core/macro'
import { useApi } from '../../platform/api/api.tsx'
import { usePaletteCommands, usePaletteRecords } from '../../platform/navigation/palette.ts'
import { useEventTimes } from './event-times.ts'

/** Lets the palette find events by title and place. */
export function EventsPaletteSource() {
  const { list } = useApi().data.events
  const times = useEventTimes()
  usePaletteCommands([{ id: 'view:my-events', label: t`My events`, hint: t`Events`, to: '/events?view=mine', onlyAsked: true }])
  usePaletteRecords({
    group: t`Events`,
    search: async (q, signal) => {
      const { items } = await list.call({ q, sort: 'match', limit: 6 }, { signal })
      return items.map(({ id, title, startsLocal }) => ({
        id: `event:${id}`,
        label: title,
        hint: times.shortDay(startsLocal),
        to: `/event/${id}`,
      }))
    },
  })
  return null
}
