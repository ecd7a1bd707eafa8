import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { MadeScimToken } from '@guildhall/contract/features/integrations.scim'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { SecretDialog } from '../../../ui/dialog/secret-dialog.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { CopyField } from '../../../ui/form/copy-field.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { Connection } from '../integrations-api.ts'
import classes from './scim.module.css'

/** What the identity provider is told: an address, and a token that is shown once. */
export function ScimAccess({ connection: { id: connectionId } }: { connection: Pick<Connection, 'id'> }) {
  const { scim } = useApi().data.integrations
  const cache = useQueryClient()
  const { data: access } = useQuery(scim.access.queryOptions({ input: { connectionId } }))
  const [asking, setAsking] = useState(false)
  const [made, setMade] = useState<MadeScimToken | undefined>()
  if (!access) return null
  const { address, hint, madeAt, usedAt } = access
  return (
    <Section title={t`Access for the identity provider`}>
      <div className={classes['stack']}>
        <CopyField label={t`SCIM address`} value={address} copyLabel={t`Copy address`} />
        <p>
          {hint === null || madeAt === null ? (
            <Trans>There is no token yet. Make one and enter it at the identity provider.</Trans>
          ) : (
            <Trans>
              The token ends in {hint} and was made <RelativeTime at={madeAt} />.
            </Trans>
          )}{' '}
          {usedAt !== null && (
            <Trans>
              Last used <RelativeTime at={usedAt} />.
            </Trans>
          )}
        </p>
        <div>
          <Button variant={hint === null ? 'filled' : 'default'} onClick={() => setAsking(true)}>
            {hint === null ? <Trans>Make token</Trans> : <Trans>Replace token</Trans>}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={hint === null ? t`Make a token?` : t`Replace the token?`}
        confirmLabel={hint === null ? <Trans>Make token</Trans> : <Trans>Replace token</Trans>}
        onConfirm={async () => {
          setMade(await scim.makeToken.call({ connectionId }))
          await cache.invalidateQueries({ queryKey: scim.key() })
        }}
      >
        {hint === null ? (
          <Trans>
            Anybody with the token can create and suspend accounts and give roles, with the rights of the owner of this connection.
          </Trans>
        ) : (
          <Trans>The identity provider is refused until you enter the new token there.</Trans>
        )}
      </ConfirmDialog>
      <SecretDialog
        secret={made?.token}
        onClose={() => setMade(undefined)}
        title={t`Copy the token now`}
        label={t`Token`}
        copyLabel={t`Copy token`}
        doneLabel={<Trans>I have copied the token</Trans>}
        about={
          <p>
            <Trans>This is the only time the token is shown.</Trans>
          </p>
        }
      />
    </Section>
  )
}
