import { SegmentedControl, Textarea } from '@mantine/core'
import type { EventInvitationsMade } from '@guildhall/contract/features/events.invitations'
import { EmailAddress } from '@guildhall/contract/shapes'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ChapterPicker, GroupPicker } from '../../../platform/records/record-pickers.tsx'
import { useRecordSources } from '../../../platform/records/record-sources.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { RecordListPicker } from '../../../ui/form/record-list-picker.tsx'
import type { Event } from '../events-api.ts'
import classes from '../messages/messages.module.css'

const whom = ['people', 'group', 'chapter', 'emails'] as const
type Whom = (typeof whom)[number]
type Values = { whom: Whom; personIds: string[]; groupId: string | null; chapterId: string | null; emails: string }
type Props = { event: Event; opened: boolean; onClose: () => void }

/** Addresses as they are typed or pasted: by line, comma, semicolon or space. */
export const addressesIn = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))]
const mostAddresses = 500
const mostPeople = 200

function faultOf({ whom: kind, personIds, groupId, chapterId, emails }: Values): Record<string, string> {
  switch (kind) {
    case 'people':
      if (personIds.length === 0) return { personIds: t`Choose whom to invite.` }
      return personIds.length > mostPeople ? { personIds: t`Choose ${mostPeople} people at most.` } : {}
    case 'group':
      return groupId ? {} : { groupId: t`Choose a group.` }
    case 'chapter':
      return chapterId ? {} : { chapterId: t`Choose a chapter.` }
    case 'emails': {
      const typed = addressesIn(emails)
      const wrong = typed.find((address) => !EmailAddress.safeParse(address).success)
      if (typed.length === 0) return { emails: t`Enter e-mail addresses.` }
      if (wrong !== undefined) return { emails: t`${wrong} is not an e-mail address.` }
      return typed.length > mostAddresses ? { emails: t`Enter ${mostAddresses} addresses at most. There are ${typed.length}.` } : {}
    }
  }
}

/** Whom to invite; who is invited already is left alone. */
export function InviteDialog({ event, opened, onClose }: Props) {
  const { events } = useApi().data
  const cache = useQueryClient()
  const { people } = useRecordSources()
  return (
    <FormDialog<Values, EventInvitationsMade>
      opened={opened}
      onClose={onClose}
      title={t`Invite to ${event.title}`}
      draft={`invite ${event.id}`}
      values={{ whom: 'people', personIds: [], groupId: null, chapterId: null, emails: '' }}
      rules={faultOf}
      fieldOf={(path) => path.split('.')[0] ?? path}
      submitLabel={<Trans>Send invitations</Trans>}
      onSubmit={async ({ whom: kind, personIds, groupId, chapterId, emails }) => {
        const made = await events.invitations.create.call({
          eventId: event.id,
          ...(kind === 'people' && { personIds }),
          ...(kind === 'group' && groupId && { groupId }),
          ...(kind === 'chapter' && chapterId && { chapterId }),
          ...(kind === 'emails' && { emails: addressesIn(emails) }),
        })
        await cache.invalidateQueries({ queryKey: events.invitations.key() })
        toast.success(madeText(made))
        return made
      }}
    >
      {(form) => (
        <>
          <SegmentedControl
            aria-label={t`Whom to invite`}
            value={form.values.whom}
            onChange={(value) => form.setFieldValue('whom', whom.find((one) => one === value) ?? 'people')}
            data={[
              { value: 'people', label: t`People` },
              { value: 'group', label: t`Group` },
              { value: 'chapter', label: t`Chapter` },
              { value: 'emails', label: t`E-mail addresses` },
            ]}
          />
          {form.values.whom === 'people' && (
            <>
              <RecordListPicker
                label={t`People`}
                value={form.values.personIds}
                onChange={(ids) => form.setFieldValue('personIds', ids)}
                search={people.search}
                names={people.names}
              />
              {form.errors['personIds'] && <p role="alert">{form.errors['personIds']}</p>}
            </>
          )}
          {form.values.whom === 'group' && <GroupPicker label={t`Group`} {...form.getInputProps('groupId')} />}
          {form.values.whom === 'chapter' && (
            <ChapterPicker
              label={t`Chapter`}
              description={t`Its members, alumni, advisors and friends, and those of its sub-chapters.`}
              {...form.getInputProps('chapterId')}
            />
          )}
          {form.values.whom === 'emails' && (
            <Textarea
              label={t`E-mail addresses`}
              description={t`One per line, or separated by commas; up to ${mostAddresses}.`}
              autosize
              minRows={4}
              maxRows={12}
              {...form.getInputProps('emails')}
            />
          )}
          <p className={classes['dim']}>
            {event.visibility === 'invite'
              ? t`They can see the event, and get a mail to accept or decline. People already invited get no second mail.`
              : t`They get a mail to accept or decline. People already invited get no second mail.`}
          </p>
        </>
      )}
    </FormDialog>
  )
}

function madeText({ invited, already }: EventInvitationsMade): string {
  if (invited === 0) return t`Everyone was already invited`
  const text = plural(invited, { one: '# person invited', other: '# people invited' })
  return already > 0 ? `${text}; ${plural(already, { one: '# was invited already', other: '# were invited already' })}` : text
}
