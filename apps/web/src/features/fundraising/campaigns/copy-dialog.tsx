import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useCampaignSaved } from '../fundraising-api.ts'
import type { Campaign } from '../fundraising-api.ts'

type Props = { campaign: Campaign; opened: boolean; onClose: () => void }

/** Another campaign with the same texts, amounts and funds. */
export function CopyDialog({ campaign, opened, onClose }: Props) {
  const { copy } = useApi().data.fundraising
  const saved = useCampaignSaved()
  const navigate = useNavigate()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t`Copy ${campaign.name}`}
      values={{ name: t`Copy of ${campaign.name}`.slice(0, 150) }}
      rules={{ name: (name) => (name.trim() === '' ? t`Enter a name.` : null) }}
      submitLabel={<Trans>Copy campaign</Trans>}
      onSubmit={async ({ name }) => {
        const made = await copy.call({ campaignId: campaign.id, name: name.trim() })
        await saved(made)
        toast.success(t`${made.name} created as a draft`)
        return made
      }}
      onDone={({ id }) => navigate({ to: '/fundraising/$campaignId/{-$tab}', params: { campaignId: id, tab: 'form' } })}
    >
      {(form) => (
        <TextInput
          label={t`Name`}
          description={t`Texts, amounts and funds are copied; dates, the picture and gifts are not.`}
          maxLength={150}
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
    </FormDialog>
  )
}
