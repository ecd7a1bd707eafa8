import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { useConnectionSaved } from '../integrations-api.ts'
import type { Connection } from '../integrations-api.ts'
import { recordCount } from '../words/state-words.ts'
import classes from './connection.module.css'

type Props = { connection: Connection; opened: boolean; onClose: () => void }

/** Says what goes and what stays, and wants the name typed. */
export function DisconnectDialog({ connection, opened, onClose }: Props) {
  const { disconnect } = useApi().data.integrations
  const saved = useConnectionSaved()
  const { id: connectionId, name, version, records, syncs, secrets, connector } = connection
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t`Disconnect ${name}`}
      confirmLabel={<Trans>Disconnect</Trans>}
      typeToConfirm={name}
      danger
      onConfirm={async () => {
        await saved(await disconnect.call({ connectionId }, { context: { ifMatch: version } }))
        toast.success(t`${name} disconnected`)
      }}
    >
      <div className={classes['kept']}>
        <div>
          <h3 className={classes['subTitle']}>{t`Deleted`}</h3>
          <ul className={classes['bullets']}>
            {(secrets.length > 0 || Object.keys(connectors[connector].secrets).length > 0) && (
              <li>
                <Trans>The stored secrets. To connect again, you enter them again.</Trans>
              </li>
            )}
            <li>{syncs ? <Trans>Its schedule: it never runs again.</Trans> : <Trans>Nothing is handed on anymore.</Trans>}</li>
          </ul>
        </div>
        <div>
          <h3 className={classes['subTitle']}>{t`Kept`}</h3>
          <ul className={classes['bullets']}>
            {records > 0 && (
              <li>
                <Trans>{recordCount(records)} that it brought in or updated, and their ids on the other side.</Trans>
              </li>
            )}
            <li>
              <Trans>Its runs, errors and metrics.</Trans>
            </li>
            <li>
              <Trans>Everything on the other side.</Trans>
            </li>
          </ul>
        </div>
      </div>
    </ConfirmDialog>
  )
}
