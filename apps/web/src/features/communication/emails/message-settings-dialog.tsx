import { NumberInput, Switch, TextInput } from '@mantine/core'
import { CommunicationSettingsChange } from '@guildhall/contract/features/communication.messages'
import type { CommunicationSettings } from '@guildhall/contract/features/communication.messages'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { formRules } from '../../../platform/api/form-rules.ts'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { FormInPlace } from '../../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import classes from './emails.module.css'

/** How the organisation sends: who approves, how often, from whom, what is counted. */
export function MessageSettingsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title={t`Settings of e-mails`}>
      {opened && <Body onClose={onClose} />}
    </Dialog>
  )
}

function Body({ onClose }: { onClose: () => void }) {
  const { messages } = useApi().data.communication
  const settings = useQuery(messages.settings.queryOptions())
  if (settings.isPending)
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  if (settings.isError)
    return <ProblemState problem={settings.error} title={t`The settings could not be loaded`} retry={() => void settings.refetch()} />
  return settings.data.mayEdit ? <Form settings={settings.data} onClose={onClose} /> : <Facts settings={settings.data} />
}

function Facts({
  settings: { reviewAbove, mostPerWeek, countsClicks, countsOpens, quietFrom, quietUntil },
}: {
  settings: CommunicationSettings
}) {
  return (
    <ul className={classes['rows']}>
      <li>{t`A second person approves messages to more than ${reviewAbove} people.`}</li>
      <li>
        {mostPerWeek === null
          ? t`There is no limit of messages to one person.`
          : t`One person gets ${mostPerWeek} messages a week at most.`}
      </li>
      <li>{countsClicks ? t`Clicks are counted.` : t`Clicks are not counted.`}</li>
      <li>{countsOpens ? t`Opened mails are counted.` : t`Opened mails are not counted.`}</li>
      {quietFrom && quietUntil && <li>{t`Nothing but essential messages leaves from ${quietFrom} to ${quietUntil}.`}</li>}
      <li className={classes['dim']}>{t`People who look after communication of the whole organisation can change this.`}</li>
    </ul>
  )
}

function Form({ settings, onClose }: { settings: CommunicationSettings; onClose: () => void }) {
  const { messages } = useApi().data.communication
  const client = useQueryClient()
  const { reviewAbove, mostPerWeek, fromName, replyTo, countsClicks, countsOpens, quietFrom, quietUntil, version } = settings
  return (
    <FormInPlace
      onClose={onClose}
      values={{ reviewAbove, mostPerWeek, fromName, replyTo, countsClicks, countsOpens, quietFrom, quietUntil }}
      rules={formRules(CommunicationSettingsChange)}
      version={version}
      submitLabel={<Trans>Save</Trans>}
      onSubmit={async (values, sent) => {
        client.setQueryData(messages.settings.queryKey(), await messages.updateSettings.call(values, sent))
        toast.success(t`Settings saved`)
      }}
    >
      {(form) => {
        const text = (field: 'replyTo' | 'quietFrom' | 'quietUntil') => ({
          value: form.values[field] ?? '',
          error: form.errors[field],
          onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
            form.setFieldValue(field, value.trim() === '' ? null : value.trim()),
        })
        return (
          <>
            <NumberInput
              label={t`A second person approves messages to more than so many people`}
              min={1}
              max={1_000_000}
              allowDecimal={false}
              {...form.getInputProps('reviewAbove')}
            />
            <NumberInput
              label={<Optional>{t`Messages to one person in seven days, at most`}</Optional>}
              description={t`From all chapters together; essential messages do not count`}
              min={1}
              max={50}
              allowDecimal={false}
              value={form.values.mostPerWeek ?? ''}
              error={form.errors['mostPerWeek']}
              onChange={(most) => form.setFieldValue('mostPerWeek', typeof most === 'number' ? most : null)}
            />
            <TextInput label={<Optional>{t`From`}</Optional>} maxLength={100} {...form.getInputProps('fromName')} />
            <TextInput label={<Optional>{t`Answers go to`}</Optional>} type="email" {...text('replyTo')} />
            <TextInput
              label={<Optional>{t`Quiet from`}</Optional>}
              description={t`By the organisation’s clock, such as 21:00: only essential messages leave`}
              {...text('quietFrom')}
            />
            <TextInput label={<Optional>{t`Quiet until`}</Optional>} description={t`Such as 07:00`} {...text('quietUntil')} />
            <Switch
              label={t`Count clicks`}
              description={t`Links lead through this site, which counts who follows them`}
              {...form.getInputProps('countsClicks', { type: 'checkbox' })}
            />
            <Switch
              label={t`Count opened mails`}
              description={t`By an invisible picture. Many programs block it or load it by themselves, so this is an indication only`}
              {...form.getInputProps('countsOpens', { type: 'checkbox' })}
            />
          </>
        )
      }}
    </FormInPlace>
  )
}
