import type { ImportKind } from '@guildhall/contract/features/imports'
import type { FieldRule } from './imports.values.rules.ts'

const text = (max: number): FieldRule => ({ is: 'text', max })
/** Names and texts of people, in which every word may be meant as it stands. */
const free = (max: number): FieldRule => ({ is: 'text', max, free: true })
const lines = (max: number): FieldRule => ({ is: 'text', max, lines: true })
const date: FieldRule = { is: 'date' }

/** Words for each value, folded to lower case with single spaces; the value itself always counts. */
const choice = (words: Record<string, string>): FieldRule => ({
  is: 'choice',
  options: Object.fromEntries(
    Object.entries(words).flatMap(([value, others]) =>
      [value, value.replace(/_/g, ' '), ...others.split(',').map((word) => word.trim())].filter(Boolean).map((word) => [word, value]),
    ),
  ),
})

/** What says which person a row of another kind means. */
const reference: Record<string, FieldRule> = {
  memberNo: text(50),
  email: { is: 'email' },
  externalId: text(120),
  link: text(300),
  fullName: free(200),
  givenName: free(100),
  familyName: free(100),
  birthDate: date,
}

/** What may stand in each field: the limits of the database, said before it has to. */
export const fieldRules: Record<ImportKind, Record<string, FieldRule>> = {
  people: {
    recordId: text(100),
    memberNo: text(50),
    fullName: free(200),
    givenName: free(100),
    middleName: free(100),
    familyName: free(100),
    suffix: text(30),
    preferredName: free(100),
    formerName: free(200),
    pronouns: free(40),
    email: { is: 'email' },
    phone: { is: 'phone' },
    street: lines(300),
    city: free(100),
    region: text(100),
    postalCode: text(20),
    country: text(100),
    website: { is: 'url' },
    birthDate: date,
    gender: free(40),
    deceasedOn: date,
    note: lines(5000),
    lifecycle: choice({
      prospect: 'lead, interested, interessent, prospekt, applicant',
      active: 'aktiv, actif, activo, attivo, actief, current, member, mitglied, yes',
      alumni: 'alumnus, alumna, alum',
      former: 'ehemalig, inactive, inaktiv, ancien, resigned, ausgetreten, left, lapsed, ex member',
      deceased: 'verstorben, died, dead, décédé, decede, fallecido',
    }),
    joinedOn: date,
    gradYear: { is: 'int', min: 1900, max: 2100 },
    employer: free(150),
    jobTitle: free(150),
    bio: lines(2000),
    language: text(35),
    doNotContact: { is: 'flag' },
    chapterCode: text(150),
    affiliationKind: choice({
      member: 'mitglied, membre, miembro, socio',
      alumni: 'alumnus, alumna, alum',
      advisor: 'adviser, berater',
      friend: 'supporter, freund',
      applicant: 'candidate, pending',
    }),
    memberSince: date,
    memberUntil: date,
    tag: text(500),
    externalId: text(120),
    externalIds: text(161),
    link: text(300),
  },
  chapters: {
    code: text(40),
    name: free(150),
    parentCode: text(40),
    level: choice({
      national: 'country, federal, headquarters, hq',
      region: 'regional',
      district: 'state, area, kreis',
      chapter: 'branch, section, local',
      club: 'group, post',
    }),
    status: choice({
      prospective: 'planned',
      active: 'aktiv, open',
      probation: '',
      suspended: '',
      dormant: 'inactive',
      closed: 'dissolved, geschlossen',
    }),
    about: lines(5000),
    city: free(100),
    contactEmail: { is: 'email' },
    website: { is: 'url' },
    timezone: text(60),
    charteredOn: date,
    closedOn: date,
  },
  positions: { ...reference, title: free(150), chapterCode: text(150), startsOn: date, endsOn: date, note: free(500) },
  groups: {
    recordId: text(100),
    code: text(40),
    name: free(150),
    kind: choice({
      committee: 'board, ausschuss',
      subcommittee: 'sub committee, unterausschuss',
      interest: 'interest group, forum',
      cohort: 'class, year',
      team: 'working group, arbeitsgruppe',
      list: 'mailing list',
    }),
    parentCode: text(40),
    chapterCode: text(150),
    description: lines(50_000),
    visibility: choice({ public: 'open, öffentlich', members: 'internal', private: 'closed', secret: 'hidden' }),
    joinPolicy: choice({ open: 'free', request: 'approval, on request', invite: 'invitation, closed' }),
    capacity: { is: 'int', min: 1, max: 1_000_000 },
    phone: { is: 'phone' },
    website: { is: 'url' },
  },
  group_members: {
    groupRecordId: text(100),
    recordId: text(100),
    groupCode: text(150),
    ...reference,
    title: free(150),
    role: choice({ leader: 'lead, chair, leiter', moderator: 'co lead, deputy', member: 'mitglied' }),
    side: text(60),
    rank: { is: 'int', min: 0, max: 100_000 },
    startsOn: date,
    endsOn: date,
  },
}
