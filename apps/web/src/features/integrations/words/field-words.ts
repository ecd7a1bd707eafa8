import { t } from '@lingui/core/macro'
import type { ConnectionMapping, MappingRule, SyncDirection } from '@guildhall/contract/features/integrations'

const known = (): Readonly<Record<string, string>> => ({
  givenName: t`Given name`,
  familyName: t`Family name`,
  preferredName: t`Preferred name`,
  fullName: t`Full name`,
  primaryEmail: t`E-mail`,
  primaryPhone: t`Telephone`,
  memberNo: t`Member number`,
  externalId: t`External id`,
  birthDate: t`Date of birth`,
  street: t`Street`,
  postalCode: t`Postal code`,
  city: t`City`,
  country: t`Country`,
  lifecycle: t`Status`,
  tags: t`Tags`,
  subscribed: t`Subscribed`,
  title: t`Title`,
  description: t`Description`,
  place: t`Place`,
  startsAt: t`Starts`,
  endsAt: t`Ends`,
  status: t`Status`,
})

/** One of our fields by its key; what has no word here, such as a custom field, is called as it was named. */
export const ourFieldName = (key: string, label?: string | null) => label ?? known()[key] ?? key.replace(/^field:/, '')
export const theirFieldName = ({ key, label }: Pick<ConnectionMapping['theirs'][number], 'key' | 'label'>) => label ?? key

export const directionWords = (): Record<SyncDirection, string> => ({ in: t`Incoming`, out: t`Outgoing`, both: t`Both ways` })

export const ruleWords = (): Record<MappingRule, { label: string; meaning: string }> => ({
  automatic: { label: t`Automatic`, meaning: t`Changes are written at once.` },
  review: { label: t`Review`, meaning: t`Changes wait until somebody accepts them.` },
  never: { label: t`Never`, meaning: t`The field is left alone.` },
})
