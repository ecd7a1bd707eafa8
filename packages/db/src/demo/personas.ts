/** People to sign in as, one per kind of rights. */
export type DemoPerson = {
  /** Subject at the identity provider, and the part of the e-mail address before the @. */
  sub: string
  email: string
  givenName: string
  familyName: string
  /** What this person is, sees and may do, for the one who chooses whom to sign in as. */
  about: string
  /** Organisation-wide roles that the identity provider vouches for; all other rights come from the database. */
  roles: readonly string[]
}

const person = (sub: string, givenName: string, familyName: string, about: string, roles: readonly string[] = []): DemoPerson => ({
  sub,
  email: `${sub}@demo.example`,
  givenName,
  familyName,
  about,
  roles,
})

export const demoPeople: readonly DemoPerson[] = [
  person('owner', 'Olivia', 'Brandt', 'President and owner: everything, settings and roles included', ['org-owner']),
  person('secretary', 'Samuel', 'Okafor', 'Membership secretary: all people, chapters and groups', ['org-admin']),
  person('chapter', 'Clara', 'Lindqvist', 'Regional president: the Nordic Region and the chapters below it'),
  person('finance', 'Farid', 'Haddad', 'Treasurer: whom payments belong to, across the organisation'),
  person('comms', 'Carmen', 'Ortega', 'Communications: everybody’s contact data and shared views, across the organisation'),
  person('events', 'Emil', 'Novak', 'Event manager: the directory and all groups open to members'),
  person('leader', 'Leah', 'Goldberg', 'Group leader: the members of the Early Career Network'),
  person('member', 'Mateo', 'Silva', 'Member: the directory, their own profile and those of their two children'),
  person('guest', 'Grace', 'Adeyemi', 'Guest: signed in without belonging to any chapter'),
  person('suspended', 'Sven', 'Karlsson', 'Suspended: may sign in at the provider, and is then turned away'),
]

export type Persona = {
  demo: DemoPerson
  /** How far down the row of members, by day of joining: 0 is the first one. */
  place: number
  city: string
  birthYear: number
  woman: boolean
  employer: string
  jobTitle: string
  bio: string
  pronouns: string
  /** Office held today, by title, in the national body or in the region. */
  office?: { title: string; chapter: 'national' | 'regional' }
  /** Role granted to the account for the whole organisation. */
  grant?: string
  leads?: string
}

const persona = (sub: string, rest: Omit<Persona, 'demo'>): Persona => {
  const demo = demoPeople.find((candidate) => candidate.sub === sub)
  if (!demo) throw new Error(`There is no demo person ${sub}.`)
  return { demo, ...rest }
}

/** All demo people but the guest, who is nobody in the directory. */
export const personas: readonly Persona[] = [
  persona('owner', {
    place: 0.004,
    city: 'Berlin',
    birthYear: 1969,
    woman: true,
    employer: 'Brandt & Partner Vermessung',
    jobTitle: 'Managing Partner',
    pronouns: 'she/her',
    office: { title: 'President', chapter: 'national' },
    bio: 'Surveyor in the third generation. Helped to found the Society around a kitchen table and has missed one general assembly since.',
  }),
  persona('secretary', {
    place: 0.05,
    city: 'London',
    birthYear: 1978,
    woman: false,
    employer: 'Meridian Society',
    jobTitle: 'Membership Secretary',
    pronouns: 'he/him',
    office: { title: 'Secretary General', chapter: 'national' },
    bio: 'Runs the membership office. If your card, your chapter or your name is wrong, write to me and it will be right by Friday.',
  }),
  persona('finance', {
    place: 0.12,
    city: 'Paris',
    birthYear: 1974,
    woman: false,
    employer: 'Atelier Topographique',
    jobTitle: 'Finance Director',
    pronouns: 'he/him',
    office: { title: 'Treasurer', chapter: 'national' },
    grant: 'finance',
    bio: 'Keeps the books in order and the reserves dull.',
  }),
  persona('chapter', {
    place: 0.2,
    city: 'Stockholm',
    birthYear: 1983,
    woman: true,
    employer: 'Norrsken Geodata',
    jobTitle: 'Head of Hydrography',
    pronouns: 'she/her',
    office: { title: 'President', chapter: 'regional' },
    bio: 'Charts fjords by day and organises the Nordic summit by night.',
  }),
  persona('comms', {
    place: 0.34,
    city: 'Madrid',
    birthYear: 1987,
    woman: true,
    employer: 'Cartografía Ortega',
    jobTitle: 'Editor',
    pronouns: 'she/her',
    office: { title: 'Communications Officer', chapter: 'national' },
    grant: 'communications',
    bio: 'Writes the monthly letter. Send photographs, preferably of maps, preferably outdoors.',
  }),
  persona('events', {
    place: 0.45,
    city: 'Prague',
    birthYear: 1985,
    woman: false,
    employer: 'Orbis Konference',
    jobTitle: 'Event Producer',
    pronouns: 'he/him',
    office: { title: 'Events Officer', chapter: 'national' },
    grant: 'event-manager',
    bio: 'Has a checklist for the checklist of the annual conference.',
  }),
  persona('suspended', {
    place: 0.53,
    city: 'Gothenburg',
    birthYear: 1980,
    woman: false,
    employer: 'Hamnkontoret Geo',
    jobTitle: 'Harbour Surveyor',
    pronouns: 'he/him',
    bio: '',
  }),
  persona('leader', {
    place: 0.66,
    city: 'New York',
    birthYear: 1994,
    woman: true,
    employer: 'Hudson Mapworks',
    jobTitle: 'GIS Analyst',
    pronouns: 'she/her',
    leads: 'Early Career Network',
    bio: 'Two years out of university and still asking the questions everyone else is too polite to ask.',
  }),
  persona('member', {
    place: 0.81,
    city: 'Lisbon',
    birthYear: 1991,
    woman: false,
    employer: 'Instituto do Litoral',
    jobTitle: 'Coastal Engineer',
    pronouns: 'he/him',
    bio: 'Measures beaches before they move.',
  }),
]
