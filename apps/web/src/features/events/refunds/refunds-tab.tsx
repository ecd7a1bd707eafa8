import { Button, NativeSelect } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { RegistrationRefund } from '@guildhall/contract/features/events'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { PersonLink } from '../../../platform/records/record-links.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import table from '../../../ui/display/small-table.module.css'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { refundFailureText, useMoneyMoved } from '../../payments/payments-public.tsx'
import { refundStates, refundWords } from './refunds-words.ts'
import classes from './refunds.module.css'

const here = getRouteApi('/signed-in/account-management/{-$tab}')

/** Tickets that were paid and whose seat is gone: what goes back, what has to be given back by hand, and what failed. */
export function RefundsTab() {
  const { refund: state } = here.useSearch()
  const navigate = here.useNavigate()
  const money = useMoney()
  const { moment } = useFormats()
  const [chosen, setChosen] = useState<RegistrationRefund | null>(null)
  const refunds = useInfiniteQuery(
    pagedOptions(useApi().data.events.registrations.refunds, { limit: 50, ...(state && { state }) }, { keepsRows: false }),
  )
  const rows = refunds.data?.items ?? []
  const total = refunds.data?.total
  const words = refundWords()
  const put = (next: typeof state) => void navigate({ search: (before) => ({ ...before, refund: next }), replace: true })
  return (
    <div className={classes['stack']}>
      <div className={classes['filters']} role="group" aria-label={t`Filters`}>
        <NativeSelect
          label={t`State`}
          value={state ?? ''}
          data={[{ value: '', label: t`Any` }, ...refundStates.map((value) => ({ value, label: words[value].label }))]}
          onChange={(event) => put(refundStates.find((known) => known === event.currentTarget.value))}
        />
        {state && (
          <Button variant="subtle" color="gray" onClick={() => put(undefined)}>
            <Trans>Clear filters</Trans>
          </Button>
        )}
      </div>
      {typeof total === 'number' && total > 0 && (
        <p role="status" className={classes['dim']}>
          {refunds.data?.totalIsExact ? (
            <Plural value={total} one="# refund" other="# refunds" />
          ) : (
            <Trans>More than {total} refunds</Trans>
          )}
        </p>
      )}
      {refunds.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={8} />
        </Loading>
      )}
      {refunds.isError && (
        <ProblemState problem={refunds.error} title={t`The refunds could not be loaded`} retry={() => void refunds.refetch()} />
      )}
      {refunds.isSuccess && rows.length === 0 && (
        <EmptyState title={state ? t`No refund matches` : t`No ticket refunds yet`}>
          {state
            ? t`Change or clear the filters.`
            : t`Paid tickets cancelled before the deadline, or because the event was cancelled, are listed here.`}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <div className={table['scroll']}>
          <table className={`${table['table']} ${table['stacked']}`} aria-label={t`Ticket refunds`}>
            <thead>
              <tr>
                <th scope="col">{t`Name`}</th>
                <th scope="col">{t`Event`}</th>
                <th scope="col" className={table['figure']}>{t`Amount`}</th>
                <th scope="col">{t`State`}</th>
                <th scope="col">{t`Changed`}</th>
                <th scope="col">{t`Actions`}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const { id, event, person, name, price, refundTotal, refundState, refundFailure, changedAt, mayRefund } = row
                const state = refundState && words[refundState]
                return (
                  <tr key={id}>
                    <th scope="row">{person ? <PersonLink person={person} /> : name}</th>
                    <td data-label={t`Event`}>
                      <Link to="/event/$eventId" params={{ eventId: event.id }}>
                        {event.title}
                      </Link>
                    </td>
                    <td data-label={t`Amount`} className={table['figure']}>
                      {money(refundTotal, price.currency)}
                    </td>
                    <td>
                      {state && <StatusBadge tone={state.tone}>{state.label}</StatusBadge>}
                      {refundState === 'failed' && <p className={classes['why']}>{refundFailureText(refundFailure)}</p>}
                    </td>
                    <td data-label={t`Changed`}>{moment(changedAt)}</td>
                    <td>
                      {mayRefund && (
                        <Button
                          variant="default"
                          size="compact-md"
                          aria-label={refundState === 'failed' ? t`Try the refund of ${name} again` : t`Refund ${name}`}
                          onClick={() => setChosen(row)}
                        >
                          {refundState === 'failed' ? <Trans>Try again</Trans> : <Trans>Refund</Trans>}
                        </Button>
                      )}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
      <ShowMore query={refunds} />
      {chosen && <RefundDialog refund={chosen} onClose={() => setChosen(null)} />}
    </div>
  )
}

/** By hand it is only noted; what failed goes to the payment provider again. */
function RefundDialog({ refund, onClose }: { refund: RegistrationRefund; onClose: () => void }) {
  const { registrations } = useApi().data.events
  const money = useMoney()
  const moved = useMoneyMoved()
  const { name, price, refundTotal, refundState } = refund
  const sum = money(refundTotal, price.currency)
  const isRetry = refundState === 'failed'
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={isRetry ? t`Try the refund of ${name} again?` : t`Refund ${name}?`}
      confirmLabel={isRetry ? t`Try again` : t`Refund ${sum}`}
      onConfirm={async () => {
        try {
          await registrations.refund.call({ registrationId: refund.id })
        } finally {
          // Somebody else may have been faster.
          await moved()
        }
        toast.success(isRetry ? t`The refund will be tried again within a minute` : t`Refund recorded`)
      }}
    >
      {isRetry
        ? t`The payment provider is asked again to give ${sum} back to the card that was charged.`
        : t`This only records the refund: give ${sum} back yourself. A recorded refund can’t be undone.`}
    </ConfirmDialog>
  )
}
