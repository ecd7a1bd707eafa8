import { TextInput } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { IconCheck, IconDoorEnter, IconRotate, IconUserOff, IconX } from '@tabler/icons-react'
import type { Event, RegistrationBulkChange } from '@guildhall/contract/features/events'
import { useApi } from '../../../platform/api/api.tsx'
import type { BulkAction, BulkOf } from '../../lists/bulk-public.tsx'
import { useRegistrationsChanged } from './manage-api.ts'

type Action = BulkAction<RegistrationBulkChange>

/** What can be done with the selected registrations. */
export function useRegistrationBulk({ needsApproval, may }: Event): BulkOf<RegistrationBulkChange> {
  const { bulk } = useApi().actions.events.registrations
  const reasoned =
    (does: 'reject' | 'cancel'): NonNullable<Action['choose']> =>
    (tell) => (
      <TextInput
        label={t`Reason`}
        description={t`Told to the people concerned`}
        maxLength={500}
        onChange={(event) => {
          const reason = event.currentTarget.value.trim()
          tell(reason ? { do: does, reason } : undefined)
        }}
      />
    )
  const approve: Action = {
    key: 'approve',
    label: t`Approve`,
    icon: IconCheck,
    title: (registrations) => t`Approve ${registrations}`,
    verb: (count) => plural(count, { one: 'Approve # registration', other: 'Approve # registrations' }),
    done: (registrations) => t`${registrations} approved`,
    change: { do: 'approve' },
    note: t`Seats go to those who registered first. If none is left, people join the waiting list.`,
    stays: {
      unchanged: (count) => plural(count, { one: '# is already approved.', other: '# are already approved.' }),
      refused: (count) =>
        plural(count, { one: '# isn’t awaiting approval, or is a guest.', other: '# aren’t awaiting approval, or are guests.' }),
    },
  }
  const reject: Action = {
    key: 'reject',
    label: t`Reject`,
    icon: IconUserOff,
    title: (registrations) => t`Reject ${registrations}`,
    verb: (count) => plural(count, { one: 'Reject # registration', other: 'Reject # registrations' }),
    done: (registrations) => t`${registrations} rejected`,
    choose: reasoned('reject'),
    note: t`This can’t be undone.`,
    stays: {
      refused: (count) =>
        plural(count, { one: '# isn’t awaiting approval, or is a guest.', other: '# aren’t awaiting approval, or are guests.' }),
    },
  }
  const cancel: Action = {
    key: 'cancel',
    label: t`Cancel`,
    icon: IconX,
    title: (registrations) => t`Cancel ${registrations}`,
    verb: (count) => plural(count, { one: 'Cancel # registration', other: 'Cancel # registrations' }),
    done: (registrations) => t`${registrations} cancelled`,
    choose: reasoned('cancel'),
    note: t`Seats go to the waiting list at once. This can’t be undone.`,
    stays: {
      unchanged: (count) => plural(count, { one: '# is already cancelled.', other: '# are already cancelled.' }),
      refused: (count) =>
        plural(count, { one: '# is checked in. Undo the check-in first.', other: '# are checked in. Undo the check-ins first.' }),
    },
  }
  const checkIn: Action = {
    key: 'check-in',
    label: t`Check in`,
    icon: IconDoorEnter,
    title: (registrations) => t`Check in ${registrations}`,
    verb: (count) => plural(count, { one: 'Check in # person', other: 'Check in # people' }),
    done: (registrations) => t`${registrations} checked in`,
    change: { do: 'check_in' },
    stays: {
      unchanged: (count) => plural(count, { one: '# is already checked in.', other: '# are already checked in.' }),
      refused: (count) => plural(count, { one: '# has no confirmed seat.', other: '# have no confirmed seat.' }),
    },
  }
  const undo: Action = {
    key: 'undo-check-in',
    label: t`Undo check-in`,
    icon: IconRotate,
    title: (registrations) => t`Undo the check-in of ${registrations}`,
    verb: (count) => plural(count, { one: 'Undo # check-in', other: 'Undo # check-ins' }),
    done: (registrations) => t`Check-in of ${registrations} undone`,
    change: { do: 'undo_check_in' },
    stays: {
      unchanged: (count) => plural(count, { one: '# isn’t checked in.', other: '# aren’t checked in.' }),
      refused: (count) => plural(count, { one: '# has no seat.', other: '# have no seat.' }),
    },
  }
  return {
    actions: [
      ...(may.copy && needsApproval ? [approve, reject] : []),
      ...(may.checkIn ? [checkIn, undo] : []),
      ...(may.copy ? [cancel] : []),
    ],
    count: (registrations) => plural(registrations, { one: '# registration', other: '# registrations' }),
    preview: bulk.preview.call,
    run: bulk.run.call,
    changed: useRegistrationsChanged(),
  }
}
