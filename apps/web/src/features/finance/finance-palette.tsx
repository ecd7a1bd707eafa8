import { t } from '@lingui/core/macro'
import { useApi } from '../../platform/api/api.tsx'
import { usePaletteRecords } from '../../platform/navigation/palette.ts'
import { useCan } from '../../platform/session/session.ts'
import { useMoney } from '../../ui/display/money.tsx'

/** Lets the palette open an invoice by its number. */
export function FinancePaletteSource() {
  return useCan('finance.read') ? <Invoices /> : null
}

const offered = 5

function Invoices() {
  const api = useApi()
  const money = useMoney()
  usePaletteRecords({
    group: t`Invoices`,
    search: async (q, signal) => {
      // Names find people, whose page has their invoices.
      if (!/\d/.test(q)) return []
      const { items } = await api.data.finance.invoices.list.call({ q, limit: offered }, { signal })
      return items.flatMap(({ id, number, person, chapter, total }) => {
        const owing = person ? `/person/${person.id}/invoices` : chapter && `/chapter/${chapter.id}/finance`
        return owing && number
          ? [
              {
                id: `invoice:${id}`,
                label: number,
                hint: [person?.displayName ?? chapter?.name, money(total.amount, total.currency)].filter(Boolean).join(' · '),
                to: `${owing}?invoice=${id}`,
              },
            ]
          : []
      })
    },
  })
  return null
}
