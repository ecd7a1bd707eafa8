import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Relationship } from '@guildhall/contract/features/relationships'
import { daysFrom } from '@guildhall/contract/moments'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useRelationshipsChanged } from '../relationships-api.ts'
import classes from './lines.module.css'

type Props = { opened: boolean; relationship: Relationship; onClose: () => void }

/** Ends a relationship on a day, with Undo. */
export function EndDialog({ opened, relationship, onClose }: Props) {
  const { end, reopen } = useApi().data.relationships
  const changed = useRelationshipsChanged()
  const today = useToday()
  const { id: relationshipId, version, from, to, startsOn } = relationship
  const yesterday = daysFrom(today, -1)
  return (
    <FormDialog<{ endsOn: string }, void>
      opened={opened}
      onClose={onClose}
      title={t`End relationship`}
      version={version}
      rules={{
        endsOn: (day) =>
          day === '' ? t`Enter a day.` : startsOn !== null && day < startsOn ? t`The last day can’t be before the first.` : null,
      }}
      // On its last day somebody still stands where they stood: usually it is over when it is recorded.
      values={{ endsOn: startsOn !== null && startsOn > yesterday ? today : yesterday }}
      submitLabel={<Trans>End relationship</Trans>}
      onSubmit={async ({ endsOn }, sent) => {
        const ended = await end.call({ relationshipId, endsOn }, sent)
        await changed()
        toast.undo(t`${to.displayName} no longer stands below ${from.displayName}`, async () => {
          await reopen.call({ relationshipId }, { context: { ifMatch: ended.version } })
          await changed()
        })
      }}
    >
      {(form) => (
        <>
          <p className={classes['dim']}>
            {t`From the next day on, ${to.displayName} no longer stands below ${from.displayName}. Everyone below ${to.displayName} stays there.`}
          </p>
          <TextInput type="date" label={t`Last day`} min={startsOn ?? undefined} data-autofocus {...form.getInputProps('endsOn')} />
        </>
      )}
    </FormDialog>
  )
}
