import type { ImportKind } from '@guildhall/contract/features/imports'
import type { FieldRule } from './imports.values.rules.ts'

const text = (max: number): FieldRule => ({ is: 'text', max })
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
  link: text(300),
  fullName: text(200),
  givenName: text(100),
  familyName: text(100),
  birthDate: date,
}

/** What may stand in each field: the limits of the database, said before it has to. */
export const fieldRules: Record<ImportKind, Record<string, FieldRule>> = {
  people: {
    memberNo: text(50),
    fullName: text(200),
    givenName: text(100),
    middleName: text(100),
    familyName: text(100),
    suffix: text(30),
    preferredName: text(100),
    formerName: text(100),
    pronouns: text(40),
    email: { is: 'email' },
    phone: { is: 'phone' },
    street: lines(300),
    city: text(100),
    region: text(100),
    postalCode: text(20),
    country: text(100),
    website: { is: 'url' },
    birthDate: date,
    gender: text(40),
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
    employer: text(150),
    jobTitle: text(150),
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
    link: text(300),
  },
  chapters: {
    code: text(40),
    name: text(150),
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
    city: text(100),
    contactEmail: { is: 'email' },
    website: { is: 'url' },
    timezone: text(60),
    charteredOn: date,
    closedOn: date,
  },
  positions: { ...reference, title: text(150), chapterCode: text(150), startsOn: date, endsOn: date, note: text(500) },
  groups: {
    code: text(40),
    name: text(150),
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
    description: lines(5000),
    visibility: choice({ public: 'open, öffentlich', members: 'internal', private: 'closed', secret: 'hidden' }),
    joinPolicy: choice({ open: 'free', request: 'approval, on request', invite: 'invitation, closed' }),
    capacity: { is: 'int', min: 1, max: 1_000_000 },
    phone: { is: 'phone' },
    website: { is: 'url' },
  },
  group_members: {
    groupCode: text(150),
    ...reference,
    title: text(150),
    role: choice({ leader: 'lead, chair, leiter', moderator: 'co lead, deputy', member: 'mitglied' }),
    side: text(60),
    rank: { is: 'int', min: 0, max: 100_000 },
    startsOn: date,
    endsOn: date,
  },
}
