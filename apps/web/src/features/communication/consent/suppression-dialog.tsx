import { Checkbox, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { SuppressionReason, Suppressions } from '@guildhall/contract/features/communication.topics'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useConsentsChanged } from './consent-api.ts'
import classes from './consent.module.css'

export type SuppressionAct = { does: 'add'; address: string } | { does: 'release'; address: string; reason: SuppressionReason }
type Values = { address: string; note: string; askedByPerson: boolean }
type SuppressionDialogProps = { act: SuppressionAct | null; onClose: () => void; onDone: (address: string) => void }

export function SuppressionDialog({ act, onClose, onDone }: SuppressionDialogProps) {
  const { suppressions } = useApi().data.communication
  const changed = useConsentsChanged()
  const isRelease = act?.does === 'release'
  const needsWord = act?.does === 'release' && (act.reason === 'complaint' || act.reason === 'unsubscribed')
  return (
    <FormDialog<Values, Suppressions>
      opened={act !== null}
      onClose={onClose}
      title={isRelease ? t`Release address` : t`Suppress address`}
      rules={{
        address: (address) => (address.trim() === '' ? t`Enter an address.` : null),
        note: (note) => (note.trim() === '' ? t`Enter a reason.` : null),
      }}
      values={{ address: act?.address ?? '', note: '', askedByPerson: false }}
      submitLabel={isRelease ? <Trans>Release address</Trans> : <Trans>Suppress address</Trans>}
      onSubmit={async ({ address, note, askedByPerson }) => {
        const saved = isRelease
          ? await suppressions.release.call({ address, note, askedByPerson })
          : await suppressions.add.call({ address, note })
        await changed()
        onDone(address.trim())
        toast.success(isRelease ? t`${address} gets mail again` : t`${address} only gets essential mail`)
        return saved
      }}
    >
      {(form) => (
        <div className={classes['stack']}>
          <TextInput label={t`Address`} type="email" readOnly={isRelease} {...form.getInputProps('address')} />
          <Textarea label={t`Reason`} maxLength={500} autosize minRows={2} autoFocus data-autofocus {...form.getInputProps('note')} />
          {needsWord && (
            <Checkbox label={t`The person asked for mail again`} {...form.getInputProps('askedByPerson', { type: 'checkbox' })} />
          )}
        </div>
      )}
    </FormDialog>
  )
}
