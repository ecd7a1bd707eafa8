import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { MembershipRequests } from './requests.tsx'
import { TransferQueue } from './transfers/transfers.tsx'
import classes from './membership.module.css'

/** Applications and transfers that wait for the reader, with how many. */
export function RequestsCard() {
  const { membership } = useApi().data
  const applications = useQuery(membership.list.queryOptions({ input: { mineToDecide: true, limit: 1 } }))
  const transfers = useQuery(membership.transfers.list.queryOptions({ input: { mineToDecide: true, limit: 1 } }))
  const applied = applications.data?.total ?? 0
  const moving = transfers.data?.total ?? 0
  return (
    <div className={classes['stack']}>
      <h3 className={classes['heldName']}>{applied > 0 ? t`Applications (${applied})` : t`Applications`}</h3>
      <MembershipRequests />
      <h3 className={classes['heldName']}>{moving > 0 ? t`Transfers (${moving})` : t`Transfers`}</h3>
      <TransferQueue />
    </div>
  )
}
