import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useReplay } from './use-replay.ts'
import { deliveryWords, failureText } from './webhook-words.ts'
import { useDelivery } from './webhooks-api.ts'
import type { WebhookDeliveryDetail } from './webhooks-api.ts'
import tab from '../account-tab.module.css'
import classes from './webhooks.module.css'

export type WebhookDeliveryDialogProps = { endpointId: string; deliveryId: string | undefined; onClose: () => void }

/** What was sent, and what came back each time. */
export function WebhookDeliveryDialog({ endpointId, deliveryId, onClose }: WebhookDeliveryDialogProps) {
  return (
    <Dialog opened={deliveryId !== undefined} onClose={onClose} title={t`Delivery`} size="xl">
      {deliveryId !== undefined && <Content endpointId={endpointId} deliveryId={deliveryId} />}
    </Dialog>
  )
}

function Content({ endpointId, deliveryId }: { endpointId: string; deliveryId: string }) {
  const delivery = useDelivery(endpointId, deliveryId)
  const replay = useReplay(endpointId)
  if (delivery.isPending)
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  if (delivery.isError)
    return <ProblemState problem={delivery.error} title={t`This delivery could not be loaded`} retry={() => void delivery.refetch()} />
  const { eventType, state, status, failure } = delivery.data
  const { label, tone } = deliveryWords()[state]
  return (
    <div className={tab['stack']}>
      <div className={tab['head']}>
        <span className={tab['code']}>{eventType}</span>
        <StatusBadge tone={tone}>{label}</StatusBadge>
        {state !== 'waiting' && (
          <div className={tab['acts']}>
            <Button variant="default" onClick={() => void replay({ deliveryIds: [deliveryId] })}>
              <Trans>Replay</Trans>
            </Button>
          </div>
        )}
      </div>
      {failure && <p className={classes['note']}>{failureText(failure, status)}</p>}
      <Request delivery={delivery.data} />
      <Tries delivery={delivery.data} />
    </div>
  )
}

function Request({ delivery: { headers, body } }: { delivery: WebhookDeliveryDetail }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <section className={tab['part']}>
      <h3>
        <Trans>Request</Trans>
      </h3>
      <pre className={tab['sample']} tabIndex={0} aria-label={t`Request`}>
        {[...lines, ...(lines.length > 0 ? [''] : []), JSON.stringify(JSON.parse(body), null, 2)].join('\n')}
      </pre>
      <p className={tab['minor']}>
        <Trans>The body is sent without these line breaks, and signed in the header webhook-signature.</Trans>
      </p>
    </section>
  )
}

function Tries({ delivery: { tries, nextAttemptAt } }: { delivery: WebhookDeliveryDetail }) {
  const { moment, number } = useFormats()
  return (
    <section className={tab['part']}>
      <h3>
        <Trans>Tries</Trans>
      </h3>
      {nextAttemptAt && (
        <p className={tab['intro']}>
          <Trans>Next try: {moment(nextAttemptAt)}</Trans>
        </p>
      )}
      {tries.length === 0 && (
        <p className={tab['intro']}>
          <Trans>Not sent yet.</Trans>
        </p>
      )}
      <ol className={classes['tries']}>
        {tries.map(({ at, status, failure, milliseconds, answer }) => (
          <li key={at}>
            <span>
              {moment(at)} · {status ?? '–'} · <Trans>{number(milliseconds)} ms</Trans>
            </span>
            {failure && failure !== 'status' && <span className={tab['minor']}>{failureText(failure, status)}</span>}
            {answer && (
              <pre className={tab['sample']} tabIndex={0} aria-label={t`Answer of ${moment(at)}`}>
                {answer}
              </pre>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
