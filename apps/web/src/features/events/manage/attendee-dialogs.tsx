import { SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/SegmentedControl.css'
import type { UseFormReturnType } from '@mantine/form'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Event } from '@guildhall/contract/features/events'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { PersonPicker } from '../../../platform/records/record-pickers.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { registrationWords } from '../events-words.tsx'
import { useRegistrationsChanged } from './manage-api.ts'
import type { Registration } from './manage-api.ts'

type Frame = { opened: boolean; onClose: () => void }
const nobody = { who: 'person', personId: '', name: '', email: '' }
type Who = typeof nobody

const ruleOfWho = {
  personId: (value: string, { who }: Who) => (who === 'person' && !value ? t`Choose a person.` : null),
  name: (value: string, { who }: Who) => (who === 'other' && !value.trim() ? t`Enter a name.` : null),
}
/** Who is meant, as the server takes it. */
const meant = ({ who, personId, name, email }: Who) =>
  who === 'person' ? { personId } : { name: name.trim(), ...(email.trim() && { email: email.trim() }) }

/** Somebody of the directory, or somebody who is not in it. */
function WhoFields({ who, field }: { who: string; field: (name: keyof Who) => ReturnType<UseFormReturnType<Who>['getInputProps']> }) {
  return (
    <>
      <SegmentedControl
        aria-label={t`Who comes`}
        data={[
          { value: 'person', label: t`Person in the directory` },
          { value: 'other', label: t`Somebody else` },
        ]}
        {...field('who')}
      />
      {who === 'person' ? (
        <PersonPicker key="person" label={t`Person`} autoFocus {...field('personId')} />
      ) : (
        <>
          <TextInput label={t`Name`} maxLength={200} {...field('name')} />
          <TextInput type="email" label={<Optional>{t`Email`}</Optional>} {...field('email')} />
        </>
      )}
    </>
  )
}

/** Registers somebody on their behalf. */
export function AddAttendeeDialog({ event, opened, onClose, onDone }: Frame & { event: Event; onDone: (made: Registration) => void }) {
  const { registrations } = useApi().data.events
  const changed = useRegistrationsChanged()
  const [only] = event.ticketTypes
  const several = event.ticketTypes.length > 1
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t`Register someone`}
      values={{ ...nobody, ticketTypeId: several ? '' : (only?.id ?? '') }}
      rules={{ ...ruleOfWho, ticketTypeId: (value) => (several && !value ? t`Choose a ticket.` : null) }}
      submitLabel={<Trans>Register</Trans>}
      onSubmit={({ ticketTypeId, ...who }) =>
        registrations.create.call({ eventId: event.id, ...meant(who), ...(ticketTypeId && { ticketTypeId }) })
      }
      onDone={(made) => {
        toast.success(t`${made.name}: ${registrationWords()[made.status]}`)
        void changed()
        onDone(made)
      }}
    >
      {(form) => (
        <>
          <WhoFields who={form.values.who} field={(name) => form.getInputProps(name)} />
          {several && (
            <Select
              label={t`Ticket`}
              data={event.ticketTypes.map(({ id, name }) => ({ value: id, label: name }))}
              {...form.getInputProps('ticketTypeId')}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

export function TransferDialog({ registration, opened, onClose }: Frame & { registration: Registration }) {
  const { registrations } = useApi().data.events
  const changed = useRegistrationsChanged()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t`Transfer the ticket of ${registration.name}`}
      values={nobody}
      rules={ruleOfWho}
      submitLabel={<Trans>Transfer ticket</Trans>}
      onSubmit={(who) => registrations.transfer.call({ registrationId: registration.id, ...meant(who) })}
      onDone={({ name }) => {
        toast.success(t`The ticket is now ${name}’s`)
        void changed()
      }}
    >
      {(form) => (
        <>
          <p>
            <Trans>The QR code of {registration.name} stops working. Their answers are not passed on.</Trans>
          </p>
          <WhoFields who={form.values.who} field={(name) => form.getInputProps(name)} />
        </>
      )}
    </FormDialog>
  )
}

type ReasonProps = Frame & {
  title: string
  submitLabel: ReactNode
  children?: ReactNode
  send: (reason: string) => Promise<Registration>
  done: string
}
/** Asks for the reason, which the person is told. */
export function ReasonDialog({ opened, onClose, title, submitLabel, children, send, done }: ReasonProps) {
  const changed = useRegistrationsChanged()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={title}
      values={{ reason: '' }}
      rules={{ reason: (value) => (value.trim() ? null : t`Enter the reason. The person is told.`) }}
      submitLabel={submitLabel}
      onSubmit={({ reason }) => send(reason.trim())}
      onDone={() => {
        toast.success(done)
        void changed()
      }}
    >
      {(form) => (
        <>
          {children}
          <Textarea label={t`Reason`} data-autofocus autosize minRows={2} maxLength={500} {...form.getInputProps('reason')} />
        </>
      )}
    </FormDialog>
  )
}
