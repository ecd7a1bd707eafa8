import { NativeSelect, Switch, TextInput } from '@mantine/core'
import type { NativeSelectProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { t } from '@lingui/core/macro'
import type { ConnectorKey } from '@guildhall/contract/features/integrations'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import type { ReactNode } from 'react'
import { ChapterPicker } from '../../../platform/records/record-pickers.tsx'
import { useHoldsEverywhere } from '../../../platform/session/session.ts'
import { Optional } from '../../../ui/form/record-form.tsx'
import { useTopicOptions } from '../integrations-api.ts'
import { settingWords } from '../words/setting-words.ts'
import { promiseChoices, promiseText, scheduleChoices, scheduleText } from '../words/state-words.ts'
import { secretField, settingField } from './connection-values.ts'
import type { ConnectionValues } from './connection-values.ts'

export const scheduleOptions = () => [
  { value: '', label: scheduleText(null) },
  ...scheduleChoices.map((minutes) => ({ value: String(minutes), label: scheduleText(minutes) })),
]
export const promiseOptions = () => [
  { value: '', label: promiseText(null) },
  ...promiseChoices.map((hours) => ({ value: String(hours), label: promiseText(hours) })),
]

/** Name, settings, secrets, chapter and schedule of a new connection, as its connector asks for them. */
export function ConnectionFields({ connector, form }: { connector: ConnectorKey; form: UseFormReturnType<ConnectionValues> }) {
  const { settings, secrets, directions, isSingle } = connectors[connector]
  const everywhere = useHoldsEverywhere('integrations.manage')
  const labelled = (name: string, isRequired: boolean) => {
    const { label } = settingWords(connector, name)
    return isRequired ? label : <Optional>{label}</Optional>
  }
  return (
    <>
      <TextInput
        label={t`Name`}
        description={t`How the connection is called here.`}
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
      {Object.entries(settings).map(([name, { kind, isRequired, options = [] }]) => {
        const key = settingField(name)
        const { label, hint, options: words } = settingWords(connector, name)
        if (kind === 'switch') {
          return <Switch key={key} label={label} description={hint} {...form.getInputProps(key, { type: 'checkbox' })} />
        }
        if (name === 'topic') return <TopicField key={key} label={labelled(name, isRequired)} hint={hint} {...form.getInputProps(key)} />
        if (kind === 'choice') {
          return (
            <NativeSelect
              key={key}
              label={label}
              description={hint}
              data={options.map((value) => ({ value, label: words?.[value] ?? value }))}
              {...form.getInputProps(key)}
            />
          )
        }
        return (
          <TextInput
            key={key}
            type={kind === 'address' ? 'url' : 'text'}
            inputMode={kind === 'number' ? 'numeric' : undefined}
            label={labelled(name, isRequired)}
            description={hint}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps(key)}
          />
        )
      })}
      {Object.entries(secrets).map(([name, isRequired]) => (
        <TextInput
          key={name}
          type="password"
          autoComplete="new-password"
          label={labelled(name, isRequired)}
          description={settingWords(connector, name).hint ?? t`Kept encrypted. Nobody can read it here again.`}
          {...form.getInputProps(secretField(name))}
        />
      ))}
      {!isSingle && (
        <ChapterPicker
          label={everywhere ? <Optional>{t`Chapter`}</Optional> : t`Chapter`}
          description={everywhere ? t`Leave empty for the whole organisation` : t`One of the chapters that you look after`}
          {...form.getInputProps('chapterId')}
        />
      )}
      {directions && (
        <>
          <NativeSelect label={t`Schedule`} data={scheduleOptions()} {...form.getInputProps('everyMinutes')} />
          <NativeSelect
            label={t`Freshness promise`}
            description={t`The owner is told when the data is older than this.`}
            data={promiseOptions()}
            {...form.getInputProps('freshHours')}
          />
        </>
      )}
    </>
  )
}

type TopicFieldProps = { label: ReactNode; hint: string | undefined } & Pick<NativeSelectProps, 'value' | 'onChange' | 'error'>

/** A topic of the organisation or of a chapter, as a mailing list on the other side stands for it. */
function TopicField({ label, hint, ...input }: TopicFieldProps) {
  return <NativeSelect label={label} description={hint} data={useTopicOptions()} {...input} />
}
