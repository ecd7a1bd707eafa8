import { t } from '@lingui/core/macro'
import { lazy, Suspense, useState } from 'react'
import { usePaletteCommands } from '../../platform/navigation/palette.ts'
import { useCan } from '../../platform/session/session.ts'

const RecordPaymentDialog = lazy(async () => ({ default: (await import('./record-payment-dialog.tsx')).RecordPaymentDialog }))

/** "Record payment" from anywhere, for those who keep books. */
export function PaymentsPaletteSource() {
  return useCan('finance.manage') ? <Source /> : null
}

function Source() {
  const [opened, setOpened] = useState<boolean | null>(null)
  usePaletteCommands([{ id: 'payments:record', label: t`Record payment`, hint: t`Finance`, run: () => setOpened(true) }])
  if (opened === null) return null
  return (
    <Suspense>
      <RecordPaymentDialog opened={opened} onClose={() => setOpened(false)} />
    </Suspense>
  )
}
