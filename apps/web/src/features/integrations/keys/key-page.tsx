import { Button } from '@mantine/core'
import type { NewApiKey } from '@guildhall/contract/features/integrations.keys'
import { permissions } from '@guildhall/contract/permissions'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { useRecordEditor } from '../../../platform/records/record-editor.tsx'
import { RecordFact } from '../../../platform/records/record-fact.tsx'
import { useRights } from '../../../platform/session/session.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { Fact, FactList } from '../../../ui/form/fact-list.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { KeyActivity } from './key-activity.tsx'
import { KeyUses } from './key-uses.tsx'
import { placeOf, stateOf } from './key-words.ts'
import { useKey, useKeysChanged } from './keys-api.ts'
import type { ApiKey } from './keys-api.ts'
import classes from '../account-tab.module.css'

/** One key: what it may do, what it did, and the end of it. */
export function KeyPage({ apiKeyId }: { apiKeyId: string }) {
  const key = useKey(apiKeyId)
  usePageTitle(key.data?.name ?? t`API key`)
  return (
    <div className={classes['stack']}>
      <div>
        <Link to="/account-management/{-$tab}" params={{ tab: 'api' }}>
          <Trans>All API keys</Trans>
        </Link>
      </div>
      {key.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={8} />
        </Loading>
      )}
      {key.isError && <ProblemState problem={key.error} title={t`This API key could not be loaded`} retry={() => void key.refetch()} />}
      {key.data && <Loaded apiKey={key.data} />}
    </div>
  )
}

function Loaded({ apiKey }: { apiKey: ApiKey }) {
  const { label, tone } = stateOf(apiKey)
  const [revoking, setRevoking] = useState(false)
  const revoke = useRevoke(apiKey)
  const { id, name, state } = apiKey
  return (
    <>
      <div className={classes['head']}>
        <h2>{name}</h2>
        <StatusBadge tone={tone}>{label}</StatusBadge>
        {state !== 'revoked' && (
          <div className={classes['acts']}>
            <Button variant="default" color="red" onClick={() => setRevoking(true)}>
              <Trans>Revoke</Trans>
            </Button>
          </div>
        )}
      </div>
      <Details apiKey={apiKey} />
      <KeyActivity apiKeyId={id} />
      <KeyUses apiKeyId={id} />
      <ConfirmDialog
        opened={revoking}
        onClose={() => setRevoking(false)}
        title={t`Revoke ${name}?`}
        confirmLabel={<Trans>Revoke API key</Trans>}
        danger
        onConfirm={revoke}
      >
        <Trans>Programs that use this key are refused within seconds. A revoked key cannot be restored.</Trans>
      </ConfirmDialog>
    </>
  )
}

function useRevoke({ id, name, version }: ApiKey) {
  const { keys } = useApi().data.integrations
  const changed = useKeysChanged()
  return async () => {
    await keys.revoke.call({ apiKeyId: id }, { context: { ifMatch: version } })
    await changed()
    toast.success(t`${name} revoked`)
  }
}

type Change = Partial<Pick<NewApiKey, 'name' | 'purpose' | 'perMinute'>>

function Details({ apiKey }: { apiKey: ApiKey }) {
  const { keys } = useApi().data.integrations
  const changed = useKeysChanged()
  const can = useRights()
  const { moment, number } = useFormats()
  const { id, name, purpose, perMinute, prefix, expiresAt, lastUsedAt, createdBy, createdAt, revokedAt, accountId, version, state } = apiKey
  const editor = useRecordEditor<ApiKey, Change>({
    name,
    record: apiKey,
    version,
    send: (change, sent) => keys.update.call({ apiKeyId: id, ...change }, sent),
    read: async () => {
      const record = await keys.get.call({ apiKeyId: id })
      return { record, version: record.version }
    },
    onSaved: changed,
  })
  const may = state !== 'revoked'
  const isRate = (text: string) =>
    /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 6_000 ? undefined : t`Enter a number from 1 to 6,000.`
  return (
    <>
      <FactList>
        <RecordFact
          editor={editor}
          may={may}
          label={t`Name`}
          value={name}
          validate={(text) => (text ? undefined : t`Enter a name.`)}
          change={(text) => ({ name: text })}
        />
        <RecordFact editor={editor} may={may} label={t`Purpose`} kind="textarea" value={purpose} change={(text) => ({ purpose: text })} />
        <RecordFact
          editor={editor}
          may={may}
          label={t`Requests per minute`}
          kind="number"
          value={String(perMinute)}
          validate={isRate}
          change={(text) => ({ perMinute: Number(text) })}
        >
          {number(perMinute)}
        </RecordFact>
        <Fact label={t`Begins with`}>
          <span className={classes['code']}>{prefix}…</span>
        </Fact>
        <Fact label={t`Place`}>{placeOf(apiKey)}</Fact>
        <Fact label={t`Permissions`}>
          <ul>
            {apiKey.permissions.map((permission) => (
              <li key={permission}>{permissions[permission]}</li>
            ))}
          </ul>
        </Fact>
        <Fact label={t`Expires`}>{moment(expiresAt)}</Fact>
        {revokedAt && <Fact label={t`Revoked`}>{moment(revokedAt)}</Fact>}
        <Fact label={t`Last used`}>{lastUsedAt ? <RelativeTime at={lastUsedAt} /> : t`Never`}</Fact>
        <Fact label={t`Created`}>{createdBy ? t`${moment(createdAt)} by ${createdBy}` : moment(createdAt)}</Fact>
        {can('audit.read') && (
          <Fact label={t`Changes`}>
            <Link to="/account-management/{-$tab}" params={{ tab: 'audit' }} search={{ by: accountId }}>
              <Trans>What it changed, in the audit log</Trans>
            </Link>
          </Fact>
        )}
      </FactList>
      {editor.dialog}
    </>
  )
}
