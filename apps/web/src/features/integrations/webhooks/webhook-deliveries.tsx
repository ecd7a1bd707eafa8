import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import table from '../../../ui/display/small-table.module.css'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { ReplayGivenUp } from './replay-given-up.tsx'
import { useReplay } from './use-replay.ts'
import { deliveryWords, eventGroups, failureText } from './webhook-words.ts'
import { useDeliveries } from './webhooks-api.ts'
import type { DeliveryFilter, WebhookDelivery, WebhookEndpoint } from './webhooks-api.ts'
import tab from '../account-tab.module.css'
import classes from './webhooks.module.css'

const states: readonly WebhookDelivery['state'][] = ['waiting', 'delivered', 'dead']
const replayedAtOnce = 500

export type WebhookDeliveriesProps = { endpoint: WebhookEndpoint; onOpen: (deliveryId: string) => void }

/** What was sent to an endpoint, or is about to be. */
export function WebhookDeliveries({ endpoint, onOpen }: WebhookDeliveriesProps) {
  const [filter, setFilter] = useState<DeliveryFilter>({})
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const deliveries = useDeliveries(endpoint.id, filter)
  const replay = useReplay(endpoint.id)
  const rows = deliveries.data?.items ?? []
  const words = deliveryWords()
  const narrowed = filter.state !== undefined || filter.eventType !== undefined
  const narrow = (change: DeliveryFilter) => {
    setFilter({ ...filter, ...change })
    setChosen(new Set())
  }
  const choose = (id: string, on: boolean) => setChosen(new Set(on ? [...chosen, id] : [...chosen].filter((one) => one !== id)))
  const types: WebhookDelivery['eventType'][] = [...eventGroups().flatMap((group) => group.types), 'ping']
  return (
    <section className={tab['part']} aria-labelledby="webhook-deliveries">
      <div className={tab['head']}>
        <h3 id="webhook-deliveries">
          <Trans>Deliveries</Trans>
        </h3>
        {endpoint.dead > 0 && <ReplayGivenUp onReplay={(deadSince) => replay({ deadSince })} />}
      </div>
      <div className={tab['row']} role="group" aria-label={t`Filters`}>
        <NativeSelect
          label={t`State`}
          value={filter.state ?? ''}
          data={[{ value: '', label: t`Any` }, ...states.map((value) => ({ value, label: words[value].label }))]}
          onChange={(event) => narrow({ state: states.find((one) => one === event.currentTarget.value) })}
        />
        <NativeSelect
          label={t`Event`}
          value={filter.eventType ?? ''}
          data={[{ value: '', label: t`Any` }, ...types.map((value) => ({ value, label: value }))]}
          onChange={(event) => narrow({ eventType: types.find((one) => one === event.currentTarget.value) })}
        />
        {chosen.size > 0 && (
          <Button
            onClick={() => {
              void replay({ deliveryIds: [...chosen].slice(0, replayedAtOnce) })
              setChosen(new Set())
            }}
          >
            {plural(chosen.size, { one: 'Replay # delivery', other: 'Replay # deliveries' })}
          </Button>
        )}
      </div>
      {deliveries.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={6} />
        </Loading>
      )}
      {deliveries.isError && (
        <ProblemState problem={deliveries.error} title={t`The deliveries could not be loaded`} retry={() => void deliveries.refetch()} />
      )}
      {deliveries.isSuccess && rows.length === 0 && (
        <EmptyState title={narrowed ? t`No delivery matches` : t`Nothing was sent yet`}>
          {narrowed ? (
            <Trans>Choose another state or event.</Trans>
          ) : (
            <Trans>Deliveries are listed here for 30 days. Send a test event to see the first one.</Trans>
          )}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <div className={table['scroll']}>
          <table className={`${table['table']} ${table['stacked']}`} aria-label={t`Deliveries`}>
            <thead>
              <tr>
                <th scope="col">{t`Select`}</th>
                <th scope="col">{t`Event`}</th>
                <th scope="col">{t`State`}</th>
                <th scope="col">{t`Tries`}</th>
                <th scope="col">{t`Happened`}</th>
                <th scope="col">{t`Next try`}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <DeliveryRow key={row.id} delivery={row} chosen={chosen.has(row.id)} onChoose={choose} onOpen={onOpen} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ShowMore query={deliveries} />
    </section>
  )
}

type RowProps = {
  delivery: WebhookDelivery
  chosen: boolean
  onChoose: (id: string, on: boolean) => void
  onOpen: (id: string) => void
}

function DeliveryRow({ delivery, chosen, onChoose, onOpen }: RowProps) {
  const { moment, number } = useFormats()
  const { id, eventType, state, attempts, status, failure, createdAt, nextAttemptAt } = delivery
  const { label, tone } = deliveryWords()[state]
  return (
    <tr>
      <td>
        <Checkbox
          aria-label={t`Select ${eventType} of ${moment(createdAt)}`}
          checked={chosen}
          onChange={(event) => onChoose(id, event.currentTarget.checked)}
        />
      </td>
      <th scope="row">
        <button type="button" className={classes['open']} onClick={() => onOpen(id)}>
          {eventType}
        </button>
      </th>
      <td>
        <StatusBadge tone={tone}>{label}</StatusBadge>
        {failure && <span className={tab['minor']}>{failureText(failure, status)}</span>}
      </td>
      <td data-label={t`Tries`}>{number(attempts)}</td>
      <td data-label={t`Happened`}>
        <RelativeTime at={createdAt} />
      </td>
      <td data-label={t`Next try`}>{nextAttemptAt ? moment(nextAttemptAt) : '–'}</td>
    </tr>
  )
}
