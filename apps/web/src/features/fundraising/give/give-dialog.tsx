import { t } from '@lingui/core/macro'
import { lazy } from 'react'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import type { Campaign } from '../fundraising-api.ts'

const GiveForm = lazy(async () => ({ default: (await import('./give-form.tsx')).GiveForm }))

type Props = {
  campaign: Campaign
  /** A gift that was begun: what was typed for one that was not paid is given back. */
  before: string | undefined
  opened: boolean
  onClose: () => void
}

/** Giving by card while signed in; it begins anew whenever it opens. */
export const GiveDialog = ({ campaign, before, opened, onClose }: Props) => (
  <Dialog opened={opened} onClose={onClose} title={t`Give to ${campaign.name}`}>
    {opened && <GiveForm campaign={campaign} before={before} />}
  </Dialog>
)
