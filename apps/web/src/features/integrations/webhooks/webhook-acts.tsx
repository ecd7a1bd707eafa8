import { ActionIcon, Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDots } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookSecretDialog } from './webhook-secret-dialog.tsx'
import { useWebhooksChanged } from './webhooks-api.ts'
import type { MadeWebhookEndpoint, WebhookEndpoint } from './webhooks-api.ts'
import classes from '../account-tab.module.css'

export type WebhookActsProps = { endpoint: WebhookEndpoint; onPinged: (deliveryId: string) => void }

/** What can be done with an endpoint. */
export function WebhookActs({ endpoint, onPinged }: WebhookActsProps) {
  const { data, actions } = useApi()
  const { webhooks } = data.integrations
  const changed = useWebhooksChanged()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<'edit' | 'rotate' | 'remove' | undefined>()
  const [made, setMade] = useState<MadeWebhookEndpoint | undefined>()
  const [busy, setBusy] = useState(false)
  const { id: endpointId, name, state, version } = endpoint
  const sent = { context: { ifMatch: version } }
  const close = () => setAsking(undefined)

  const ping = async () => {
    setBusy(true)
    try {
      const { id } = await actions.integrations.webhooks.ping.call({ endpointId })
      onPinged(id)
      await changed()
    } catch (failure) {
      toast.error(t`The test event could not be sent.`, failure)
    } finally {
      setBusy(false)
    }
  }
  const toggle = async () => {
    try {
      await (state === 'active' ? webhooks.pause : webhooks.resume).call({ endpointId }, sent)
      await changed()
      toast.success(state === 'active' ? t`${name} paused` : t`${name} resumed`)
    } catch (failure) {
      await changed()
      toast.error(state === 'active' ? t`${name} could not be paused.` : t`${name} could not be resumed.`, failure)
    }
  }
  return (
    <div className={classes['acts']}>
      <Button variant="default" loading={busy} onClick={() => void ping()}>
        <Trans>Send test event</Trans>
      </Button>
      <Button variant={state === 'active' ? 'default' : 'filled'} onClick={() => void toggle()}>
        {state === 'active' ? <Trans>Pause</Trans> : <Trans>Resume</Trans>}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t`More actions for ${name}`}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsking('edit')}>
            <Trans>Edit</Trans>
          </Menu.Item>
          <Menu.Item onClick={() => setAsking('rotate')}>
            <Trans>Rotate secret</Trans>
          </Menu.Item>
          <Menu.Item color="red" onClick={() => setAsking('remove')}>
            <Trans>Remove</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <WebhookDialog opened={asking === 'edit'} onClose={close} endpoint={endpoint} />
      <ConfirmDialog
        opened={asking === 'rotate'}
        onClose={close}
        title={t`Rotate the secret of ${name}?`}
        confirmLabel={<Trans>Rotate secret</Trans>}
        onConfirm={async () => {
          setMade(await webhooks.rotate.call({ endpointId }, sent))
          await changed()
        }}
      >
        <Trans>
          You get a new secret. For 24 hours deliveries are signed with both, so that you can enter the new one in the other system. A
          secret that was rotated before stops signing now.
        </Trans>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'remove'}
        onClose={close}
        title={t`Remove ${name}?`}
        confirmLabel={<Trans>Remove webhook</Trans>}
        danger
        onConfirm={async () => {
          await webhooks.remove.call({ endpointId }, sent)
          await navigate({ to: '/account-management/{-$tab}', params: { tab: 'webhooks' }, search: {} })
          await changed()
          toast.success(t`${name} removed`)
        }}
      >
        <Trans>Nothing more is sent to it, and what waits for it is deleted with its log. This can’t be undone.</Trans>
      </ConfirmDialog>
      <WebhookSecretDialog made={made} onClose={() => setMade(undefined)} />
    </div>
  )
}
