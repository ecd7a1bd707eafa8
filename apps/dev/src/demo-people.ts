export type DemoPerson = {
  /** Subject at the development provider, and the part of the e-mail address before the @. */
  sub: string
  givenName: string
  familyName: string
  /** What this person may see and do, for the one who chooses whom to sign in as. */
  about: string
  /** Roles granted at the provider; all other rights come from the database. */
  roles: readonly string[]
}

export const demoPassword = 'guildhall'
export const demoDomain = 'demo.example'
export const emailOf = ({ sub }: Pick<DemoPerson, 'sub'>): string => `${sub}@${demoDomain}`
export const nameOf = ({ givenName, familyName }: Pick<DemoPerson, 'givenName' | 'familyName'>): string => `${givenName} ${familyName}`

export const demoPeople: readonly DemoPerson[] = [
  {
    sub: 'owner',
    givenName: 'Olivia',
    familyName: 'Brandt',
    about: 'Owner: everything, settings and roles included',
    roles: ['org-owner'],
  },
  {
    sub: 'secretary',
    givenName: 'Samuel',
    familyName: 'Okafor',
    about: 'Membership secretary: all people, chapters and groups',
    roles: ['org-admin'],
  },
  { sub: 'chapter', givenName: 'Clara', familyName: 'Lindqvist', about: 'Chapter president: one chapter and those below it', roles: [] },
  { sub: 'finance', givenName: 'Farid', familyName: 'Haddad', about: 'Treasurer: gifts, dues and receipts', roles: [] },
  { sub: 'comms', givenName: 'Carmen', familyName: 'Ortega', about: 'Communications: messages and audiences', roles: [] },
  { sub: 'events', givenName: 'Emil', familyName: 'Novak', about: 'Event manager: events and registrations', roles: [] },
  { sub: 'leader', givenName: 'Leah', familyName: 'Goldberg', about: 'Group leader: the members of one group', roles: [] },
  { sub: 'member', givenName: 'Mateo', familyName: 'Silva', about: 'Member: the directory and their own profile', roles: [] },
  { sub: 'guest', givenName: 'Grace', familyName: 'Adeyemi', about: 'Guest: what is open to friends of the organisation', roles: [] },
  { sub: 'suspended', givenName: 'Sven', familyName: 'Karlsson', about: 'Suspended: may sign in, and is then shown out', roles: [] },
]
