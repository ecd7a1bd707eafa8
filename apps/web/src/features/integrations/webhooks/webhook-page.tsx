import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { Fact, FactList } from '../../../ui/form/fact-list.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { WebhookActs } from './webhook-acts.tsx'
import { WebhookDeliveries } from './webhook-deliveries.tsx'
import { WebhookDeliveryDialog } from './webhook-delivery-dialog.tsx'
import { WebhookPicture } from './webhook-picture.tsx'
import { endpointWord, eventWords } from './webhook-words.ts'
import { useEndpoint } from './webhooks-api.ts'
import type { WebhookEndpoint } from './webhooks-api.ts'
import tab from '../account-tab.module.css'
import classes from './webhooks.module.css'

/** One endpoint: how it is doing, what it was sent, and what can be done about it. */
export function WebhookPage({ endpointId }: { endpointId: string }) {
  const endpoint = useEndpoint(endpointId)
  usePageTitle(endpoint.data?.name ?? t`Webhook`)
  return (
    <div className={tab['stack']}>
      <div>
        <Link to="/account-management/{-$tab}" params={{ tab: 'webhooks' }}>
          <Trans>All webhooks</Trans>
        </Link>
      </div>
      {endpoint.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={8} />
        </Loading>
      )}
      {endpoint.isError && (
        <ProblemState problem={endpoint.error} title={t`This webhook could not be loaded`} retry={() => void endpoint.refetch()} />
      )}
      {endpoint.data && <Loaded endpoint={endpoint.data} />}
    </div>
  )
}

function Loaded({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { label, tone } = endpointWord(endpoint)
  const [opened, setOpened] = useState<string | undefined>()
  return (
    <>
      <div className={tab['head']}>
        <h2>{endpoint.name}</h2>
        <StatusBadge tone={tone}>{label}</StatusBadge>
        <WebhookActs endpoint={endpoint} onPinged={setOpened} />
      </div>
      <State endpoint={endpoint} />
      <Facts endpoint={endpoint} />
      <WebhookPicture strip={endpoint.strip} />
      <WebhookDeliveries endpoint={endpoint} onOpen={setOpened} />
      <WebhookDeliveryDialog endpointId={endpoint.id} deliveryId={opened} onClose={() => setOpened(undefined)} />
    </>
  )
}

/** Why nothing is sent, and what happens with what waits. */
function State({ endpoint: { state, failingSince } }: { endpoint: WebhookEndpoint }) {
  const { moment } = useFormats()
  if (state === 'active' && failingSince === null) return null
  const since = failingSince === null ? '' : moment(failingSince)
  return (
    <p role="status" className={classes['note']}>
      {state === 'paused' && <Trans>Nothing is sent while it is paused. Deliveries wait for three days, then they are given up.</Trans>}
      {state === 'failing' && (
        <Trans>
          Paused because nothing was accepted for three days. Repair the other system, send a test event, then resume. Deliveries wait for
          three days, then they are given up.
        </Trans>
      )}
      {state === 'active' && <Trans>Nothing has been accepted since {since}. After three days it is paused.</Trans>}
    </p>
  )
}

function Facts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { moment } = useFormats()
  const words = eventWords()
  const { url, eventTypes, secrets, lastDeliveredAt, createdAt } = endpoint
  return (
    <FactList>
      <Fact label={t`Address`}>
        <span className={tab['code']}>{url}</span>
      </Fact>
      <Fact label={t`Events`}>
        <ul className={classes['list']}>
          {eventTypes.map((type) => (
            <li key={type}>
              {words[type]} <span className={tab['code']}>{type}</span>
            </li>
          ))}
        </ul>
      </Fact>
      <Fact label={t`Signing secret`}>
        {secrets.map(({ hint, expiresAt }) => (
          <span key={hint + (expiresAt ?? '')} className={classes['block']}>
            <span className={tab['code']}>…{hint}</span> {expiresAt && t`until ${moment(expiresAt)}`}
          </span>
        ))}
      </Fact>
      <Fact label={t`Last delivery`}>{lastDeliveredAt ? <RelativeTime at={lastDeliveredAt} /> : t`Never`}</Fact>
      <Fact label={t`Created`}>{moment(createdAt)}</Fact>
    </FactList>
  )
}
