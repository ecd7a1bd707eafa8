import type { ConnectorKey } from '@guildhall/contract/features/integrations'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import type { Connector, ConnectorSetting } from '@guildhall/contract/features/integrations.connectors'
import type { AnyReason, FieldFault } from '@guildhall/contract/reasons'
import { addressFaults, readAddress } from '../../../platform/outgoing/address-rules.ts'
import { problem } from '../../../platform/procedures/problem.ts'

export type Settings = Readonly<Record<string, string | number | boolean>>
type Allowed = ReadonlySet<string>

const said: Partial<Record<AnyReason, string>> = {
  setting_unknown: 'This connector has no such setting.',
  setting_needed: 'It cannot work without this.',
  setting_kind: 'This setting takes another kind of value.',
  setting_choice: 'Choose one of the values that there are.',
  ...addressFaults,
}

/** Calendars are often given out as webcal, which is https under another name. */
const asHttps = (value: string) => value.replace(/^webcals?:\/\//i, 'https://')

function faultOf({ kind, options }: ConnectorSetting, value: unknown, allowed: Allowed): AnyReason | null {
  if (kind === 'switch') return typeof value === 'boolean' ? null : 'setting_kind'
  if (kind === 'number') return typeof value === 'number' && value >= 0 && value <= 1_000_000 ? null : 'setting_kind'
  if (typeof value !== 'string') return 'setting_kind'
  if (kind === 'choice') return options?.includes(value) ? null : 'setting_choice'
  if (kind === 'text') return value.length <= 500 ? null : 'setting_kind'
  const address = readAddress(asHttps(value), allowed)
  return typeof address === 'string' ? address : null
}

const isEmpty = (value: unknown) => value === undefined || (typeof value === 'string' && value.trim() === '')

/** Every fault of what somebody typed at once; what is right is left out. `kept` are secrets that are there already. */
function faultsOf(
  connector: Connector,
  settings: Settings | undefined,
  secrets: Settings | undefined,
  kept: ReadonlySet<string>,
  allowed: Allowed,
) {
  const faults: FieldFault[] = []
  const refuse = (path: string, code: AnyReason) => faults.push({ path, code, message: said[code] ?? 'Check this value.' })
  if (settings) {
    for (const [name, value] of Object.entries(settings)) {
      const known = Object.hasOwn(connector.settings, name) ? connector.settings[name] : undefined
      const code = known ? (isEmpty(value) ? null : faultOf(known, value, allowed)) : 'setting_unknown'
      if (code) refuse(`settings.${name}`, code)
    }
    for (const [name, { isRequired }] of Object.entries(connector.settings))
      if (isRequired && isEmpty(settings[name])) refuse(`settings.${name}`, 'setting_needed')
  }
  if (secrets) {
    for (const [name, value] of Object.entries(secrets)) {
      const code = Object.hasOwn(connector.secrets, name)
        ? name === 'address'
          ? faultOf({ kind: 'address', isRequired: true }, value, allowed)
          : null
        : 'setting_unknown'
      if (code) refuse(`secrets.${name}`, code)
    }
    for (const [name, isRequired] of Object.entries(connector.secrets))
      if (isRequired && !kept.has(name) && isEmpty(secrets[name])) refuse(`secrets.${name}`, 'setting_needed')
  }
  return faults
}

type Typed = { settings?: Settings | undefined; secrets?: Settings | undefined; kept?: readonly string[] }

/** Refuses what the connector does not take, and gives settings back as they are kept: without those that are empty. */
export function checkedSettings(
  key: ConnectorKey,
  { settings, secrets, kept = [] }: Typed,
  allowed: readonly string[],
): Settings | undefined {
  const errors = faultsOf(connectors[key], settings, secrets, new Set(kept), new Set(allowed))
  const [first] = errors
  if (first) throw problem('UNPROCESSABLE_CONTENT', { reason: first.code, detail: `${first.path}: ${first.message}`, errors })
  if (!settings) return undefined
  const filled = Object.entries(settings).filter(([, value]) => !isEmpty(value))
  return Object.fromEntries(filled.map(([name, value]) => [name, trimmed(connectors[key].settings[name], value)]))
}

const trimmed = (setting: ConnectorSetting | undefined, value: string | number | boolean) =>
  typeof value === 'string' ? (setting?.kind === 'address' ? asHttps(value.trim()) : value.trim()) : value

/** With the values of what nobody changed. */
export function withUsual(key: ConnectorKey, settings: Settings): Settings {
  const usual = Object.entries(connectors[key].settings).flatMap(([name, setting]) =>
    setting.usual === undefined ? [] : [[name, setting.usual] as const],
  )
  return { ...Object.fromEntries(usual), ...settings }
}

/** Whether another host is asked than before. Secrets were given for that one: nobody has them sent elsewhere who could not read them here. */
export function isElsewhere(key: ConnectorKey, before: Settings, after: Settings): boolean {
  const hostOf = (value: unknown) => (typeof value === 'string' ? (URL.parse(asHttps(value))?.host ?? value) : null)
  return Object.entries(connectors[key].settings).some(
    ([name, { kind }]) => kind === 'address' && hostOf(before[name]) !== hostOf(after[name]),
  )
}
