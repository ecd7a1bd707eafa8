import { TextInput } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Relationship } from '@guildhall/contract/features/relationships'
import { daysFrom } from '@guildhall/contract/moments'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { PersonPicker } from '../../../platform/records/record-pickers.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useRelationshipsChanged } from '../relationships-api.ts'
import classes from './lines.module.css'

type Values = { fromPersonId: string | null; startsOn: string }
type Props = { opened: boolean; relationship: Relationship; descendants: number; onClose: () => void }

/** Puts somebody, with everybody below them, below another person: the relationship ends and a new one begins. */
export function MoveDialog({ opened, relationship, descendants, onClose }: Props) {
  const move = useMove()
  const today = useToday()
  const { from, to, type, startsOn: begins } = relationship
  const { day: format } = useFormats()
  return (
    <FormDialog<Values, void>
      opened={opened}
      onClose={onClose}
      title={t`Move ${to.displayName}`}
      rules={{
        fromPersonId: (person) =>
          !person
            ? t`Choose a person.`
            : person === to.id
              ? t`Choose somebody else: nobody can stand below themselves.`
              : person === from.id
                ? t`${to.displayName} already stands below ${from.displayName}. Choose another.`
                : null,
        startsOn: (day) =>
          day === ''
            ? t`Enter a day.`
            : day > today
              ? t`Choose today or an earlier day.`
              : begins !== null && day <= begins
                ? t`Choose a day after ${format(begins)}, when the present relationship began.`
                : null,
      }}
      values={{ fromPersonId: null, startsOn: today }}
      submitLabel={<Trans>Move</Trans>}
      onSubmit={({ fromPersonId, startsOn }) => move(relationship, fromPersonId ?? '', startsOn)}
    >
      {(form) => (
        <>
          <p className={classes['dim']}>
            {descendants > 0
              ? plural(descendants, {
                  one: 'One descendant moves along. The relationship with the person above ends.',
                  other: '# descendants move along. The relationship with the person above ends.',
                })
              : t`The relationship with ${from.displayName} ends.`}
          </p>
          <PersonPicker label={t`New ${type.forwardLabel}`} data-autofocus {...form.getInputProps('fromPersonId')} />
          <TextInput type="date" label={t`Since`} max={today} {...form.getInputProps('startsOn')} />
        </>
      )}
    </FormDialog>
  )
}

/**
 * The old relationship has to end first, on the day before, since a kind may allow one person above at a time; where the new one is
 * refused, it goes on.
 */
function useMove() {
  const { end, create, reopen } = useApi().data.relationships
  const changed = useRelationshipsChanged()
  return async ({ id: relationshipId, version, from, to, type }: Relationship, fromPersonId: string, startsOn: string) => {
    const ended = await end.call({ relationshipId, endsOn: daysFrom(startsOn, -1) }, { context: { ifMatch: version } })
    const goOn = () => reopen.call({ relationshipId }, { context: { ifMatch: ended.version } })
    const made = await create.call({ typeId: type.id, fromPersonId, toPersonId: to.id, startsOn }).catch(async (refusal: unknown) => {
      await goOn()
      await changed()
      throw refusal
    })
    await changed()
    toast.undo(t`${to.displayName} moved from ${from.displayName} to ${made.from.displayName}`, async () => {
      await end.call({ relationshipId: made.id, endsOn: startsOn }, { context: { ifMatch: made.version } })
      await goOn()
      await changed()
    })
  }
}
