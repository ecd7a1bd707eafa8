import { Button, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { useConnectionSaved } from '../integrations-api.ts'
import type { Connection } from '../integrations-api.ts'
import { settingWords } from '../words/setting-words.ts'
import classes from './connection.module.css'

/** Secrets are replaced, never read. */
export function SecretsSection({ connection, startsOpen }: { connection: Connection; startsOpen: boolean }) {
  const { connector, secrets } = connection
  const names = Object.keys(connectors[connector].secrets)
  const [edited, setEdited] = useState<string | undefined>(startsOpen ? names[0] : undefined)
  if (names.length === 0) return null
  return (
    <Section title={t`Secrets`}>
      <p className={classes['dim']}>
        <Trans>Kept encrypted. Nobody can read them here again; they can only be replaced.</Trans>
      </p>
      <ul>
        {names.map((name) => {
          const { label } = settingWords(connector, name)
          const known = secrets.find((one) => one.name === name)
          return (
            <li key={name} className={classes['secret']}>
              <span>
                {label}{' '}
                <span className={classes['dim']}>
                  {known ? (
                    <Trans>
                      set <RelativeTime at={known.setAt} />
                    </Trans>
                  ) : (
                    <Trans>not set</Trans>
                  )}
                </span>
              </span>
              <Button
                variant="default"
                size="compact-sm"
                aria-label={known ? t`Replace ${label}` : t`Set ${label}`}
                onClick={() => setEdited(name)}
              >
                {known ? <Trans>Replace</Trans> : <Trans>Set</Trans>}
              </Button>
            </li>
          )
        })}
      </ul>
      <SecretDialog connection={connection} secret={edited} onClose={() => setEdited(undefined)} />
    </Section>
  )
}

function SecretDialog({ connection, secret, onClose }: { connection: Connection; secret: string | undefined; onClose: () => void }) {
  const { update } = useApi().data.integrations
  const saved = useConnectionSaved()
  const { id: connectionId, connector, version } = connection
  const isSet = connection.secrets.some(({ name }) => name === secret)
  const { label, hint } = secret === undefined ? { label: '' } : settingWords(connector, secret)
  return (
    <FormDialog
      opened={secret !== undefined}
      onClose={onClose}
      title={isSet ? t`Replace ${label}` : t`Set ${label}`}
      version={version}
      values={{ value: '' }}
      rules={{ value: (value) => (value.trim() === '' ? t`Enter the ${label}.` : null) }}
      fieldOf={(path) => (path.startsWith('secrets') ? 'value' : path)}
      submitLabel={isSet ? <Trans>Replace</Trans> : <Trans>Set</Trans>}
      onSubmit={async ({ value }, sent) => {
        if (secret === undefined) return
        await saved(await update.call({ connectionId, secrets: { [secret]: value.trim() } }, sent))
        toast.success(isSet ? t`${label} replaced` : t`${label} set`)
      }}
    >
      {(form) => (
        <TextInput
          type="password"
          autoComplete="new-password"
          label={label}
          description={hint ?? t`The former one is deleted.`}
          data-autofocus
          {...form.getInputProps('value')}
        />
      )}
    </FormDialog>
  )
}
