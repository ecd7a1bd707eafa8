import { t } from '@lingui/core/macro'
import type { ConnectorKey } from '@guildhall/contract/features/integrations'

type SettingWords = { label: string; hint?: string; options?: Readonly<Record<string, string>> }

const topicHint = () => t`The topic that subscriptions stand for here. Without one nobody new is added there.`

const known = (): Partial<Record<ConnectorKey, Readonly<Record<string, SettingWords>>>> => ({
  sheet: {
    address: {
      label: t`Address of the CSV file`,
      hint: t`A link that starts with https:// and answers with CSV, such as “Publish to the web” of Google Sheets.`,
    },
    separator: {
      label: t`Separator`,
      options: { auto: t`Detect`, ',': t`Comma`, ';': t`Semicolon`, tab: t`Tab` },
    },
    idColumn: {
      label: t`Id column`,
      hint: t`The column that stays the same when everything else in a row changes. Without it, rows are matched by their e-mail address.`,
    },
    token: { label: t`Access token`, hint: t`Sent as a Bearer token. Leave empty if the address needs none.` },
  },
  icalendar: {
    address: { label: t`Address of the calendar`, hint: t`A link that starts with https:// and answers with iCalendar (.ics).` },
    publish: { label: t`Publish new events at once`, hint: t`Otherwise they arrive as drafts.` },
  },
  listmonk: {
    address: { label: t`Address of listmonk`, hint: t`For example https://lists.example.org` },
    user: { label: t`API user`, hint: t`Its role needs to get all lists, and to get, manage and query all subscribers.` },
    list: { label: t`List`, hint: t`Its number, UUID or name in listmonk.` },
    topic: { label: t`Topic`, hint: topicHint() },
    token: { label: t`API token` },
  },
  mailchimp: {
    list: { label: t`Audience`, hint: t`Its id or name in Mailchimp.` },
    topic: { label: t`Topic`, hint: topicHint() },
    address: { label: t`Address of the API`, hint: t`Only for a proxy. Leave empty for the one that the API key names.` },
    key: { label: t`API key`, hint: t`It ends with the data centre, such as -us6.` },
  },
  scim: {
    subjectIsExternalId: {
      label: t`Sign-in name is the external id`,
      hint: t`Accounts are bound to the id that the identity provider also signs people in with.`,
    },
  },
  chat: {
    newMember: { label: t`Tell of new members` },
    newGift: { label: t`Tell of new gifts` },
    eventFull: { label: t`Tell when an event is full` },
    showNames: { label: t`Show names`, hint: t`Everyone in the channel can then read who joined or gave.` },
    address: { label: t`Webhook address`, hint: t`Slack and Mattermost call it an incoming webhook. It is kept like a password.` },
  },
  sandbox: {
    people: { label: t`Made-up people` },
    failEvery: { label: t`Fail every nth row`, hint: t`0 for never. For trying out errors and retries.` },
  },
})

/** What a setting or a secret is called; its key where nobody has named it yet. */
export const settingWords = (connector: ConnectorKey, name: string): SettingWords => known()[connector]?.[name] ?? { label: name }
