import { Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Relationship } from '@guildhall/contract/features/relationships'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useRelationshipsChanged } from '../relationships-api.ts'
import classes from './person.module.css'
import { pairText } from './relationship-words.ts'

type Props = { opened: boolean; relationship: Relationship; onClose: () => void }

/** First day and note; who and what stay, since another pair is another relationship. */
export function EditDialog({ opened, relationship, onClose }: Props) {
  const { update } = useApi().data.relationships
  const changed = useRelationshipsChanged()
  const { id: relationshipId, version, startsOn, endsOn, note } = relationship
  return (
    <FormDialog<{ startsOn: string; note: string }, Relationship>
      opened={opened}
      onClose={onClose}
      title={t`Edit relationship`}
      version={version}
      rules={{ startsOn: (day) => (endsOn !== null && day > endsOn ? t`The last day can’t be before the first.` : null) }}
      values={{ startsOn: startsOn ?? '', note }}
      submitLabel={<Trans>Save relationship</Trans>}
      onSubmit={async (values, sent) => {
        const saved = await update.call(
          { relationshipId, startsOn: values.startsOn === '' ? null : values.startsOn, note: values.note },
          sent,
        )
        await changed()
        toast.success(t`${pairText(saved)}: saved`)
        return saved
      }}
    >
      {(form) => (
        <div className={classes['fields']}>
          <p className={classes['dim']}>{pairText(relationship)}</p>
          <TextInput type="date" label={t`Since`} data-autofocus {...form.getInputProps('startsOn')} />
          <Textarea label={t`Note`} maxLength={500} autosize minRows={2} {...form.getInputProps('note')} />
        </div>
      )}
    </FormDialog>
  )
}

/** Ends a relationship on a day, with Undo. */
export function EndDialog({ opened, relationship, onClose }: Props) {
  const { end } = useApi().data.relationships
  const changed = useRelationshipsChanged()
  const reopen = useReopen()
  const today = useToday()
  const { day } = useFormats()
  const { id: relationshipId, version, startsOn } = relationship
  return (
    <FormDialog<{ endsOn: string }, Relationship>
      opened={opened}
      onClose={onClose}
      title={t`End relationship`}
      version={version}
      rules={{
        endsOn: (last) =>
          last === '' ? t`Enter a day.` : startsOn !== null && last < startsOn ? t`The last day can’t be before the first.` : null,
      }}
      values={{ endsOn: startsOn !== null && startsOn > today ? startsOn : today }}
      submitLabel={<Trans>End relationship</Trans>}
      onSubmit={async ({ endsOn }, sent) => {
        const ended = await end.call({ relationshipId, endsOn }, sent)
        await changed()
        const pair = pairText(ended)
        toast.undo(ended.state === 'ended' ? t`${pair}: ended` : t`${pair}: ends on ${day(endsOn)}`, () => reopen(ended))
        return ended
      }}
    >
      {(form) => (
        <div className={classes['fields']}>
          <p className={classes['dim']}>{pairText(relationship)}</p>
          <TextInput type="date" label={t`Last day`} min={startsOn ?? undefined} data-autofocus {...form.getInputProps('endsOn')} />
        </div>
      )}
    </FormDialog>
  )
}

/** Undoes an end, a withdrawal or a rejection; all rules are checked again. */
export function useReopen() {
  const { reopen } = useApi().data.relationships
  const changed = useRelationshipsChanged()
  return async ({ id: relationshipId, version }: Pick<Relationship, 'id' | 'version'>) => {
    const now = await reopen.call({ relationshipId }, { context: { ifMatch: version } })
    await changed()
    return now
  }
}
