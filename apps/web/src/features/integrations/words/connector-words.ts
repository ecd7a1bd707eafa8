import { t } from '@lingui/core/macro'
import type { ConnectorCategory, ConnectorKey } from '@guildhall/contract/features/integrations'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import type { ConnectorData } from '@guildhall/contract/features/integrations.connectors'

type ConnectorWords = {
  name: string
  /** One line in the catalogue. */
  purpose: string
  /** What the other side is called in a sentence: "Listmonk", "the sheet". */
  side: string
}

const isConnector = (key: string): key is ConnectorKey => Object.hasOwn(connectors, key)
/** In the order of the catalogue. */
export const connectorKeys: readonly ConnectorKey[] = Object.keys(connectors).filter(isConnector)
export const asConnector = (key: string | undefined) => connectorKeys.find((known) => known === key)

/** Connected by the settings of the installation; nobody connects, pauses or disconnects them here. */
export const isByItself = (connector: ConnectorKey) => connector === 'stripe' || connector === 'smtp'

export const connectorWords = (): Record<ConnectorKey, ConnectorWords> => ({
  sheet: {
    name: t`Sheet by address`,
    purpose: t`Members from a CSV file that another service publishes: Google Sheets, Airtable, Nextcloud`,
    side: t`the sheet`,
  },
  icalendar: {
    name: t`iCalendar by address`,
    purpose: t`Events from a calendar that another service publishes`,
    side: t`the calendar`,
  },
  listmonk: { name: 'listmonk', purpose: t`Subscribers of a mailing list, and what they unsubscribe from`, side: 'listmonk' },
  mailchimp: { name: 'Mailchimp', purpose: t`Contacts of an audience, their tags, and what they unsubscribe from`, side: 'Mailchimp' },
  stripe: {
    name: 'Stripe',
    purpose: t`Figures of card payments: volume, success rate, refunds, disputes, fees and payouts`,
    side: 'Stripe',
  },
  smtp: { name: t`SMTP sender`, purpose: t`Figures of outgoing e-mail: sent, delivered, bounced and opened`, side: t`the mail server` },
  scim: {
    name: 'SCIM 2.0',
    purpose: t`An identity provider creates, changes and suspends accounts`,
    side: t`the identity provider`,
  },
  chat: { name: t`Chat channel`, purpose: t`Posts in Slack or Mattermost about new members, gifts and full events`, side: t`the channel` },
  sandbox: { name: t`Sandbox`, purpose: t`Made-up people for trying out mapping and runs without another system`, side: t`the sandbox` },
})

export const categoryWords = (): Record<ConnectorCategory, string> => ({
  email: t`E-mail`,
  payments: t`Payments`,
  calendar: t`Calendar`,
  crm: t`People`,
  identity: t`Identity`,
  chat: t`Chat`,
})
const isCategory = (key: string): key is ConnectorCategory => Object.values(connectors).some(({ category }) => category === key)
/** In the order of the catalogue. */
export const categories: readonly ConnectorCategory[] = ['crm', 'email', 'payments', 'calendar', 'identity', 'chat']
export const asCategory = (key: string | undefined) => (key !== undefined && isCategory(key) ? key : undefined)

/** Kinds of data on the consent page. */
export const dataWords = (): Record<ConnectorData, string> => ({
  names: t`Names`,
  contact: t`Contact data: e-mail, telephone, address`,
  membership: t`Membership: status, member number, date of birth`,
  tags: t`Tags`,
  consent: t`Subscriptions and unsubscriptions`,
  events: t`Events: title, description, place, times`,
  payments: t`Card payments, refunds and disputes`,
  'mail-figures': t`Figures of sent mail: delivered, opened, bounced`,
  accounts: t`Accounts: name, e-mail, whether active`,
  notices: t`Notices of what happens here`,
})
