import { Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { NewFund } from '@guildhall/contract/features/fundraising'
import type { Fund } from '@guildhall/contract/features/fundraising'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { formRules } from '../../../platform/api/form-rules.ts'
import { ChapterPicker } from '../../../platform/records/record-pickers.tsx'
import { useHoldsEverywhere } from '../../../platform/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { useFundraisingChanged } from '../fundraising-api.ts'

type Values = { name: string; code: string; description: string; chapterId: string | null }

/** A new fund, or one that is changed. */
export function FundDialog({ edited, onClose }: { edited: Fund | 'new' | null; onClose: () => void }) {
  const { create, update } = useApi().data.fundraising.funds
  const changed = useFundraisingChanged()
  const everywhere = useHoldsEverywhere('fundraising.manage')
  const fund = edited === 'new' ? null : edited
  return (
    <FormDialog<Values, Fund>
      opened={edited !== null}
      onClose={onClose}
      title={fund ? t`Edit ${fund.name}` : t`New fund`}
      version={fund?.version}
      values={{
        name: fund?.name ?? '',
        code: fund?.code ?? '',
        description: fund?.description ?? '',
        chapterId: fund?.chapter?.id ?? null,
      }}
      rules={formRules(NewFund)}
      submitLabel={fund ? <Trans>Save fund</Trans> : <Trans>Create fund</Trans>}
      onSubmit={async (values, sent) => {
        const saved = fund ? await update.call({ fundId: fund.id, ...values }, sent) : await create.call(values)
        await changed()
        toast.success(fund ? t`${saved.name} saved` : t`${saved.name} created`)
        return saved
      }}
    >
      {(form) => (
        <>
          <TextInput label={t`Name`} maxLength={150} data-autofocus {...form.getInputProps('name')} />
          <TextInput
            label={<Optional>{t`Code`}</Optional>}
            description={t`What accounting calls it`}
            maxLength={40}
            {...form.getInputProps('code')}
          />
          <Textarea
            label={<Optional>{t`Description`}</Optional>}
            autosize
            minRows={2}
            maxLength={2000}
            {...form.getInputProps('description')}
          />
          <ChapterPicker
            label={everywhere ? <Optional>{t`Chapter`}</Optional> : t`Chapter`}
            description={everywhere ? t`Leave empty for the whole organisation` : t`One of the chapters that you look after`}
            {...(fund?.chapter && { known: { value: fund.chapter.id, label: fund.chapter.name } })}
            {...form.getInputProps('chapterId')}
          />
        </>
      )}
    </FormDialog>
  )
}
