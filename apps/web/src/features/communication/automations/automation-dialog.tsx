import { Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import { AutomationExit, AutomationReentry } from '@guildhall/contract/features/communication.automations'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { toast } from '../../../platform/activity/toast.tsx'
import { noRecord, useRecordSources } from '../../../platform/records/record-sources.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { RecordPicker } from '../../../ui/form/record-picker.tsx'
import { PlaceField, usePlaceRule, useUsualPlace } from '../place-field.tsx'
import { exitWords, reentryWords, triggerWords } from './automation-words.tsx'
import { useAutomationsApi, useAutomationsChanged } from './automations-api.ts'
import type { Automation, AutomationTrigger } from './automations-api.ts'
import { TagField } from './tag-field.tsx'

type Values = {
  name: string
  description: string
  on: AutomationTrigger['on']
  days: number
  eventId: string | null
  tagId: string | null
  exits: AutomationExit[]
  reentry: AutomationReentry
  chapterId: string | null
}

const valuesOf = (automation: Automation | undefined, usual: string | null): Values => {
  const trigger = automation?.trigger
  return {
    name: automation?.name ?? '',
    description: automation?.description ?? '',
    on: trigger?.on ?? 'joined',
    days: trigger?.on === 'renewal_due' ? trigger.days : 30,
    eventId: trigger && 'eventId' in trigger && trigger.eventId !== null ? trigger.eventId : noRecord,
    tagId: trigger?.on === 'tag_added' ? trigger.tagId : '',
    exits: [...(automation?.exits ?? [])],
    reentry: automation?.reentry ?? 'once',
    chapterId: automation ? (automation.chapter?.id ?? noRecord) : usual,
  }
}

function triggerOf({ on, days, eventId, tagId }: Values): AutomationTrigger {
  switch (on) {
    case 'renewal_due':
      return { on, days }
    case 'registered':
    case 'attended':
      return { on, eventId: eventId || null }
    case 'tag_added':
      return { on, tagId: tagId ?? '' }
    case 'joined':
    case 'lapsed':
    case 'birthday':
      return { on }
  }
}

type Props = { opened: boolean; onClose: () => void; automation?: Automation; onDone?: (automation: Automation) => void }

/** What lets people enter an automation, how often, and what ends it for them. Its steps are edited where they stand. */
export function AutomationDialog({ opened, onClose, automation, onDone }: Props) {
  const api = useAutomationsApi()
  const changed = useAutomationsChanged()
  const usual = useUsualPlace()
  const placeRule = usePlaceRule(false)
  const { events } = useRecordSources()
  const isOpen = automation === undefined || automation.status === 'draft' || automation.status === 'paused'
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={automation ? t`Edit automation` : t`New automation`}
      version={automation?.version}
      values={valuesOf(automation, usual.chapterId)}
      rules={{
        name: (name: string) => (name.trim() === '' ? t`Enter a name.` : null),
        days: (days: number, { on }: Values) => (on !== 'renewal_due' || (days >= 0 && days <= 180) ? null : t`Enter 0 to 180 days.`),
        tagId: (id: string | null, { on }: Values) => (on === 'tag_added' && !id ? t`Choose a tag.` : null),
        ...(!automation && { chapterId: placeRule }),
      }}
      submitLabel={automation ? <Trans>Save</Trans> : <Trans>Create draft</Trans>}
      onSubmit={async (entered, sent) => {
        const { name, description, exits, reentry, chapterId } = entered
        const facts = { name, description, ...(isOpen && { trigger: triggerOf(entered), exits, reentry }) }
        const saved = automation
          ? await api.update.call({ automationId: automation.id, ...facts }, sent)
          : await api.create.call({ ...facts, trigger: triggerOf(entered), chapterId: chapterId || null })
        await changed()
        if (automation) toast.success(t`Changes saved`)
        return saved
      }}
      {...(onDone && { onDone })}
    >
      {(form) => (
        <>
          <TextInput label={t`Name`} maxLength={100} data-autofocus {...form.getInputProps('name')} />
          <Textarea label={<Optional>{t`Description`}</Optional>} autosize maxLength={1000} {...form.getInputProps('description')} />
          {!automation && (
            <PlaceField
              label={t`For`}
              description={form.values.chapterId && t`Only people of this chapter and those below it enter.`}
              groups={false}
              value={{ chapterId: form.values.chapterId, groupId: null }}
              onChange={({ chapterId }) => form.setFieldValue('chapterId', chapterId)}
              error={form.errors['chapterId']}
            />
          )}
          {isOpen && (
            <>
              <NativeSelect
                label={t`Begins when`}
                data={Object.entries(triggerWords()).map(([value, label]) => ({ value, label }))}
                {...form.getInputProps('on')}
              />
              {form.values.on === 'renewal_due' && (
                <NumberInput
                  label={t`Days before the membership ends`}
                  min={0}
                  max={180}
                  allowDecimal={false}
                  {...form.getInputProps('days')}
                />
              )}
              {(form.values.on === 'registered' || form.values.on === 'attended') && (
                <RecordPicker
                  label={<Optional>{t`Event`}</Optional>}
                  description={t`Without one, any event.`}
                  search={events.search}
                  names={events.names}
                  {...form.getInputProps('eventId')}
                />
              )}
              {form.values.on === 'tag_added' && <TagField {...form.getInputProps('tagId')} />}
              <NativeSelect
                label={t`People enter`}
                data={AutomationReentry.options.map((value) => ({ value, label: reentryWords()[value] }))}
                {...form.getInputProps('reentry')}
              />
              <Checkbox.Group label={<Optional>{t`Ends early when`}</Optional>} {...form.getInputProps('exits')}>
                {AutomationExit.options.map((value) => (
                  <Checkbox key={value} value={value} label={exitWords()[value]} mt={8} />
                ))}
              </Checkbox.Group>
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}
