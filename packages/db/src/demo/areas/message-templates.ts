import type { DemoArea } from '../area.ts'
import { bodyOf, outlineOf } from '../mailings/pieces.ts'
import type { Piece } from '../mailings/pieces.ts'
import { accountId } from '../world.ts'

type Template = { name: string; subject: string; preheader: string; pieces: readonly Piece[] }

const templates: readonly Template[] = [
  {
    name: 'Newsletter',
    subject: 'News from the Society',
    preheader: 'What happened, what is planned, and one map to look at',
    pieces: [
      ['text', 'Dear {{first_name | friend}},'],
      ['text', 'Two or three sentences about the month: what stands out, and why it is worth reading on.'],
      ['heading', 'From the chapters'],
      ['text', 'One story from a chapter, in five sentences at most. Say who to write to.'],
      ['button', 'Read the whole story', 'https://www.example.org/news'],
      ['heading', 'Coming up'],
      ['text', 'Three dates, each with its place.'],
      ['button', 'All events', 'https://www.example.org/events'],
      ['divider', ''],
      ['text', 'Until next month, the editors'],
    ],
  },
  {
    name: 'Invitation to an event',
    subject: 'You are invited, {{first_name | friend}}',
    preheader: 'When, where, and how to register',
    pieces: [
      ['heading', 'You are invited'],
      ['text', 'Dear {{first_name | friend}}, we would like to see you. Say in two sentences what will happen and whom it is for.'],
      ['text', 'When: day and time. Where: the place, and how to get there. Cost: free for members.'],
      ['button', 'Register', 'https://www.example.org/events'],
      ['text', 'If you cannot come, forward this to somebody who might.'],
    ],
  },
  {
    name: 'Notice of meeting',
    subject: 'Notice of the general meeting',
    preheader: 'Agenda, papers and how to vote',
    pieces: [
      ['heading', 'Notice of meeting'],
      [
        'text',
        'To all members: the meeting is held on the day and at the place below. This notice is sent four weeks before, as the rules ask.',
      ],
      ['heading', 'Agenda'],
      ['text', '1. Minutes of the last meeting. 2. Report of the council. 3. Accounts. 4. Motions. 5. Elections. 6. Other business.'],
      [
        'text',
        'Motions need the names of five members and reach the office three weeks before. Members who cannot come may vote by proxy.',
      ],
      ['button', 'Papers of the meeting', 'https://www.example.org/meeting'],
    ],
  },
  {
    name: 'Welcome',
    subject: 'Welcome to the Society, {{first_name | friend}}',
    preheader: 'Three things to do in the first week',
    pieces: [
      ['heading', 'Welcome, {{first_name | friend}}'],
      ['text', 'You now belong to {{chapter | the Society}}. Your member number is {{member_no | on your card}}.'],
      [
        'text',
        'First, look at your profile and say what others may see of it. Then join a group that interests you. Then come to an evening.',
      ],
      ['button', 'Find a group', 'https://www.example.org/groups'],
      ['text', 'If anything is unclear, answer this mail: a person reads it.'],
    ],
  },
  {
    name: 'Appeal',
    subject: 'Field kits for {{chapter | our chapters}}',
    preheader: 'What your gift does',
    pieces: [
      ['text', 'Dear {{first_name | friend}},'],
      ['text', 'Begin with one person whom a gift helped, by name and with their leave.'],
      ['heading', 'What is needed'],
      ['text', 'Say the sum, what it buys and until when. 40 euro are a day in the field for one student.'],
      ['button', 'Give', 'https://www.example.org/give'],
      ['divider', ''],
      ['text', 'Thank you for reading, and for all you have given so far.'],
    ],
  },
]

export const messageTemplatesDemo: DemoArea = {
  table: 'message_templates',
  rows: (world) => {
    const author = [...world.personas].find(([, { demo }]) => demo.sub === 'comms')?.[0]
    return templates.map(({ name, subject, preheader, pieces }) => ({
      name,
      subject,
      preheader,
      body: bodyOf(pieces),
      outline: outlineOf(pieces),
      created_by: author === undefined ? null : accountId(world, author),
      version: 1,
    }))
  },
}
