import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import type { RecordEditor } from '../../../platform/records/record-editor.tsx'
import { useMe } from '../../../platform/session/session.ts'
import { Fact } from '../../../ui/form/fact-list.tsx'
import type { Connection } from '../integrations-api.ts'
import type { ConnectionEdit } from './use-connection-editor.ts'

type Props = { connection: Connection; editor: RecordEditor<ConnectionEdit>; may: boolean }

/** With whose rights it writes, and who is told of trouble: whoever changes it takes it over. */
export function OwnerFact({ connection: { owner }, editor, may }: Props) {
  const { data: me } = useMe()
  const [busy, setBusy] = useState(false)
  const isMine = me !== undefined && owner !== null && [me.person?.displayName, me.account.name, me.account.email].includes(owner)
  const takeOver = async (ownerAccountId: string) => {
    setBusy(true)
    try {
      await editor.save({ label: t`Owner`, change: { ownerAccountId }, before: undefined })
    } catch (problem) {
      toast.error(t`The owner could not be changed.`, problem)
    }
    setBusy(false)
  }
  return (
    <Fact
      label={t`Owner`}
      hint={t`Runs use the owner’s rights, and the owner is told of trouble. Changing settings or mapping makes you the owner.`}
    >
      {owner}
      {may && me && !isMine && (
        <>
          {' '}
          <Button variant="subtle" size="compact-sm" loading={busy} onClick={() => void takeOver(me.account.id)}>
            <Trans>Take over</Trans>
          </Button>
        </>
      )}
    </Fact>
  )
}
