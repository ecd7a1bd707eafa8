import type { MailFrequency, NotificationPreference } from '@guildhall/contract/features/notifications'
import { NativeSelect, Switch } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { Section } from '../../ui/page/page.tsx'
import { SkeletonLines } from '../../ui/page/skeletons.tsx'
import { kindWords } from './notification-text.ts'
import { usePrefer, usePreferencesOfKinds } from './notifications-api.ts'
import classes from './notifications.module.css'

const frequencies = (): { value: MailFrequency; label: string }[] => [
  { value: 'instant', label: t`At once` },
  { value: 'daily', label: t`Daily` },
  { value: 'weekly', label: t`Weekly` },
  { value: 'off', label: t`No mail` },
]

/** Each kind with where and how often: the section of the profile. */
export function NotificationPreferences() {
  const preferences = usePreferencesOfKinds()
  const prefer = usePrefer()
  const words = kindWords()
  const change = ({ kind, inInbox, mail }: Pick<NotificationPreference, 'kind' | 'inInbox' | 'mail'>) =>
    prefer.mutate({ kind, inInbox, mail }, { onError: (problem) => toast.error(t`The change could not be saved.`, problem) })
  return (
    <Section title={t`Notifications`}>
      {preferences.isPending && <SkeletonLines count={4} />}
      {preferences.isError && (
        <ProblemState problem={preferences.error} title={t`Your settings could not be loaded`} retry={() => void preferences.refetch()} />
      )}
      <div className={classes['kinds']}>
        {preferences.data?.items.map(({ kind, inInbox, mail, essential }) => (
          <fieldset key={kind} className={classes['kind']} disabled={essential}>
            <div>
              <legend>{words[kind]}</legend>
              {essential && (
                <span className={classes['when']}>
                  <Trans>Essential: you are always told of this.</Trans>
                </span>
              )}
            </div>
            <Switch
              label={t`Inbox`}
              aria-label={t`Inbox: ${words[kind]}`}
              checked={inInbox}
              disabled={essential}
              onChange={(event) => change({ kind, inInbox: event.currentTarget.checked, mail })}
            />
            <NativeSelect
              aria-label={t`Mail: ${words[kind]}`}
              data={frequencies()}
              value={mail}
              disabled={essential}
              onChange={({ currentTarget }) => {
                const chosen = frequencies().find(({ value }) => value === currentTarget.value)
                if (chosen) change({ kind, inInbox, mail: chosen.value })
              }}
            />
          </fieldset>
        ))}
      </div>
      <p className={classes['when']}>
        <Trans>Daily mail comes in the morning, weekly mail on Monday morning.</Trans>
      </p>
    </Section>
  )
}
