/** Groups of the whole organisation; those of chapters are made from topics and forms. */
export type GroupIdea = {
  name: string
  kind: 'committee' | 'subcommittee' | 'interest' | 'cohort' | 'team' | 'list'
  description: string
  visibility?: 'public' | 'members' | 'private' | 'secret'
  join?: 'open' | 'request' | 'invite'
  parent?: string
  /** A city or region of the owning chapter; the national body when absent. */
  owner?: string
  /** How many people were appointed; a group without seats takes whoever wants to join, in proportion to its draw. */
  seats?: number
  draw?: number
  closed?: true
}

const committee = (name: string, seats: number, description: string, more: Partial<GroupIdea> = {}): GroupIdea => ({
  name,
  kind: 'committee',
  seats,
  description,
  join: 'invite',
  ...more,
})
const panel = (name: string, parent: string, seats: number, description: string): GroupIdea => ({
  name,
  kind: 'subcommittee',
  parent,
  seats,
  description,
  join: 'invite',
})
const interest = (name: string, draw: number, description: string, more: Partial<GroupIdea> = {}): GroupIdea => ({
  name,
  kind: 'interest',
  draw,
  description,
  join: 'open',
  ...more,
})

export const groupIdeas: readonly GroupIdea[] = [
  committee('Council', 15, 'Governs the Society between general assemblies. Meets four times a year; minutes are open to every member.', {
    visibility: 'members',
  }),
  interest(
    'Early Career Network',
    9,
    'For everyone in their first ten years after graduation: job swaps, honest salary talk, a mentor if you want one, and a summer school by the sea.',
  ),
  committee('Audit and Finance Committee', 7, 'Reviews the accounts before the auditor does and advises the treasurer on reserves.', {
    visibility: 'private',
  }),
  committee(
    'Membership Committee',
    9,
    'Decides on applications that chapters pass on, looks after dues and asks people who leave why they do.',
  ),
  committee('Programme Committee', 11, 'Chooses themes and speakers of the annual conference and of the lecture series.'),
  interest(
    'Women in Mapping',
    8,
    'A network with a monthly call, a speakers’ list that leaves organisers no excuse, and a yearly retreat.',
  ),
  committee('Scholarship Committee', 8, 'Selects the scholars of each year and stays in touch with them afterwards.'),
  panel('Grants Panel', 'Scholarship Committee', 5, 'Reads applications for travel and field work grants, two readers each.'),
  interest(
    'Open Map Data',
    7,
    'People who map in public and share what they measure. Mapping evenings, imports, and long discussions about footpaths.',
    { visibility: 'public' },
  ),
  interest(
    'Remote Sensing',
    6,
    'From first satellite image to published paper: reading group, shared notebooks and a buddy for your first classifier.',
  ),
  committee('Publications Committee', 9, 'Responsible for the Journal, the monthly letter and the map series.'),
  panel('Journal Editorial Team', 'Publications Committee', 12, 'Edits the quarterly Journal: calls for papers, reviews and proofs.'),
  interest('Mountain Cartography', 4, 'Relief shading, avalanche maps and one week of field work in the Alps every September.'),
  interest('Marine Charting', 4, 'Hydrographers, coastal engineers and sailors who correct their own charts.'),
  committee('Nominations Committee', 5, 'Finds candidates for every office that falls vacant and sees that elections are fair.', {
    visibility: 'private',
  }),
  committee('Ethics Committee', 5, 'Hears complaints in confidence and keeps the code of conduct up to date.', { visibility: 'private' }),
  interest(
    'Land Rights and Cadastre',
    5,
    'Who owns what, says who, and on which map: cadastral reform, customary land and the law around both.',
  ),
  interest('History of Maps', 6, 'Globes, atlases and the people who drew them. Visits to map rooms that are usually locked.', {
    visibility: 'public',
  }),
  {
    name: 'Scholars 2018',
    kind: 'cohort',
    description: 'The first year of scholars, now spread over eleven countries.',
    seats: 16,
    join: 'invite',
  },
  {
    name: 'Scholars 2021',
    kind: 'cohort',
    description: 'The scholars who met online for a year before they met.',
    seats: 20,
    join: 'invite',
  },
  {
    name: 'Scholars 2024',
    kind: 'cohort',
    description: 'The current alumni year; reunion at the annual conference.',
    seats: 24,
    join: 'invite',
  },
  interest('Humanitarian Mapping', 6, 'Remote mapping after floods and earthquakes, with training for newcomers and rest for the tired.', {
    visibility: 'public',
  }),
  panel('Conference Organising Team', 'Programme Committee', 10, 'Rooms, badges, interpreters, coffee.'),
  interest('Polar Mapping', 2, 'A small group for two large places.'),
  interest('Teaching Geography', 4, 'Lesson plans, excursions and mutual consolation for teachers at schools and universities.'),
  interest('Map Design', 5, 'Type, colour and the art of leaving things out. Bring a map, get three opinions.'),
  { name: 'Website Team', kind: 'team', description: 'Keeps the website and the member map running.', seats: 6, join: 'request' },
  {
    name: 'Translation Team',
    kind: 'team',
    description: 'Translates the monthly letter into nine languages within three days.',
    seats: 14,
    join: 'request',
  },
  interest('Nordic Summit Organisers', 1, 'Prepares the summit of the Nordic chapters, each year in another city.', {
    owner: 'Nordic Region',
    join: 'request',
  }),
  interest('Transport and Mobility', 4, 'Timetables, cycle routes and the geography of getting there.'),
  interest('London Walking Maps Club', 2, 'Walks a street off the map on the first Saturday of every month, then draws it.', {
    owner: 'London',
    visibility: 'public',
  }),
  interest('Berlin Open Data Breakfast', 1, 'Croissants and city data at eight in the morning.', { owner: 'Berlin' }),
  interest('Independent Consultants', 3, 'Contracts, insurance, rates: what nobody tells you when you leave your employer.', {
    join: 'request',
  }),
  {
    name: 'Press List',
    kind: 'list',
    description: 'Members who answer journalists’ questions within a day.',
    visibility: 'secret',
    join: 'invite',
    seats: 12,
  },
  interest('Retired Surveyors’ Circle', 2, 'Excursions on weekdays, because we can.'),
  panel(
    'Dues Working Party',
    'Membership Committee',
    6,
    'Prepared the reform of dues that the general assembly of 2023 adopted; its work is done.',
  ),
]

export const groupTopics = ['Drone Surveying', 'Street Names', 'Cycle Maps', 'Flood Watch', 'City Models', 'Map Library', 'School Visits', 'Field Walks', 'Night Skies', 'Trail Markers', 'Old Atlases', 'Tree Register', 'Noise Maps', 'Harbour Soundings', 'Indoor Maps', 'Land Records', 'Bird Counts', 'Weather Stations', 'Public Transport', 'Accessibility Maps'] // prettier-ignore
export const groupForms = [
  { suffix: 'Circle', kind: 'interest' },
  { suffix: 'Club', kind: 'interest' },
  { suffix: 'Evenings', kind: 'interest' },
  { suffix: 'Working Group', kind: 'team' },
  { suffix: 'Committee', kind: 'committee' },
  { suffix: 'Class', kind: 'cohort' },
] as const
