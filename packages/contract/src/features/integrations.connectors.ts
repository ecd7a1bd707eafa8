import type { ConnectorCategory, ConnectorKey, SyncDirection } from './integrations.ts'
import type { MetricType } from './integrations.metrics.ts'

/** What a connector asks for when somebody connects it. An `address` is asked only through the guarded way out; of a `choice` there are options. */
export type ConnectorSetting = {
  kind: 'address' | 'text' | 'number' | 'switch' | 'choice'
  isRequired: boolean
  options?: readonly string[]
  /** The value of a switch, a number or a choice that nobody changed. */
  usual?: string | number | boolean
}
/** Kinds of data that go in a direction, as codes; the consent page has the words. */
export type ConnectorData =
  'names' | 'contact' | 'membership' | 'tags' | 'consent' | 'events' | 'payments' | 'mail-figures' | 'accounts' | 'notices'

export type Connector = {
  category: ConnectorCategory
  /** Directions in which it can run; null: it has no runs and only hands on, or shows, what happens here. */
  directions: readonly SyncDirection[] | null
  /** The records it ties to ours. */
  record: 'person' | 'event' | 'account' | null
  settings: Readonly<Record<string, ConnectorSetting>>
  /** Written, never read; true where it cannot work without. */
  secrets: Readonly<Record<string, boolean>>
  /** Keys of our fields that can be mapped, custom fields of people (`field:<key>`) beside them where `takesFields`. */
  fields: readonly string[]
  takesFields: boolean
  /** Fields by which a record is matched the first time, the usual one first. */
  matchBy: readonly string[]
  reads: readonly ConnectorData[]
  writes: readonly ConnectorData[]
  metrics: readonly MetricType[]
  /** The organisation has one at most. */
  isSingle: boolean
}

const runMetrics = ['sync-runs', 'records', 'errors', 'latency', 'freshness', 'quota'] as const
const mailFigures = ['sent', 'delivered', 'opens', 'clicks', 'bounces', 'complaints', 'unsubscribes'] as const
const personFields = [
  ...['givenName', 'familyName', 'preferredName', 'primaryEmail', 'primaryPhone', 'memberNo', 'externalId', 'birthDate'],
  ...['street', 'postalCode', 'city', 'country', 'lifecycle', 'tags'],
] as const
const audienceFields = [
  'fullName',
  'givenName',
  'familyName',
  'primaryEmail',
  'memberNo',
  'city',
  'country',
  'lifecycle',
  'tags',
  'subscribed',
] as const

/** Everything about the connectors that come with the product. */
export const connectors: Readonly<Record<ConnectorKey, Connector>> = {
  sheet: {
    category: 'crm',
    directions: ['in'],
    record: 'person',
    settings: {
      address: { kind: 'address', isRequired: true },
      separator: { kind: 'choice', isRequired: false, options: ['auto', ',', ';', 'tab'], usual: 'auto' },
      idColumn: { kind: 'text', isRequired: false },
    },
    secrets: { token: false },
    fields: personFields,
    takesFields: true,
    matchBy: ['primaryEmail', 'memberNo', 'externalId'],
    reads: ['names', 'contact', 'membership', 'tags'],
    writes: [],
    metrics: runMetrics,
    isSingle: false,
  },
  icalendar: {
    category: 'calendar',
    directions: ['in'],
    record: 'event',
    settings: {
      address: { kind: 'address', isRequired: true },
      publish: { kind: 'switch', isRequired: false, usual: false },
    },
    secrets: {},
    fields: ['title', 'description', 'place', 'startsAt', 'endsAt', 'status'],
    takesFields: false,
    matchBy: [],
    reads: ['events'],
    writes: [],
    metrics: [...runMetrics, 'synced', 'conflicts'],
    isSingle: false,
  },
  listmonk: {
    category: 'email',
    directions: ['out', 'in', 'both'],
    record: 'person',
    settings: {
      address: { kind: 'address', isRequired: true },
      user: { kind: 'text', isRequired: true },
      list: { kind: 'text', isRequired: true },
      topic: { kind: 'text', isRequired: false },
    },
    secrets: { token: true },
    fields: audienceFields,
    takesFields: true,
    matchBy: ['primaryEmail'],
    reads: ['names', 'contact', 'tags', 'consent'],
    writes: ['names', 'contact', 'membership', 'tags', 'consent'],
    metrics: [...runMetrics, 'unsubscribes'],
    isSingle: false,
  },
  mailchimp: {
    category: 'email',
    directions: ['out', 'in', 'both'],
    record: 'person',
    settings: {
      list: { kind: 'text', isRequired: true },
      topic: { kind: 'text', isRequired: false },
      address: { kind: 'address', isRequired: false },
    },
    secrets: { key: true },
    fields: audienceFields,
    takesFields: true,
    matchBy: ['primaryEmail'],
    reads: ['names', 'contact', 'tags', 'consent'],
    writes: ['names', 'contact', 'membership', 'tags', 'consent'],
    metrics: [...runMetrics, 'unsubscribes'],
    isSingle: false,
  },
  stripe: {
    category: 'payments',
    directions: null,
    record: null,
    settings: {},
    secrets: {},
    fields: [],
    takesFields: false,
    matchBy: [],
    reads: ['payments'],
    writes: ['payments'],
    metrics: ['volume', 'success-rate', 'refunds', 'disputes', 'fees', 'payouts', 'errors'],
    isSingle: true,
  },
  smtp: {
    category: 'email',
    directions: null,
    record: null,
    settings: {},
    secrets: {},
    fields: [],
    takesFields: false,
    matchBy: [],
    reads: ['mail-figures'],
    writes: ['contact', 'notices'],
    metrics: [...mailFigures, 'errors'],
    isSingle: true,
  },
  scim: {
    category: 'identity',
    directions: null,
    record: 'account',
    settings: { subjectIsExternalId: { kind: 'switch', isRequired: false, usual: true } },
    secrets: {},
    fields: [],
    takesFields: false,
    matchBy: [],
    reads: ['accounts'],
    writes: ['accounts'],
    metrics: ['records', 'errors', 'latency', 'freshness'],
    isSingle: true,
  },
  chat: {
    category: 'chat',
    directions: null,
    record: null,
    settings: {
      newMember: { kind: 'switch', isRequired: false, usual: true },
      newGift: { kind: 'switch', isRequired: false, usual: true },
      eventFull: { kind: 'switch', isRequired: false, usual: true },
      showNames: { kind: 'switch', isRequired: false, usual: false },
    },
    secrets: { address: true },
    fields: [],
    takesFields: false,
    matchBy: [],
    reads: [],
    writes: ['notices'],
    metrics: ['deliveries', 'failures', 'latency'],
    isSingle: false,
  },
  sandbox: {
    category: 'crm',
    directions: ['both', 'in', 'out'],
    record: 'person',
    settings: {
      people: { kind: 'number', isRequired: false, usual: 20 },
      failEvery: { kind: 'number', isRequired: false, usual: 0 },
    },
    secrets: {},
    fields: personFields,
    takesFields: true,
    matchBy: ['primaryEmail', 'memberNo'],
    reads: ['names', 'contact', 'tags'],
    writes: ['names', 'contact', 'tags'],
    metrics: runMetrics,
    isSingle: false,
  },
}
