import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ChapterPicker } from '../../../platform/records/record-pickers.tsx'
import { noRecord } from '../../../platform/records/record-sources.ts'
import { useHoldsEverywhere, useMe } from '../../../platform/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { AmountField } from '../../../ui/form/amount-field.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { useCampaignSaved } from '../fundraising-api.ts'
import type { Campaign } from '../fundraising-api.ts'

type Values = { name: string; goal: number | null | undefined; endsOn: string; chapterId: string | null }
const sent = ({ name, goal, endsOn, chapterId }: Values) => ({
  name: name.trim(),
  goal: goal ?? null,
  endsOn: endsOn || null,
  chapterId,
})

/** What a campaign begins with; everything else is written on its giving page. */
export function NewCampaignDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { create } = useApi().data.fundraising
  const saved = useCampaignSaved()
  const navigate = useNavigate()
  const everywhere = useHoldsEverywhere('fundraising.manage')
  const currency = useMe().data?.organisation.currency ?? 'EUR'
  return (
    <FormDialog<Values, Campaign>
      opened={opened}
      onClose={onClose}
      title={t`New campaign`}
      draft="new-campaign"
      values={{ name: '', goal: null, endsOn: '', chapterId: noRecord }}
      rules={{
        name: (name) => (name.trim() === '' ? t`Enter a name.` : null),
        goal: (goal) => (goal === undefined || goal === 0 ? t`Enter an amount, or nothing for a campaign without a goal.` : null),
      }}
      submitLabel={<Trans>Create campaign</Trans>}
      onSubmit={async (values) => {
        const campaign = await create.call(sent(values))
        await saved(campaign)
        toast.success(t`${campaign.name} created as a draft`)
        return campaign
      }}
      onDone={({ id }) => navigate({ to: '/fundraising/$campaignId/{-$tab}', params: { campaignId: id, tab: 'form' } })}
    >
      {(form) => (
        <>
          <TextInput label={t`Name`} maxLength={150} autoFocus data-autofocus {...form.getInputProps('name')} />
          <AmountField
            label={<Optional>{t`Goal`}</Optional>}
            currency={currency}
            value={form.values.goal}
            onChange={(goal) => form.setFieldValue('goal', goal)}
            error={form.errors['goal']}
          />
          <TextInput type="date" label={<Optional>{t`Last day`}</Optional>} {...form.getInputProps('endsOn')} />
          <ChapterPicker
            label={everywhere ? <Optional>{t`Chapter`}</Optional> : t`Chapter`}
            description={everywhere ? t`Leave empty for the whole organisation` : t`One of the chapters that you look after`}
            {...form.getInputProps('chapterId')}
          />
        </>
      )}
    </FormDialog>
  )
}
