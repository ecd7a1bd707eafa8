import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { SecretDialog } from '../../../ui/dialog/secret-dialog.tsx'
import type { MadeWebhookEndpoint } from './webhooks-api.ts'

export type WebhookSecretDialogProps = { made: MadeWebhookEndpoint | undefined; onClose: () => void }

export function WebhookSecretDialog({ made, onClose }: WebhookSecretDialogProps) {
  const { name, secrets } = made?.endpoint ?? { name: '', secrets: [] }
  return (
    <SecretDialog
      secret={made?.secret}
      onClose={onClose}
      title={t`Copy the signing secret now`}
      label={t`Signing secret`}
      copyLabel={t`Copy secret`}
      doneLabel={<Trans>I have copied the secret</Trans>}
      about={
        <>
          <p>
            <Trans>
              This is the only time the secret of {name} is shown. The other system checks with it that a delivery is from here and was not
              changed on the way.
            </Trans>
          </p>
          {secrets.length > 1 && (
            <p>
              <Trans>The previous secret keeps signing for 24 hours, beside this one.</Trans>
            </p>
          )}
        </>
      }
    />
  )
}
