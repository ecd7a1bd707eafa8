import { t } from '@lingui/core/macro'
import type { HistoryEntry } from '../people-api.ts'

/** What a history entry is about; the keys are what the server calls it. */
export const entityWords = (): Record<string, string> => ({
  people: t`Facts`,
  person_emails: t`E-mail address`,
  person_phones: t`Telephone number`,
  person_contacts: t`Address and links`,
  person_private: t`Private data`,
  person_office_notes: t`Office note`,
  person_tags: t`Tag`,
  affiliations: t`Chapter membership`,
  position_holders: t`Office`,
  group_members: t`Group membership`,
  accounts: t`Account`,
  grants: t`Rights`,
})

/** "Chapter membership added: Bern" */
export function entryTitle({ entity, action, subject, changes }: HistoryEntry): string {
  const what = entityWords()[entity] ?? entity
  const name = subject ?? ''
  if (entity === 'people' && action === 'create') return t`Person entered`
  if (action === 'create') return name ? t`${what} added: ${name}` : t`${what} added`
  if (action === 'delete') return name ? t`${what} removed: ${name}` : t`${what} removed`
  if (entity === 'people') {
    const archived = changes.find(({ field }) => camel(field) === 'archivedAt')
    if (archived) return archived.after === null ? t`Person restored` : t`Person archived`
    return t`Facts changed`
  }
  return name ? t`${what} changed: ${name}` : t`${what} changed`
}

/** What work the change came through, when it was not a person at a form. */
export function viaText(via: string | null): string | undefined {
  if (!via) return undefined
  if (via.startsWith('import')) return t`by an import`
  if (via.startsWith('bulk')) return t`together with others`
  if (via.startsWith('undo')) return t`by an undo`
  return via
}

export const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

export function fieldWord(field: string): string {
  const known: Record<string, string> = {
    givenName: t`Given name`,
    middleName: t`Middle name`,
    familyName: t`Family name`,
    suffix: t`Suffix`,
    preferredName: t`Called`,
    formerNames: t`Former names`,
    pronouns: t`Pronouns`,
    lifecycle: t`Status`,
    memberNo: t`Member number`,
    joinedOn: t`Joined`,
    gradYear: t`Graduation year`,
    jobTitle: t`Job title`,
    employer: t`Employer`,
    language: t`Language`,
    doNotContact: t`Do not contact`,
    bio: t`About`,
    archivedAt: t`Archived`,
    address: t`Address`,
    number: t`Number`,
    label: t`Label`,
    isPrimary: t`Primary`,
    visibleTo: t`Who sees it`,
    street: t`Street`,
    postalCode: t`Postal code`,
    city: t`City`,
    region: t`Region`,
    country: t`Country`,
    website: t`Website`,
    links: t`Links`,
    birthDate: t`Born`,
    gender: t`Gender`,
    deceasedOn: t`Died`,
    note: t`Note`,
    kind: t`Kind`,
    startsOn: t`From`,
    endsOn: t`Until`,
    role: t`Role`,
    title: t`Title`,
    side: t`Side`,
    rank: t`Rank`,
    status: t`Status`,
    custom: t`Other fields`,
    name: t`Name`,
    code: t`Code`,
    level: t`Level`,
    about: t`About`,
    description: t`About`,
    timezone: t`Time zone`,
    charteredOn: t`Founded`,
    closedOn: t`Closed`,
    contactEmail: t`Contact e-mail`,
    termMonths: t`Months of a term`,
    maxHolders: t`Holders at most`,
    mandatory: t`Must be filled`,
    memberOnly: t`Members only`,
    visibility: t`Who sees it`,
    joinPolicy: t`How people join`,
    capacity: t`Places`,
    phone: t`Telephone`,
    color: t`Colour`,
    currency: t`Currency`,
    locale: t`Language`,
    directoryReach: t`Who sees the directory`,
    majorityAge: t`Age of majority`,
    publicChapters: t`Chapters on the contact page`,
    reason: t`Reason`,
    idpRoles: t`Roles at the identity provider`,
    lastLoginAt: t`Last sign-in`,
    tokensValidAfter: t`Signed out everywhere`,
    accessMessage: t`Message`,
    scopeKind: t`Where it holds`,
    email: t`E-mail`,
    emailVerified: t`E-mail verified`,
    issuer: t`Identity provider`,
    subject: t`Name at the provider`,
  }
  return (
    known[camel(field)] ??
    camel(field)
      .replace(/([A-Z])/g, ' $1')
      .toLowerCase()
  )
}
