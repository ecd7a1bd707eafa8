import { Button, NumberInput, Switch, Textarea } from '@mantine/core'
import type { EventMailSetting } from '@guildhall/contract/features/events'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { Event } from '../events-api.ts'
import { kindWords } from './messages-words.ts'
import classes from './messages.module.css'

/** What is mailed without anybody writing it: on or off where that does no harm, with a paragraph of the organisers. */
export function AutomaticMails({ event }: { event: Event }) {
  const { messages } = useApi().data.events
  const [edited, setEdited] = useState<EventMailSetting | null>(null)
  const settings = useQuery(messages.automatic.queryOptions({ input: { eventId: event.id } }))
  if (settings.isPending) return null
  if (settings.isError)
    return (
      <ProblemState problem={settings.error} title={t`The automatic mails could not be loaded`} retry={() => void settings.refetch()} />
    )
  const words = kindWords()
  return (
    <Section title={t`Automatic mails`}>
      <ul className={classes['rows']}>
        {settings.data.items.map((setting) => {
          const name = words[setting.kind]
          return (
            <li key={setting.kind} className={classes['row']}>
              <div className={classes['what']}>
                <span className={classes['name']}>{name}</span>
                {setting.hours !== null && (
                  <span className={classes['dim']}>
                    {setting.kind === 'survey' ? (
                      <Plural
                        value={setting.hours}
                        one="# hour after the end, if the survey is on"
                        other="# hours after the end, if the survey is on"
                      />
                    ) : (
                      <Plural value={setting.hours} one="# hour before the start" other="# hours before the start" />
                    )}
                  </span>
                )}
                {setting.extra !== '' && <span className={classes['dim']}>{setting.extra}</span>}
              </div>
              {!setting.enabled && <StatusBadge>{t`Off`}</StatusBadge>}
              {event.may.edit && (
                <Button variant="default" size="compact-md" aria-label={t`Edit ${name}`} onClick={() => setEdited(setting)}>
                  <Trans>Edit</Trans>
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <SettingDialog key={edited?.kind} eventId={event.id} setting={edited} onClose={() => setEdited(null)} />
    </Section>
  )
}

function SettingDialog({ eventId, setting, onClose }: { eventId: string; setting: EventMailSetting | null; onClose: () => void }) {
  const { messages } = useApi().data.events
  const cache = useQueryClient()
  return (
    <FormDialog
      opened={setting !== null}
      onClose={onClose}
      title={setting ? kindWords()[setting.kind] : ''}
      values={{ enabled: setting?.enabled ?? true, extra: setting?.extra ?? '', hours: setting?.hours ?? 24 }}
      rules={{ hours: (hours: number) => (hours >= 1 && hours <= 336 ? null : t`Enter 1 to 336 hours.`) }}
      submitLabel={<Trans>Save</Trans>}
      onSubmit={async ({ enabled, extra, hours }) => {
        if (!setting) return
        const { kind } = setting
        await messages.setAutomatic.call({ eventId, kind, enabled, extra: extra.trim(), hours: setting.hours === null ? null : hours })
        await cache.invalidateQueries({ queryKey: messages.automatic.key() })
        toast.success(t`Changes saved`)
      }}
    >
      {(form) => (
        <>
          {setting?.essential === false && <Switch label={t`Send this mail`} {...form.getInputProps('enabled', { type: 'checkbox' })} />}
          {setting && setting.hours !== null && (
            <NumberInput
              label={setting.kind === 'survey' ? t`Hours after the end` : t`Hours before the start`}
              min={1}
              max={336}
              allowDecimal={false}
              {...form.getInputProps('hours')}
            />
          )}
          <Textarea label={t`Additional paragraph`} autosize minRows={3} maxLength={2000} data-autofocus {...form.getInputProps('extra')} />
        </>
      )}
    </FormDialog>
  )
}
