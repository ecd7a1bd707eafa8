import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { IconArrowsExchange } from '@tabler/icons-react'
import { useState } from 'react'
import type { Transfer } from '@guildhall/contract/features/membership'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import classes from '../membership.module.css'
import { TransferDialog } from './transfer-dialog.tsx'
import { TransferRejectDialog } from './transfer-reject-dialog.tsx'
import { TransferRow } from './transfer-row.tsx'

/** Transfers of one person between chapters; nothing where there are none and none can be asked for. */
export function PersonTransfers({ person, mine = false }: { person: { id: string; displayName: string }; mine?: boolean }) {
  const found = useQuery(useApi().data.membership.transfers.ofPerson.queryOptions({ input: { personId: person.id } }))
  const [asking, setAsking] = useState(false)
  const [rejected, setRejected] = useState<Transfer | null>(null)
  if (found.isPending) return null
  if (found.isError)
    return <ProblemState problem={found.error} title={t`The transfers could not be loaded`} retry={() => void found.refetch()} />
  const { items, may } = found.data
  if (items.length === 0 && !may.request) return null
  return (
    <Section
      title={t`Transfers`}
      count={items.length || undefined}
      actions={
        may.request && (
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconArrowsExchange size={16} aria-hidden />}
            onClick={() => setAsking(true)}
          >
            {mine ? <Trans>Transfer to another chapter</Trans> : <Trans>Request transfer</Trans>}
          </Button>
        )
      }
    >
      {items.length === 0 && <p className={classes['dim']}>{t`No transfers.`}</p>}
      <ul className={classes['list']}>
        {items.map((transfer) => (
          <li key={transfer.id}>
            <TransferRow transfer={transfer} withPerson={false} onReject={() => setRejected(transfer)} />
          </li>
        ))}
      </ul>
      <TransferDialog opened={asking} onClose={() => setAsking(false)} {...(!mine && { person })} />
      <TransferRejectDialog rejected={rejected} onClose={() => setRejected(null)} />
    </Section>
  )
}
