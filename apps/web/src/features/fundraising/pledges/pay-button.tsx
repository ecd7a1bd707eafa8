import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Instalment, Pledge } from '@guildhall/contract/features/fundraising.pledges'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { useFundraisingSettings } from '../fundraising-api.ts'

type Props = { pledge: Pledge; instalment: Instalment; isMain?: boolean }

/** Pays an instalment of one’s own pledge on the page of the payment provider, and comes back to the profile. Nothing where that is not possible. */
export function PayButton(props: Props) {
  const { pledge, instalment } = props
  const isDue = instalment.state === 'due' || instalment.state === 'overdue'
  return pledge.may.pay && pledge.status === 'open' && isDue ? <ByCard {...props} /> : null
}

function ByCard({ pledge, instalment, isMain = false }: Props) {
  const { pay } = useApi().actions.fundraising.pledges
  const settings = useFundraisingSettings()
  const money = useMoney()
  const { day } = useFormats()
  const [busy, setBusy] = useState(false)
  if (settings.data?.takesCards !== true) return null
  const amount = money(instalment.amount, pledge.money.currency)
  const put = async () => {
    setBusy(true)
    try {
      const { url } = await pay.call({ pledgeId: pledge.id, instalmentId: instalment.id })
      // The button stays busy until the page is left.
      window.location.assign(url)
    } catch (failure) {
      toast.error(t`The payment could not be started`, failure)
      setBusy(false)
    }
  }
  return (
    <Button
      size="compact-sm"
      variant={isMain ? 'filled' : 'default'}
      loading={busy}
      aria-label={t`Pay ${amount} by card, due ${day(instalment.dueOn)}`}
      onClick={() => void put()}
    >
      <Trans>Pay</Trans>
    </Button>
  )
}
