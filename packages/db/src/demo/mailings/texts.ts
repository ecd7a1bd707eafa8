import type { Piece } from './pieces.ts'

const site = 'https://www.example.org'

type Letter = {
  subject: string
  preheader: string
  about: string
  stories: readonly (readonly [title: string, text: string, path: string])[]
}
/** The monthly letter, January first, so that each is of its season whenever the demo is loaded. */
export const letters: readonly Letter[] = [
  {
    subject: 'A year of new lines',
    preheader: 'What the council plans, and winter evenings near you',
    about: 'Happy new year. The council met in the first week and chose three things to finish before summer; they are below.',
    stories: [
      [
        'Three plans for the year',
        'A common register of benchmarks, a travel fund that answers within a week, and a course for treasurers.',
        'plans',
      ],
      ['Winter evenings', 'Eleven chapters have an evening in the next weeks. Guests are welcome at nine of them.', 'events'],
    ],
  },
  {
    subject: 'Maps under snow',
    preheader: 'A survey on skis, and who needs a mentor',
    about: 'Field work rests in half of our chapters. In the other half it has just begun.',
    stories: [
      ['A survey on skis', 'Six members measured a glacier’s edge for the ninth winter. It has moved again.', 'skis'],
      ['Mentors wanted', 'Fourteen people asked for a mentor, eight offered to be one. An hour a month is enough.', 'mentors'],
    ],
  },
  {
    subject: 'Spring programme',
    preheader: 'Courses, walks and a date for the conference',
    about: 'The programme of spring is complete, and the date of the annual conference is fixed.',
    stories: [
      ['Courses of spring', 'Levelling for beginners, drones for the experienced, and a first course on writing reports.', 'courses'],
      ['Call for talks', 'Twenty minutes or a poster. Students need not have results yet, a question will do.', 'talks'],
    ],
  },
  {
    subject: 'Walking the meridian',
    preheader: 'Three walks, one lost benchmark, and thanks',
    about: 'It is the month of walks. Take boots and a map on paper; the telephone is for photographs.',
    stories: [
      ['The lost benchmark', 'It stood in a hedge in the records of 1911. Two members found it, in the hedge.', 'benchmark'],
      ['Three walks', 'All are under fifteen kilometres, and all end where there is tea.', 'walks'],
    ],
  },
  {
    subject: 'What your dues did',
    preheader: 'The year in figures, on one page',
    about: 'Every May we say where the money went. This year it fits on one page.',
    stories: [
      [
        'The year in figures',
        'Thirty-one grants for travel, four courses without a fee, and a library that lends by post again.',
        'figures',
      ],
      ['New in the library', 'Two hundred sheets from the estate of a founding member can be seen on request.', 'library'],
    ],
  },
  {
    subject: 'Long days, long lines',
    preheader: 'Field school, picnics and a prize',
    about: 'The field school has begun and eight chapters meet outdoors. Here is where.',
    stories: [
      ['The field school', 'Nineteen students, five days, one theodolite older than all of them together.', 'field-school'],
      ['A prize for a poster', 'The jury chose a map of noise in a harbour town. You can order it as a print.', 'prize'],
    ],
  },
  {
    subject: 'Summer reading',
    preheader: 'Six books, two films and a quiet inbox',
    about: 'A short letter, as many of you are away. Next month’s will be longer.',
    stories: [
      ['Six books about coasts', 'Members recommend what they read on the beach that they were measuring.', 'books'],
      ['The office in summer', 'The office answers on Tuesdays and Thursdays until the end of August.', 'office'],
    ],
  },
  {
    subject: 'Back from the field',
    preheader: 'Reports of summer, and early places for autumn',
    about: 'Reports of the summer’s field work are coming in. Two of them made us put everything else aside.',
    stories: [
      ['An island on its feet again', 'After the flood, nine members mapped every path of the island in four days.', 'island'],
      ['Autumn courses', 'Members have two weeks before places are open to everybody.', 'courses'],
    ],
  },
  {
    subject: 'New term, new groups',
    preheader: 'Five groups that would like to hear from you',
    about: 'Five groups begin again this month. All of them take newcomers.',
    stories: [
      ['Find a group', 'From map collectors to drone pilots; most meet online once a month.', 'groups'],
      ['Students pay half', 'The lower fee now holds for two years after the degree.', 'students'],
    ],
  },
  {
    subject: 'Chapters in autumn',
    preheader: 'Elections, lectures and a night of quizzes',
    about: 'Many chapters elect their officers now. If you were asked to stand: say yes.',
    stories: [
      ['Standing for office', 'Three presidents tell how many hours it took them, honestly.', 'office-holders'],
      ['Lectures of the season', 'Twelve evenings, seven of them with a stream for those far away.', 'lectures'],
    ],
  },
  {
    subject: 'Before the frost',
    preheader: 'Scholarships, the map fair, and the last walk',
    about: 'Applications for scholarships are open, and the map fair had its best year.',
    stories: [
      ['Scholarships are open', 'Six of them, for anybody in their first or second year. Two pages are enough.', 'scholarships'],
      ['The map fair', 'Nine hundred visitors, forty tables, and one atlas that nobody could lift.', 'fair'],
    ],
  },
  {
    subject: 'The year on one map',
    preheader: 'Everything we did, where we did it',
    about: 'We put every event of the year on one map. It has a dot wherever two of you met.',
    stories: [
      ['The map of the year', 'Zoom in: behind each dot there is a photograph or a sentence.', 'year'],
      ['Holidays of the office', 'The office is closed for two weeks. Registrations and payments go on as usual.', 'holidays'],
    ],
  },
]
export const letterPieces = ({ about, stories }: Letter): readonly Piece[] => [
  ['text', 'Dear {{first_name | friend}},'],
  ['text', about],
  ...stories.flatMap(([title, text, path]): Piece[] => [
    ['heading', title],
    ['text', text],
    ['button', 'Read more', `${site}/news/${path}`],
  ]),
  ['divider', ''],
  ['text', 'Carmen Ortega, for the editors'],
]

export type Note = { name: string; subject: string; preheader: string; pieces: readonly Piece[] }
const note = (name: string, subject: string, preheader: string, text: readonly string[], label?: string, path?: string): Note => ({
  name,
  subject,
  preheader,
  pieces: [
    ['text', 'Dear {{first_name | member}},'],
    ...text.map((words): Piece => ['text', words]),
    ...(label && path ? [['button', label, `${site}/${path}`] as const] : []),
  ],
})

/** To all members, four times a year; by days from today. */
export const notices: readonly (readonly [day: number, note: Note])[] = [
  [
    -301,
    note('Notice of dues', 'Your dues for this year', 'How much, until when, and what changes', [
      'The dues stay as they are. Invoices are sent this week; whoever pays by direct debit need not do anything.',
      'If dues are a burden this year, write to the treasurer. Nobody else learns of it.',
    ], 'How dues are used', 'dues'),
  ],
  [
    -204,
    note('Nominations for the council', 'Four seats of the council: nominate somebody', 'Nominations close in five weeks', [
      'Four seats of the council are up for election. Any member of two years or more may stand, and any two members may nominate somebody.',
    ], 'How to nominate', 'council'),
  ],
  [
    -114,
    note('Is your address still right?', 'Please look at your details', 'Two minutes, once a year', [
      'Ballots and papers go to the address that we have of you. Please look whether it is still right.',
    ], 'See your details', 'details'),
  ],
  [
    -63,
    note('Notice of the general meeting', 'Notice of the general meeting', 'Agenda, papers and how to vote', [
      'This is the notice of the general meeting that the rules ask for, four weeks before it. On the agenda are the accounts, the report of the council, motions and elections.',
      'Members who cannot come may vote by proxy. The form is among the papers.',
    ], 'Papers of the meeting', 'meeting'),
  ],
] // prettier-ignore

/** To the group of a demo person who leads one. */
export const groupNotes: readonly (readonly [day: number, note: Note])[] = [
  [
    -88,
    note('First evening after the summer', 'We start again: first evening of the season', 'Online, an hour, with time to talk', [
      'We meet again, online, for an hour. Three of you will tell what they did over the summer, in five minutes each.',
    ], 'Join the evening', 'early-career'),
  ],
  [
    -9,
    note('Mentoring: the spring round', 'Mentors and mentees: sign up for spring', 'Say what you would like to learn, or can teach', [
      'Twelve pairs met every month last year. The spring round has room for twenty.',
      'Sign up until the end of the month; pairs are made in the week after.',
    ], 'Sign up', 'mentoring'),
  ],
] // prettier-ignore

export const appeal = note('Appeal: field kits for students', 'Forty euro are a day in the field', 'What last year’s gifts did', [
  'Last year your gifts sent thirty-one students into the field, with boots, an instrument and somebody who knew how to use it.',
  'This year forty-four have asked. Forty euro are a day in the field for one of them.',
], 'Give', 'give') // prettier-ignore
export const secondAppeal = note('Appeal: the travel fund', 'Help somebody to be there', 'The travel fund is empty until you fill it', [
  'The travel fund paid for sixty-two journeys to our meetings. It is spent, and nineteen requests wait for an answer.',
], 'Give to the travel fund', 'give/travel') // prettier-ignore
export const survey = note('Survey about the monthly letter', 'Five questions about our letter', 'Three minutes, and you decide what we write', [
  'What do you read, what do you skip, and what is missing? Five questions, three minutes.',
], 'Answer the survey', 'survey') // prettier-ignore
export const report = note('Annual report in ten minutes', 'The annual report, for readers in a hurry', 'Ten minutes, four maps', [
  'The annual report has eighty pages. These are the four maps and the one table that we would read first.',
], 'Read the report', 'report') // prettier-ignore
export const tour = note('Harbour tour: more places', 'More places for the harbour tour', 'A second boat', [
  'The harbour tour was full within a day, so there is a second boat. Members have the first choice.',
], 'Take a place', 'harbour') // prettier-ignore
export const thanks = note('Thanks to the helpers of the map fair', 'Thank you', 'From everybody behind the tables', [
  'Forty tables, nine hundred visitors, and nothing was lost. That was you. Thank you.',
]) // prettier-ignore

export const invitation = (chapter: string, event: { id: string; title: string; summary: string }): Note => ({
  name: `${event.title}, ${chapter}`,
  subject: `${event.title}: come along, {{first_name | friend}}`,
  preheader: `${chapter} invites you`,
  pieces: [
    ['text', 'Dear {{first_name | friend}},'],
    ['text', `${chapter} invites you. ${event.summary}`],
    ['event', event.title, event.id],
    ['button', 'How to get there', `${site}/chapters/directions`],
    ['text', 'Bring somebody who has not been with us yet.'],
  ],
})

export const ballots = note('Ballots are open', 'Your ballot is open until the end of the month', 'Two minutes, four seats', [
  'Nine people stand for four seats of the council. What they plan is on one page, and voting takes two minutes.',
], 'Vote', 'vote') // prettier-ignore
export const alumniReport = note('The report, for alumni', 'What became of your Society this year', 'The report, and who asked after you', [
  'Twice a year we write to those who were with us. This is the report, on four pages.',
  'Three chapters look for somebody who remembers their first years. Perhaps that is you.',
], 'Read the report', 'report') // prettier-ignore
