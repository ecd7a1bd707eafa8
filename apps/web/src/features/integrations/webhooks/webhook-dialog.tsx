import { Checkbox, TextInput } from '@mantine/core'
import { NewWebhookEndpoint } from '@guildhall/contract/features/integrations.webhooks'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { faultsOf } from '../../../platform/api/form-rules.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { WebhookSecretDialog } from './webhook-secret-dialog.tsx'
import { eventGroups, eventWords } from './webhook-words.ts'
import { useWebhooksChanged } from './webhooks-api.ts'
import type { MadeWebhookEndpoint, WebhookEndpoint } from './webhooks-api.ts'
import classes from '../account-tab.module.css'

type EventType = Exclude<WebhookEndpoint['eventTypes'][number], 'ping'>
type Values = { name: string; url: string; eventTypes: EventType[] }
const none: EventType[] = []

export type WebhookDialogProps = {
  opened: boolean
  onClose: () => void
  /** The one that is edited; without it a new one is added. */
  endpoint?: WebhookEndpoint
}

/** Adds an endpoint and shows its secret this once, or changes one. */
export function WebhookDialog({ opened, onClose, endpoint }: WebhookDialogProps) {
  const { webhooks } = useApi().data.integrations
  const changed = useWebhooksChanged()
  const [made, setMade] = useState<MadeWebhookEndpoint | undefined>()
  const known = endpoint?.eventTypes.filter((type) => type !== 'ping') ?? none
  return (
    <>
      <FormDialog<Values, MadeWebhookEndpoint | undefined>
        opened={opened}
        onClose={onClose}
        title={endpoint ? t`Edit webhook` : t`New webhook`}
        size="lg"
        values={{ name: endpoint?.name ?? '', url: endpoint?.url ?? '', eventTypes: known }}
        version={endpoint?.version}
        rules={(values) => ({
          ...faultsOf(NewWebhookEndpoint, values),
          ...(values.url.trim() === '' && { url: t`Enter the address.` }),
          ...(values.eventTypes.length === 0 && { eventTypes: t`Choose at least one event.` }),
        })}
        submitLabel={endpoint ? <Trans>Save webhook</Trans> : <Trans>Create webhook</Trans>}
        onSubmit={async (values, sent) => {
          if (!endpoint) {
            const answer = await webhooks.create.call(values)
            await changed()
            return answer
          }
          await webhooks.update.call({ endpointId: endpoint.id, ...values }, sent)
          await changed()
          toast.success(t`${values.name} saved`)
          return undefined
        }}
        onDone={setMade}
      >
        {(form) => (
          <>
            <TextInput
              label={t`Name`}
              description={t`The system that is told`}
              autoFocus
              data-autofocus
              maxLength={100}
              {...form.getInputProps('name')}
            />
            <TextInput
              label={t`Address`}
              type="url"
              placeholder={t`https://hooks.example.org/guildhall`}
              maxLength={2000}
              {...form.getInputProps('url')}
            />
            <Checkbox.Group label={t`Events`} description={t`What the other system is told.`} {...form.getInputProps('eventTypes')}>
              <EventChoices />
            </Checkbox.Group>
          </>
        )}
      </FormDialog>
      <WebhookSecretDialog made={made} onClose={() => setMade(undefined)} />
    </>
  )
}

function EventChoices() {
  const words = eventWords()
  return (
    <div className={classes['groups']}>
      {eventGroups().map(({ key, label, types }) => (
        <fieldset key={key} className={classes['group']}>
          <legend>{label}</legend>
          {types.map((type) => (
            <Checkbox key={type} value={type} label={words[type]} description={<span className={classes['code']}>{type}</span>} />
          ))}
        </fieldset>
      ))}
    </div>
  )
}
