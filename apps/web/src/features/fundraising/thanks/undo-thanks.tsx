import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Gift } from '@guildhall/contract/features/fundraising.gifts'
import { toast } from '../../../platform/activity/toast.tsx'
import { donorName } from '../giving-words.tsx'
import { useThank } from './thanks-api.ts'

/** Thanks that were noted by mistake. What was mailed stays, since the donor has it. */
export function UndoThanks({ gift }: { gift: Gift }) {
  const { undo } = useThank()
  const [busy, setBusy] = useState(false)
  if (!gift.may.edit || gift.thanked === null || gift.thanked.how === 'mail') return null
  const name = donorName(gift)
  const put = async () => {
    setBusy(true)
    try {
      await undo({ giftId: gift.id, version: gift.version })
      toast.success(t`${name} is waiting for thanks again`)
    } catch (failure) {
      toast.error(t`The thanks could not be undone`, failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="subtle" size="compact-sm" loading={busy} aria-label={t`Undo thanks to ${name}`} onClick={() => void put()}>
      <Trans>Undo</Trans>
    </Button>
  )
}
