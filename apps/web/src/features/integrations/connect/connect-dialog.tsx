import { Group } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ConnectorKey } from '@guildhall/contract/features/integrations'
import { useRef, useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useHoldsEverywhere } from '../../../platform/session/session.ts'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { FormInPlace } from '../../../ui/dialog/form-dialog.tsx'
import { useConnectionSaved } from '../integrations-api.ts'
import type { Connection } from '../integrations-api.ts'
import { connectorWords } from '../words/connector-words.ts'
import { ConnectionFields } from './connection-fields.tsx'
import { connectionFaults, fieldOf, firstValues, sentConnection } from './connection-values.ts'
import type { ConnectionValues } from './connection-values.ts'
import { ConsentStep } from './consent-step.tsx'
import { ConnectionTestResult } from './test-result.tsx'
import classes from './connect.module.css'

type Props = { connector: ConnectorKey | undefined; onClose: () => void }

/** Consent, settings, and what the other side says: three steps to a connection. */
export function ConnectDialog({ connector, onClose }: Props) {
  // While it fades away there is nothing left to name.
  const [shown, setShown] = useState(connector)
  if (connector !== undefined && shown !== connector) setShown(connector)
  return (
    <Dialog
      opened={connector !== undefined}
      onClose={onClose}
      title={shown ? t`Connect ${connectorWords()[shown].name}` : t`Connect`}
      size="lg"
    >
      {connector && <Steps key={connector} connector={connector} onClose={onClose} />}
    </Dialog>
  )
}

function Steps({ connector, onClose }: { connector: ConnectorKey; onClose: () => void }) {
  const { connect } = useApi().actions.integrations
  const saved = useConnectionSaved()
  const [agreed, setAgreed] = useState(false)
  const [made, setMade] = useState<Connection>()
  // The form closes the dialog when it is given up, and not when it is done: the answer of the other side comes next.
  const done = useRef(false)
  const { name } = connectorWords()[connector]
  const everywhere = useHoldsEverywhere('integrations.manage')
  if (made) return <Made connection={made} />
  if (!agreed) return <ConsentStep connector={connector} onAgree={() => setAgreed(true)} onCancel={onClose} />
  return (
    <FormInPlace<ConnectionValues, Connection>
      values={firstValues(connector, name)}
      rules={(values) => connectionFaults(connector, values, everywhere)}
      fieldOf={fieldOf}
      submitLabel={<Trans>Test and connect</Trans>}
      onClose={() => {
        if (!done.current) onClose()
      }}
      onSubmit={async (values) => {
        const connection = await connect.call(sentConnection(connector, values))
        await saved(connection)
        // One that does not work stays, to be repaired: the next step says why.
        if (connection.state === 'connected') toast.success(t`${connection.name} connected`)
        done.current = true
        return connection
      }}
      onDone={setMade}
    >
      {(form) => <ConnectionFields connector={connector} form={form} />}
    </FormInPlace>
  )
}

/** What comes next: with runs the mapping, otherwise its page. */
function Made({ connection: { id, slug, syncs, state, connector } }: { connection: Connection }) {
  return (
    <div className={classes['stack']}>
      {connector === 'chat' && state === 'connected' ? (
        // Asking once more would post once more.
        <p role="status">
          <Trans>It works. A first message is in the channel.</Trans>
        </p>
      ) : (
        <ConnectionTestResult connectionId={id} />
      )}
      <Group justify="flex-end" gap="sm">
        {state === 'error' && (
          <ButtonLink to="/integrations/$integrationId" params={{ integrationId: slug }} search={{ tab: 'settings' }} variant="default">
            <Trans>Check settings</Trans>
          </ButtonLink>
        )}
        <ButtonLink
          to="/integrations/$integrationId"
          params={{ integrationId: slug }}
          search={syncs ? { tab: 'mapping' } : {}}
          data-autofocus
        >
          {syncs ? <Trans>Map fields</Trans> : <Trans>Open connection</Trans>}
        </ButtonLink>
      </Group>
    </div>
  )
}
