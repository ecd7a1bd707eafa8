import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import type { ConnectorSetting } from '@guildhall/contract/features/integrations.connectors'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ChapterLink } from '../../../platform/records/record-links.tsx'
import { RecordFact } from '../../../platform/records/record-fact.tsx'
import type { RecordEditor } from '../../../platform/records/record-editor.tsx'
import { Fact, FactList } from '../../../ui/form/fact-list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { promiseOptions, scheduleOptions } from '../connect/connection-fields.tsx'
import { sentSetting, settingFault } from '../connect/connection-values.ts'
import { useTopicOptions } from '../integrations-api.ts'
import type { Connection } from '../integrations-api.ts'
import { connectorWords, isByItself } from '../words/connector-words.ts'
import { settingWords } from '../words/setting-words.ts'
import { promiseText, scheduleText } from '../words/state-words.ts'
import classes from './connection.module.css'
import { OwnerFact } from './owner-fact.tsx'
import { SecretsSection } from './secrets-section.tsx'
import { useConnectionEditor } from './use-connection-editor.ts'
import type { ConnectionEdit } from './use-connection-editor.ts'

const AlertsPanel = lazy(async () => ({ default: (await import('../metrics/alerts-panel.tsx')).AlertsPanel }))
const ScimAccess = lazy(async () => ({ default: (await import('../scim/scim-access.tsx')).ScimAccess }))
const route = getRouteApi('/signed-in/integrations/$integrationId')

/** Everything about a connection that is chosen once; readers see what it is called and when it runs. */
export function SettingsTab({ connection }: { connection: Connection }) {
  const { open } = route.useSearch()
  const editor = useConnectionEditor(connection)
  const may = connection.may.manage && connection.state !== 'disconnected'
  const own = { editor, may }
  const { name, connector, chapter, syncs, everyMinutes, freshHours } = connection
  return (
    <div className={classes['stack']}>
      <Section title={t`General`}>
        <FactList>
          <RecordFact
            {...own}
            label={t`Name`}
            value={name}
            change={(text) => ({ name: text })}
            validate={(text) => (text === '' ? t`Enter a name.` : text.length > 100 ? t`Keep this to 100 characters.` : undefined)}
          />
          <Fact label={t`Connector`}>{connectorWords()[connector].name}</Fact>
          <Fact label={t`Chapter`}>{chapter ? <ChapterLink chapter={chapter} /> : t`Whole organisation`}</Fact>
          <OwnerFact connection={connection} editor={editor} may={may} />
          {syncs && (
            <>
              <RecordFact
                {...own}
                label={t`Schedule`}
                value={everyMinutes === null ? '' : String(everyMinutes)}
                options={withCurrent(scheduleOptions(), everyMinutes, scheduleText)}
                change={(chosen) => ({ everyMinutes: chosen === '' ? null : Number(chosen) })}
              />
              <RecordFact
                {...own}
                label={t`Freshness promise`}
                value={freshHours === null ? '' : String(freshHours)}
                options={withCurrent(promiseOptions(), freshHours, promiseText)}
                change={(chosen) => ({ freshHours: chosen === '' ? null : Number(chosen) })}
                hint={t`The owner is told when the data is older than this.`}
              />
            </>
          )}
        </FactList>
      </Section>
      {may && <ConnectorSettings connection={connection} editor={editor} />}
      {may && <SecretsSection connection={connection} startsOpen={open === 'secret'} />}
      {may && connector === 'scim' && (
        <Suspense fallback={<SkeletonLines count={4} />}>
          <ScimAccess connection={connection} />
        </Suspense>
      )}
      <Suspense fallback={<SkeletonLines count={4} />}>
        <AlertsPanel connection={connection} />
      </Suspense>
      {may && !isByItself(connector) && <Disconnect />}
      {editor.dialog}
    </div>
  )
}

/** A choice that is not among the usual ones stays one. */
const withCurrent = (options: { value: string; label: string }[], value: number | null, text: (value: number) => string) =>
  value === null || options.some((option) => option.value === String(value))
    ? options
    : [...options, { value: String(value), label: text(value) }]

type PartProps = { connection: Connection; editor: RecordEditor<ConnectionEdit> }

function ConnectorSettings({ connection, editor }: PartProps) {
  const { connector } = connection
  const settings = Object.entries(connectors[connector].settings)
  if (settings.length === 0) return null
  return (
    <Section title={connectorWords()[connector].name}>
      <FactList>
        {settings.map(([name, setting]) =>
          name === 'topic' ? (
            <TopicFact key={name} connection={connection} editor={editor} />
          ) : (
            <SettingFact key={name} connection={connection} editor={editor} name={name} setting={setting} />
          ),
        )}
      </FactList>
    </Section>
  )
}

/** Named by its id, or by its name where a program has set it. */
function TopicFact({ connection, editor }: PartProps) {
  const { connector, settings } = connection
  const { label, hint } = settingWords(connector, 'topic')
  const stored = settings['topic'] === undefined ? '' : String(settings['topic'])
  const topics = useTopicOptions()
  const known = topics.some(({ value }) => value === stored)
  return (
    <RecordFact
      editor={editor}
      may
      label={label}
      value={stored}
      options={known ? topics : [...topics, { value: stored, label: stored }]}
      change={(chosen) => {
        const { topic: _former, ...others } = settings
        return { settings: chosen === '' ? others : { ...others, topic: chosen } }
      }}
      hint={hint}
    />
  )
}

function SettingFact({ connection, editor, name, setting }: PartProps & { name: string; setting: ConnectorSetting }) {
  const { connector, settings } = connection
  const { label, hint, options: words } = settingWords(connector, name)
  const stored = settings[name] ?? setting.usual
  const isSwitch = setting.kind === 'switch'
  const options = isSwitch
    ? [
        { value: 'true', label: t`On` },
        { value: 'false', label: t`Off` },
      ]
    : setting.options?.map((value) => ({ value, label: words?.[value] ?? value }))
  const change = (text: string): ConnectionEdit => {
    const value = isSwitch ? text === 'true' : sentSetting(setting, text)
    const { [name]: _former, ...others } = settings
    return { settings: value === undefined ? others : { ...others, [name]: value } }
  }
  return (
    <RecordFact
      editor={editor}
      may
      label={label}
      kind={setting.kind === 'address' ? 'url' : setting.kind === 'number' ? 'number' : undefined}
      value={stored === undefined ? (isSwitch ? 'false' : '') : String(stored)}
      options={options}
      change={change}
      validate={isSwitch || options ? undefined : (text) => settingFault(setting, text)}
      hint={hint}
    />
  )
}

function Disconnect() {
  const navigate = useNavigate()
  return (
    <Section title={t`Disconnect`}>
      <div className={classes['danger']}>
        <p className={classes['dim']}>
          <Trans>Deletes the secrets and ends the schedule. Data that arrived stays.</Trans>
        </p>
        <Button
          variant="outline"
          color="red"
          onClick={() => void navigate({ to: '.', search: (before) => ({ ...before, open: 'disconnect' }) })}
        >
          <Trans>Disconnect</Trans>
        </Button>
      </div>
    </Section>
  )
}
