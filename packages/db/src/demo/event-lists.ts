/** What an event is about, when it takes place in the zone it is in, and who comes. */
export type EventIdea = {
  key: string
  title: string
  summary: string
  kind: 'meeting' | 'social' | 'training' | 'conference' | 'fundraiser' | 'service' | 'other'
  mode?: 'in_person' | 'online' | 'hybrid'
  /** Days from today. */
  in: number
  /** Of the day of the week in that week, 1 is Monday; the day itself unless stated. */
  weekday?: number
  hour: number
  minutes: number
  venue?: readonly [name: string, address: string]
  visibility?: 'public' | 'unlisted' | 'members' | 'invite'
  status?: 'draft' | 'published' | 'cancelled'
  reason?: string
  capacity?: number
  /** Full, with people on the waiting list. */
  full?: true
  approval?: true
  guests?: number
  attendees?: true
  /** How many of a thousand people come, and how many at most. */
  share?: number
  most?: number
  price?: number
  memberPrice?: number
  template?: string
}

const greenwich = ['Observatory Hall', 'Blackheath Avenue\nLondon SE10 8XJ'] as const
const quay = ['Customs House', '1 Customs House Quay\nDublin 1'] as const

const conference = (year: number, days: number, venue: EventIdea['venue'], more: Partial<EventIdea>): EventIdea => ({
  key: `conference ${days}`,
  title: `Annual Conference ${year}`,
  summary: 'Two days of talks, workshops and the general meeting, for everyone who measures, maps or charts.',
  kind: 'conference',
  mode: 'hybrid',
  in: days,
  weekday: 5,
  hour: 9,
  minutes: 1_980,
  ...(venue && { venue }),
  visibility: 'public',
  attendees: true,
  price: 24_000,
  memberPrice: 16_000,
  ...more,
})

/** Events of the whole organisation, besides its monthly lecture. */
export const organisationEvents = (yearAt: (days: number) => number): readonly EventIdea[] => [
  conference(yearAt(-530), -530, quay, { share: 200, most: 240 }),
  conference(yearAt(-165), -165, greenwich, { share: 900, most: 600, capacity: 650 }),
  conference(yearAt(150), 150, ['Lisbon Congress Centre', 'Praça das Indústrias 1\n1300-307 Lisboa'], { share: 60, most: 120, capacity: 650 }),
  { key: 'assembly -400', title: 'General meeting', summary: 'Accounts, elections and motions.', kind: 'meeting', mode: 'hybrid', in: -400, weekday: 6, hour: 11, minutes: 180, venue: greenwich, share: 60, most: 150 },
  { key: 'assembly -35', title: 'General meeting', summary: 'Accounts, elections and motions.', kind: 'meeting', mode: 'hybrid', in: -35, weekday: 6, hour: 11, minutes: 180, venue: greenwich, share: 70, most: 160 },
  { key: 'workshop -90', title: 'Drone photogrammetry, hands on', summary: 'From flight plan to point cloud in one day. Bring a laptop.', kind: 'training', in: -90, hour: 9, minutes: 480, venue: ['Field Lab', 'Brunnenstraße 181\n10119 Berlin'], capacity: 24, share: 25, most: 24, price: 12_000, memberPrice: 9_500 },
  { key: 'workshop 24', title: 'Drone photogrammetry, hands on', summary: 'From flight plan to point cloud in one day. Bring a laptop.', kind: 'training', in: 24, hour: 9, minutes: 480, venue: ['Field Lab', 'Brunnenstraße 181\n10119 Berlin'], capacity: 24, full: true, share: 25, most: 31, price: 12_000, memberPrice: 9_500 },
  { key: 'harbour 9', title: 'Harbour tour by survey boat', summary: 'Two hours with the crew that keeps the fairway charts true.', kind: 'social', in: 9, weekday: 6, hour: 14, minutes: 120, venue: ['Landing stage 4', 'Vorsetzen 20\n20459 Hamburg'], visibility: 'public', capacity: 40, full: true, attendees: true, share: 40, most: 53 },
  { key: 'dinner 45', title: 'Winter dinner for the scholarship fund', summary: 'Four courses and one short speech. What is left over sends two students to the field school.', kind: 'fundraiser', in: 45, weekday: 6, hour: 19, minutes: 240, venue: ['Vintners’ Cellars', 'Gresham Street\nLondon EC2V 7HH'], visibility: 'public', capacity: 120, guests: 2, share: 25, most: 50, price: 8_500 },
  { key: 'dinner -320', title: 'Winter dinner for the scholarship fund', summary: 'Four courses and one short speech.', kind: 'fundraiser', in: -320, weekday: 6, hour: 19, minutes: 240, venue: ['Vintners’ Cellars', 'Gresham Street\nLondon EC2V 7HH'], visibility: 'public', capacity: 120, guests: 2, share: 30, most: 60, price: 8_500 },
  { key: 'course 70', title: 'Field school for first-time surveyors', summary: 'Five days on the fells. Places are given to those who need them most, so tell us why you would like to come.', kind: 'training', in: 70, weekday: 1, hour: 10, minutes: 6_240, venue: ['Langdale Hostel', 'Great Langdale\nAmbleside LA22 9JU'], capacity: 30, approval: true, share: 15, most: 26 },
  { key: 'walk 18', title: 'Meridian walk', summary: 'Twelve kilometres along the line, with a stop at every marker.', kind: 'social', in: 18, weekday: 7, hour: 10, minutes: 300, venue: ['Peacehaven obelisk', 'The Promenade\nPeacehaven BN10 8PX'], visibility: 'public', status: 'cancelled', reason: 'The coast path is closed after the landslip. We will set a new date in spring.', share: 15, most: 40 },
  { key: 'walk -210', title: 'Meridian walk', summary: 'Twelve kilometres along the line, with a stop at every marker.', kind: 'social', in: -210, weekday: 7, hour: 10, minutes: 300, venue: ['Peacehaven obelisk', 'The Promenade\nPeacehaven BN10 8PX'], visibility: 'public', share: 15, most: 40 },
  { key: 'council 30', title: 'Council dinner', summary: 'With the presidents of the regions.', kind: 'social', in: 30, hour: 19, minutes: 180, venue: greenwich, visibility: 'invite', share: 12, most: 20 },
  { key: 'mapathon 38', title: 'Mapathon for flood relief', summary: 'Three evenings’ worth of buildings and roads, mapped together for the people on the ground.', kind: 'service', mode: 'online', in: 38, hour: 18, minutes: 180, visibility: 'public', share: 30, most: 80 },
  { key: 'mapathon -140', title: 'Mapathon for flood relief', summary: 'Buildings and roads, mapped together for the people on the ground.', kind: 'service', mode: 'online', in: -140, hour: 18, minutes: 180, visibility: 'public', share: 30, most: 80 },
  { key: 'draft symposium', title: 'Symposium on sea levels', summary: '', kind: 'conference', in: 200, hour: 9, minutes: 480, status: 'draft', price: 15_000 },
  { key: 'draft exchange', title: 'Exchange visit to the land registry', summary: '', kind: 'meeting', in: 85, hour: 13, minutes: 180, status: 'draft' },
  { key: 'template lecture', title: 'Evening lecture', summary: 'One speaker, forty minutes, then questions.', kind: 'meeting', mode: 'online', in: 30, hour: 19, minutes: 90, status: 'draft', template: 'Online lecture' },
  { key: 'template training', title: 'Training day', summary: 'A day with one trainer and a small group.', kind: 'training', in: 30, hour: 9, minutes: 480, venue: greenwich, status: 'draft', capacity: 20, price: 9_500, template: 'Paid training day' },
  { key: 'template social', title: 'Get-together', summary: 'Come as you are.', kind: 'social', in: 30, hour: 18, minutes: 180, venue: greenwich, status: 'draft', template: 'Get-together' },
] // prettier-ignore

/** Lectures, one a month; the next ones are not full yet. */
export const lectures = [
  'How old maps lie',
  'Levelling a city that sinks',
  'What satellites see of harvests',
  'Names on maps, and who chooses them',
  'Charting the last blank of the sea floor',
  'Borders that move with rivers',
  'Laser scanning a cathedral',
  'The longest baseline ever measured',
  'Open data for small towns',
  'Wayfinding in hospitals',
  'Glaciers, from plane table to radar',
  'Reading the land before the survey',
] as const

/** What chapters meet for, in turn. */
export const chapterEvents = [
  { title: 'Chapter meeting', summary: 'News from the chapter, plans for the quarter, and time to talk.', kind: 'meeting', mode: 'in_person', hour: 19, minutes: 120, venue: 'Town library' },
  { title: 'Summer picnic', summary: 'Bring something to share. Families are welcome.', kind: 'social', mode: 'in_person', hour: 16, minutes: 240, venue: 'Botanical garden' },
  { title: 'Evening lecture', summary: 'One speaker, forty minutes, then questions.', kind: 'meeting', mode: 'hybrid', hour: 19, minutes: 90, venue: 'University, lecture hall 2' },
  { title: 'Quiz night', summary: 'Capitals, contour lines and one round about rivers.', kind: 'social', mode: 'in_person', hour: 20, minutes: 150, venue: 'The Compass' },
  { title: 'Instrument day', summary: 'Try total stations, levels and receivers under guidance.', kind: 'training', mode: 'in_person', hour: 10, minutes: 300, venue: 'Survey depot' },
  { title: 'City survey walk', summary: 'Two hours through the old town, with benchmarks to find.', kind: 'social', mode: 'in_person', hour: 17, minutes: 120, venue: 'Main station, clock' },
  { title: 'Path repair morning', summary: 'Gloves and tools are there, coffee too.', kind: 'service', mode: 'in_person', hour: 9, minutes: 210, venue: 'Park gate' },
] as const // prettier-ignore
