import { NativeSelect, TextInput } from '@mantine/core'
import { MessageAudience } from '@guildhall/contract/features/events'
import { noText, textLength } from '@guildhall/contract/formatted-document'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { FormattedTextField } from '../../../platform/formatted-text/formatted-text-field.tsx'
import { FormattedText } from '../../../platform/formatted-text/formatted-text.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { MomentField } from '../../../ui/form/moment-field.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import type { Event } from '../events-api.ts'
import { audienceWords } from './messages-words.ts'
import classes from './messages.module.css'

type Values = {
  audience: MessageAudience
  ticketTypeId: string
  subject: string
  body: FormattedDocument
  sendAt: string | null | undefined
}
const longest = 20_000
const empty: Values = { audience: 'all', ticketTypeId: '', subject: '', body: noText, sendAt: null }

type Props = { event: Event; opened: boolean; onClose: () => void }

/** A message to those who registered; how many it goes to and how it reads stand below before it is sent. */
export function MessageDialog({ event, opened, onClose }: Props) {
  const { messages } = useApi().data.events
  const cache = useQueryClient()
  const words = audienceWords()
  const tickets = event.ticketTypes.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      size="lg"
      title={t`New message`}
      draft={`event-message:${event.id}`}
      values={empty}
      rules={{
        subject: (subject: string) => (subject.trim() === '' ? t`Enter a subject.` : null),
        body: (body: FormattedDocument) =>
          textLength(body) === 0 ? t`Enter a message.` : textLength(body) > longest ? t`This message is too long.` : null,
        sendAt: (at: Values['sendAt']) => (at === undefined ? t`Enter a date and a time.` : null),
      }}
      submitLabel={({ sendAt }) => (sendAt ? <Trans>Schedule</Trans> : <Trans>Send</Trans>)}
      onSubmit={async ({ ticketTypeId, sendAt, subject, ...rest }) => {
        await messages.send.call({
          ...rest,
          eventId: event.id,
          subject: subject.trim(),
          ...(ticketTypeId !== '' && { ticketTypeId }),
          ...(sendAt && { sendAt }),
        })
        await cache.invalidateQueries({ queryKey: messages.list.key() })
        toast.success(sendAt ? t`Message scheduled` : t`Message sent`)
      }}
    >
      {(form) => {
        const { audience, ticketTypeId, subject, body } = form.values
        return (
          <>
            <NativeSelect
              label={t`To`}
              data={MessageAudience.options.map((value) => ({ value, label: words[value] }))}
              {...form.getInputProps('audience')}
            />
            {tickets.length > 1 && (
              <NativeSelect
                label={t`Ticket`}
                data={[{ value: '', label: t`All tickets` }, ...tickets]}
                {...form.getInputProps('ticketTypeId')}
              />
            )}
            <Recipients eventId={event.id} audience={audience} ticketTypeId={ticketTypeId} />
            <TextInput label={t`Subject`} maxLength={150} data-autofocus {...form.getInputProps('subject')} />
            <FormattedTextField label={t`Message`} limit={longest} {...form.getInputProps('body')} />
            <MomentField
              label={<Optional>{t`Send at`}</Optional>}
              zone={event.timezone}
              value={form.values.sendAt}
              onChange={(at) => form.setFieldValue('sendAt', at)}
              error={form.errors['sendAt']}
            />
            {textLength(body) > 0 && (
              <section className={classes['preview']} aria-label={t`Preview`}>
                <strong>{subject}</strong>
                <FormattedText document={body} />
              </section>
            )}
          </>
        )
      }}
    </FormDialog>
  )
}

function Recipients({ eventId, audience, ticketTypeId }: { eventId: string; audience: MessageAudience; ticketTypeId: string }) {
  const { messages } = useApi().data.events
  const input = { eventId, audience, ...(ticketTypeId !== '' && { ticketTypeId }) }
  const { data } = useQuery(messages.audience.queryOptions({ input }))
  return (
    <p className={classes['dim']} role="status">
      {data ? <Plural value={data.recipients} one="# recipient" other="# recipients" /> : t`Counting recipients…`}
    </p>
  )
}
