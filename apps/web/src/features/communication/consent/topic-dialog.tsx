import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Topic } from '@guildhall/contract/features/communication.topics'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ChapterPicker } from '../../../platform/records/record-pickers.tsx'
import { noRecord } from '../../../platform/records/record-sources.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useConsentsChanged } from './consent-api.ts'
import classes from './consent.module.css'

type Values = { name: string; description: string; chapterId: string | null; reaches: 'essential' | 'in' | 'out'; confirm: boolean }

const valuesOf = (topic: Topic | null): Values => ({
  name: topic?.name ?? '',
  description: topic?.description ?? '',
  chapterId: topic?.chapter?.id ?? noRecord,
  reaches: topic ? (topic.kind === 'essential' ? 'essential' : topic.defaultOpt) : 'out',
  confirm: topic?.confirm ?? false,
})

type TopicDialogProps = { edited: Topic | 'new' | null; mayReachAll: boolean; onClose: () => void }

/** A new topic, or another name and description of one: whom it reaches is chosen once. */
export function TopicDialog({ edited, mayReachAll, onClose }: TopicDialogProps) {
  const { topics } = useApi().data.communication
  const changed = useConsentsChanged()
  const topic = edited === 'new' ? null : edited
  return (
    <FormDialog<Values, Topic>
      opened={edited !== null}
      onClose={onClose}
      title={topic ? t`Change topic` : t`New topic`}
      version={topic?.version}
      rules={{
        name: (name) => (name.trim() === '' ? t`Enter a name.` : null),
        chapterId: (chapterId) => (!topic && !mayReachAll && chapterId === noRecord ? t`Choose a chapter.` : null),
      }}
      values={valuesOf(topic)}
      fieldOf={(path) => (path === 'kind' || path === 'defaultOpt' ? 'reaches' : path)}
      submitLabel={topic ? <Trans>Save topic</Trans> : <Trans>Create topic</Trans>}
      onSubmit={async ({ name, description, chapterId, reaches, confirm }, sent) => {
        const saved = topic
          ? await topics.update.call({ topicId: topic.id, name, description, ...(topic.defaultOpt === 'out' && { confirm }) }, sent)
          : await topics.create.call({
              name,
              description,
              chapterId,
              kind: reaches === 'essential' ? 'essential' : 'marketing',
              defaultOpt: reaches === 'out' ? 'out' : 'in',
              confirm: reaches === 'out' && confirm,
            })
        await changed()
        toast.success(topic ? t`“${saved.name}” changed` : t`“${saved.name}” created`)
        return saved
      }}
    >
      {(form) => (
        <div className={classes['stack']}>
          <TextInput label={t`Name`} autoFocus data-autofocus maxLength={80} {...form.getInputProps('name')} />
          <Textarea
            label={t`Description`}
            description={t`What people get when they subscribe, and how often.`}
            maxLength={300}
            autosize
            minRows={2}
            {...form.getInputProps('description')}
          />
          {!topic && (
            <>
              <ChapterPicker
                label={t`Chapter`}
                description={mayReachAll ? t`Leave empty for a topic of the whole organisation.` : undefined}
                {...form.getInputProps('chapterId')}
              />
              <NativeSelect
                label={t`Who gets it`}
                description={t`This cannot be changed later: it would subscribe people who did not ask.`}
                data={[
                  { value: 'out', label: t`People who subscribe` },
                  { value: 'in', label: t`Everybody who has not unsubscribed` },
                  { value: 'essential', label: t`Essential: everybody, nobody can unsubscribe` },
                ]}
                {...form.getInputProps('reaches')}
              />
            </>
          )}
          {form.values.reaches === 'out' && (
            <Checkbox
              label={t`Ask for confirmation by mail`}
              description={t`A subscription counts once the person has opened the link of a mail and confirmed it.`}
              {...form.getInputProps('confirm', { type: 'checkbox' })}
            />
          )}
        </div>
      )}
    </FormDialog>
  )
}
