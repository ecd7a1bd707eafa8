import { Button, CopyButton, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import type { MadeWebhookEndpoint } from './webhooks-api.ts'
import classes from './webhooks.module.css'

export type WebhookSecretDialogProps = { made: MadeWebhookEndpoint | undefined; onClose: () => void }

/** Closed by its button only: what it shows is gone then. */
export function WebhookSecretDialog({ made, onClose }: WebhookSecretDialogProps) {
  return (
    <Dialog
      opened={made !== undefined}
      onClose={onClose}
      title={t`Copy the signing secret now`}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {made && <Secret {...made} onClose={onClose} />}
    </Dialog>
  )
}

function Secret({ endpoint: { name, secrets }, secret, onClose }: MadeWebhookEndpoint & { onClose: () => void }) {
  return (
    <div className={classes['stack']}>
      <p className={classes['intro']}>
        <Trans>
          This is the only time the secret of {name} is shown. The other system checks with it that a delivery is from here and was not
          changed on the way.
        </Trans>
      </p>
      {secrets.length > 1 && (
        <p className={classes['intro']}>
          <Trans>The previous secret keeps signing for 24 hours, beside this one.</Trans>
        </p>
      )}
      <div className={classes['line']}>
        <TextInput
          className={classes['field'] ?? ''}
          label={t`Signing secret`}
          readOnly
          value={secret}
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? <Trans>Copied</Trans> : <Trans>Copy secret</Trans>}
            </Button>
          )}
        </CopyButton>
      </div>
      <div className={classes['line']}>
        <Button onClick={onClose}>
          <Trans>I have copied the secret</Trans>
        </Button>
      </div>
    </div>
  )
}
