import { t } from '@lingui/core/macro'
import type { ConnectorKey, NewConnection } from '@guildhall/contract/features/integrations'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import type { ConnectorSetting } from '@guildhall/contract/features/integrations.connectors'
import { noRecord } from '../../../platform/records/record-sources.ts'
import { settingWords } from '../words/setting-words.ts'

/** What the form holds: its own fields, and one for each setting and secret of the connector. */
export type ConnectionValues = Record<string, string | boolean | null>

export const settingField = (name: string) => `setting_${name}`
export const secretField = (name: string) => `secret_${name}`
/** A place in the request as the form calls it. */
export const fieldOf = (path: string) => path.replace(/^settings\./, 'setting_').replace(/^secrets\./, 'secret_')

export function firstValues(connector: ConnectorKey, name: string): ConnectionValues {
  const { settings, secrets, directions } = connectors[connector]
  return {
    name,
    chapterId: noRecord,
    everyMinutes: directions ? '1440' : '',
    freshHours: directions ? '48' : '',
    ...Object.fromEntries(Object.entries(settings).map(([key, setting]) => [settingField(key), usual(setting)])),
    ...Object.fromEntries(Object.keys(secrets).map((key) => [secretField(key), ''])),
  }
}
const usual = ({ kind, usual: value }: ConnectorSetting) => (kind === 'switch' ? value === true : value === undefined ? '' : String(value))

/** What is wrong with one setting, or nothing. */
export function settingFault({ kind, isRequired }: ConnectorSetting, value: string): string | undefined {
  const text = value.trim()
  if (text === '') return isRequired ? t`Fill this in.` : undefined
  if (kind === 'address' && !URL.canParse(text)) return t`Enter a whole address, such as https://example.org/members.csv.`
  if (kind === 'number' && !/^\d{1,9}$/.test(text)) return t`Enter a whole number.`
  return undefined
}

/** Rules for each field of a connector's form. */
export function connectionFaults(connector: ConnectorKey, values: ConnectionValues, everywhere: boolean): Record<string, string> {
  const { settings, secrets, isSingle } = connectors[connector]
  const faults: Record<string, string> = {}
  if (textOf(values['name']) === '') faults['name'] = t`Enter a name.`
  for (const [name, setting] of Object.entries(settings)) {
    const fault = setting.kind === 'switch' ? undefined : settingFault(setting, textOf(values[settingField(name)]))
    if (fault) faults[settingField(name)] = fault
  }
  for (const [name, isRequired] of Object.entries(secrets)) {
    if (isRequired && textOf(values[secretField(name)]) === '')
      faults[secretField(name)] = t`Enter the ${settingWords(connector, name).label}.`
  }
  if (!everywhere && !isSingle && textOf(values['chapterId']) === '') faults['chapterId'] = t`Choose a chapter.`
  return faults
}

export const textOf = (value: string | boolean | null | undefined) => (typeof value === 'string' ? value.trim() : '')

/** A setting as it is sent: nothing where it was left empty. */
export const sentSetting = ({ kind }: ConnectorSetting, value: string | boolean | null | undefined) =>
  kind === 'switch' ? value === true : textOf(value) === '' ? undefined : kind === 'number' ? Number(value) : textOf(value)

export function sentConnection(connector: ConnectorKey, values: ConnectionValues): NewConnection {
  const { settings, secrets } = connectors[connector]
  const minutes = textOf(values['everyMinutes'])
  const hours = textOf(values['freshHours'])
  return {
    connector,
    name: textOf(values['name']),
    chapterId: textOf(values['chapterId']) || null,
    settings: Object.fromEntries(
      Object.entries(settings).flatMap(([name, setting]) => {
        const value = sentSetting(setting, values[settingField(name)])
        return value === undefined ? [] : [[name, value]]
      }),
    ),
    secrets: Object.fromEntries(
      Object.keys(secrets).flatMap((name) => {
        const secret = textOf(values[secretField(name)])
        return secret ? [[name, secret]] : []
      }),
    ),
    everyMinutes: minutes ? Number(minutes) : null,
    freshHours: hours ? Number(hours) : null,
  }
}
