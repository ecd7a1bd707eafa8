import { NativeSelect, SegmentedControl, Switch, TextInput } from '@mantine/core'
import { announcementLimit } from '@guildhall/contract/features/communication.announcements'
import type { AnnouncementAudience } from '@guildhall/contract/features/communication.announcements'
import { noText, textLength } from '@guildhall/contract/formatted-document'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { FormattedTextField } from '../../../platform/formatted-text/formatted-text-field.tsx'
import { useCan, useHoldsEverywhere, useMe } from '../../../platform/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { MomentField } from '../../../ui/form/moment-field.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { PlaceField, usePlaceRule, useUsualPlace } from '../place-field.tsx'
import type { Place } from '../place-field.tsx'
import { audienceWords } from './announcement-words.tsx'
import { useAnnouncementsChanged, useReach } from './announcements-api.ts'
import type { Announcement } from './announcements-api.ts'
import classes from './announcements.module.css'

type Values = Place & {
  title: string
  body: FormattedDocument
  audience: AnnouncementAudience
  pinned: boolean
  startsAt: string | null | undefined
  endsAt: string | null | undefined
  then: 'draft' | 'publish'
}

type Props = {
  opened: boolean
  /** The one that is edited; a new one without. */
  announcement?: Announcement | undefined
  onClose: () => void
  onDone?: (announcement: Announcement) => void
}

const valuesOf = (announcement: Announcement | undefined, usual: Place): Values => ({
  title: announcement?.title ?? '',
  body: announcement?.body ?? noText,
  ...(announcement ? { chapterId: announcement.chapter?.id ?? null, groupId: announcement.group?.id ?? null } : usual),
  audience: announcement?.audience ?? 'members',
  pinned: announcement?.pinned ?? false,
  startsAt: announcement?.startsAt ?? null,
  endsAt: announcement?.endsAt ?? null,
  then: 'draft',
})
const scopeOf = ({ chapterId, groupId }: Place) => (groupId ? 'group' : chapterId ? 'chapter' : 'organisation')

/** Writes an announcement, and publishes it in the same step where the writer wants that. */
export function AnnouncementDialog({ opened, announcement, onClose, onDone }: Props) {
  const api = useApi().data.communication.announcements
  const changed = useAnnouncementsChanged()
  const usual = useUsualPlace()
  const placeRule = usePlaceRule()
  const mayPublish = useCan('messages.send')
  const zone = useMe().data?.organisation.timezone ?? 'UTC'
  const { number } = useFormats()
  const isDraft = !announcement || announcement.state === 'draft'
  const notUnderstood = (at: string | null | undefined) => (at === undefined ? t`Choose how this is meant, or clear it.` : null)
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      size="lg"
      title={announcement ? t`Edit announcement` : t`New announcement`}
      draft={announcement ? `announcement:${announcement.id}` : 'new-announcement'}
      version={announcement?.version}
      values={valuesOf(announcement, usual)}
      rules={{
        title: (title: string) => (title.trim() === '' ? t`Enter a title.` : null),
        body: (body: FormattedDocument) =>
          textLength(body) > announcementLimit ? t`Keep this to ${number(announcementLimit)} characters.` : null,
        chapterId: placeRule,
        startsAt: notUnderstood,
        endsAt: notUnderstood,
      }}
      submitLabel={({ then, startsAt }) =>
        !isDraft ? (
          <Trans>Save</Trans>
        ) : then === 'draft' ? (
          <Trans>Save draft</Trans>
        ) : startsAt && Date.parse(startsAt) > Date.now() ? (
          <Trans>Schedule</Trans>
        ) : (
          <Trans>Publish now</Trans>
        )
      }
      onSubmit={async ({ then, startsAt = null, endsAt = null, ...facts }, sent) => {
        const entered = { ...facts, startsAt, endsAt }
        const saved = announcement
          ? await api.update.call({ announcementId: announcement.id, ...entered }, sent)
          : await api.create.call(entered)
        // A draft that cannot be published is kept all the same.
        let done = saved
        if (isDraft && then === 'publish')
          try {
            done = await api.publish.call({ announcementId: saved.id }, { context: { ifMatch: saved.version } })
          } catch (problem) {
            toast.error(t`The draft is saved, but it could not be published`, problem)
          }
        await changed()
        if (done.state === 'scheduled') toast.success(t`${done.title} scheduled`)
        else if (done.state === 'shown' && isDraft) toast.success(t`${done.title} published`)
        else toast.success(t`${done.title} saved`)
        return done
      }}
      {...(onDone && { onDone })}
    >
      {(form) => {
        const { chapterId, groupId, audience, startsAt, endsAt } = form.values
        const words = audienceWords(scopeOf(form.values))
        const audiences = groupId ? (['members', 'officers'] as const) : (['members', 'officers', 'everybody'] as const)
        return (
          <>
            <TextInput label={t`Title`} maxLength={150} data-autofocus {...form.getInputProps('title')} />
            <FormattedTextField label={t`Text`} limit={announcementLimit} {...form.getInputProps('body')} />
            <div className={classes['pair']}>
              <PlaceField
                label={t`Announced in`}
                description={t`A chapter includes those below it.`}
                value={{ chapterId, groupId }}
                onChange={(place) =>
                  form.setValues({ ...place, ...(place.groupId && audience === 'everybody' && { audience: 'members' }) })
                }
                error={form.errors['chapterId'] ?? form.errors['groupId']}
              />
              <NativeSelect
                label={t`Audience`}
                description={<ReachText {...{ chapterId, groupId, audience }} />}
                data={audiences.map((value) => ({ value, label: words[value] }))}
                {...form.getInputProps('audience')}
              />
            </div>
            <div className={classes['pair']}>
              <MomentField
                label={<Optional>{t`Start`}</Optional>}
                zone={zone}
                value={startsAt}
                onChange={(at) => form.setFieldValue('startsAt', at)}
                error={form.errors['startsAt']}
              />
              <MomentField
                label={<Optional>{t`End`}</Optional>}
                zone={zone}
                value={endsAt}
                onChange={(at) => form.setFieldValue('endsAt', at)}
                error={form.errors['endsAt']}
              />
            </div>
            <Switch
              label={t`Pinned`}
              description={t`Stays at the top of Home until its reader dismisses it.`}
              {...form.getInputProps('pinned', { type: 'checkbox' })}
            />
            {isDraft && mayPublish && (
              <SegmentedControl
                aria-label={t`After saving`}
                data={[
                  { value: 'draft', label: t`Keep as draft` },
                  { value: 'publish', label: t`Publish` },
                ]}
                {...form.getInputProps('then')}
              />
            )}
          </>
        )
      }}
    </FormDialog>
  )
}

/** How many a new audience or place would reach, before anything is published. */
function ReachText({ chapterId, groupId, audience }: Place & { audience: AnnouncementAudience }) {
  const all = useHoldsEverywhere('messages.write')
  const { data } = useReach(chapterId || groupId || all ? { chapterId, groupId, audience } : undefined)
  // The line keeps its place while it is counted.
  return data ? <Plural value={data.reached} one="Reaches # account today" other="Reaches # accounts today" /> : <>{'\u00a0'}</>
}
