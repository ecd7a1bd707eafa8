import { NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { PersonPicker } from '../../../platform/records/record-pickers.tsx'
import { noRecord } from '../../../platform/records/record-sources.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { stepKindWords } from './automation-words.tsx'
import type { AutomationStep } from './automations-api.ts'
import { MailFields } from './mail-fields.tsx'
import { TagField } from './tag-field.tsx'

type Values = {
  templateId: string | null
  topicId: string
  days: number
  hours: number
  at: string
  otherwise: 'exit' | 'skip'
  tagId: string | null
  does: 'add' | 'remove'
  title: string
  note: string
  dueDays: number
  assigneeId: string | null
}

const valuesOf = (step: AutomationStep): Values => ({
  ...(step.kind === 'wait' ? { days: step.days, hours: step.hours, at: step.at ?? '' } : { days: 3, hours: 0, at: '' }),
  ...(step.kind === 'mail'
    ? { templateId: step.templateId ?? noRecord, topicId: step.topicId ?? '' }
    : { templateId: noRecord, topicId: '' }),
  otherwise: step.kind === 'condition' ? step.otherwise : 'exit',
  ...(step.kind === 'tag' ? { tagId: step.tagId, does: step.does } : { tagId: '', does: 'add' as const }),
  ...(step.kind === 'task'
    ? { title: step.title, note: step.note, dueDays: step.dueDays, assigneeId: step.assigneeId ?? noRecord }
    : { title: '', note: '', dueDays: 7, assigneeId: noRecord }),
})

function stepOf(step: AutomationStep, values: Values): AutomationStep {
  switch (step.kind) {
    case 'wait':
      return { ...step, days: values.days, hours: values.hours, at: values.at || null }
    case 'condition':
      return { ...step, otherwise: values.otherwise }
    case 'tag':
      return { ...step, tagId: values.tagId ?? '', does: values.does }
    case 'task':
      return { ...step, title: values.title, note: values.note, dueDays: values.dueDays, assigneeId: values.assigneeId || null }
    case 'mail':
      return { ...step, templateId: values.templateId || null, topicId: values.topicId || null }
  }
}

type Props = {
  step: AutomationStep | null
  /** Of the automation; null is the whole organisation. */
  chapterId: string | null
  isNew: boolean
  version: number
  onClose: () => void
  onSave: (step: AutomationStep, version: number | undefined) => Promise<unknown>
}

/** One step; what it asks for depends on its kind. */
export function StepDialog({ step, chapterId, isNew, version, onClose, onSave }: Props) {
  const kind = step?.kind
  return (
    <FormDialog
      opened={step !== null}
      onClose={onClose}
      title={step ? stepKindWords()[step.kind] : ''}
      {...(kind === 'mail' && { size: 'lg' })}
      version={version}
      values={valuesOf(step ?? { id: 'none', kind: 'condition', is: 'member', otherwise: 'exit' })}
      rules={{
        days: (days: number, { hours, at }: Values) =>
          kind !== 'wait' || days > 0 || hours > 0 || at !== '' ? null : t`Choose how long to wait.`,
        templateId: (id: string | null) => (kind === 'mail' && !id ? t`Choose a template.` : null),
        topicId: (id: string) => (kind === 'mail' && id === '' ? t`Choose a topic.` : null),
        tagId: (id: string | null) => (kind === 'tag' && !id ? t`Choose a tag.` : null),
        title: (title: string) => (kind === 'task' && title.trim() === '' ? t`Enter what is to be done.` : null),
      }}
      submitLabel={isNew ? <Trans>Add step</Trans> : <Trans>Save</Trans>}
      onSubmit={async (values, { context }) => {
        if (step) await onSave(stepOf(step, values), context.ifMatch)
      }}
    >
      {(form) => (
        <>
          {kind === 'mail' && (
            <MailFields chapterId={chapterId} template={form.getInputProps('templateId')} topic={form.getInputProps('topicId')} />
          )}
          {kind === 'wait' && (
            <>
              <NumberInput label={t`Days`} min={0} max={365} allowDecimal={false} data-autofocus {...form.getInputProps('days')} />
              <NumberInput label={t`Hours`} min={0} max={23} allowDecimal={false} {...form.getInputProps('hours')} />
              <TextInput
                type="time"
                label={<Optional>{t`And then until`}</Optional>}
                description={t`By the clock of the organisation.`}
                {...form.getInputProps('at')}
              />
            </>
          )}
          {kind === 'condition' && (
            <NativeSelect
              label={t`If they are no member any more`}
              data={[
                { value: 'exit', label: t`End it for them` },
                { value: 'skip', label: t`Leave out the next step` },
              ]}
              {...form.getInputProps('otherwise')}
            />
          )}
          {kind === 'tag' && (
            <>
              <NativeSelect
                label={t`What is done`}
                data={[
                  { value: 'add', label: t`Add a tag` },
                  { value: 'remove', label: t`Remove a tag` },
                ]}
                {...form.getInputProps('does')}
              />
              <TagField {...form.getInputProps('tagId')} />
            </>
          )}
          {kind === 'task' && (
            <>
              <TextInput label={t`What is to be done`} maxLength={120} data-autofocus {...form.getInputProps('title')} />
              <Textarea label={<Optional>{t`Note`}</Optional>} autosize minRows={2} maxLength={1000} {...form.getInputProps('note')} />
              <NumberInput label={t`Due after so many days`} min={0} max={90} allowDecimal={false} {...form.getInputProps('dueDays')} />
              <PersonPicker
                label={<Optional>{t`Assigned to`}</Optional>}
                description={t`Without anybody, to those who write messages for the person’s chapter.`}
                {...form.getInputProps('assigneeId')}
              />
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}
