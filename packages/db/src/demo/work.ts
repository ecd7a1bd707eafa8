import { yearOf } from './days.ts'
import type { Life } from './life.ts'
import type { Plan } from './plan.ts'
import { random, streams } from './random.ts'

export type Work = {
  employer: string
  jobTitle: string
  gradYear: number | null
  bio: string
  tags: readonly string[]
  doNotContact: boolean
}

const houses = ['Atlas', 'Beacon', 'Bluewater', 'Borealis', 'Cairn', 'Compass Rose', 'Contour', 'Delta', 'Fathom', 'Fieldwork', 'Geoid', 'Graticule', 'Harbourlight', 'Horizon', 'Isobar', 'Landmark', 'Latitude', 'Longshore', 'Meander', 'North Arrow', 'Parallel', 'Plumbline', 'Quadrant', 'Ridgeway', 'Sextant', 'Tidemark', 'Trig Point', 'Triangulum', 'Vantage', 'Waypoint'] // prettier-ignore
const trades = ['Survey', 'Mapping', 'Geodata', 'Cartographics', 'Hydrographic', 'Land Registry Services', 'Consulting', 'Observatory', 'Remote Sensing', 'Planning Studio', 'Navigation Systems', 'Field Services'] // prettier-ignore
const offices = ['City Planning Office', 'Harbour Authority', 'Land Registry', 'Transit Authority', 'Map Library', 'Water Board', 'Institute of Technology', 'School of Geography'] // prettier-ignore
const titles = ['Surveyor', 'Senior Surveyor', 'Cartographer', 'GIS Analyst', 'GIS Developer', 'Hydrographer', 'Geodesist', 'Remote Sensing Scientist', 'Photogrammetrist', 'Land Registrar', 'Urban Planner', 'Transport Planner', 'Map Librarian', 'Data Steward', 'Drone Operations Lead', 'Coastal Engineer', 'Head of Mapping', 'Project Manager', 'Lecturer', 'Professor of Geography', 'Editor', 'Software Engineer', 'Field Technician', 'Spatial Economist', 'Conservation Officer', 'Consultant', 'Managing Director', 'Product Manager'] // prettier-ignore
const topics = ['coastlines', 'cadastral records', 'mountain maps', 'city atlases', 'indoor maps', 'flood models', 'old globes', 'place names', 'cycling maps', 'satellite images', 'sea charts', 'land rights', 'night skies', 'railway maps'] // prettier-ignore
const openings = ['Works on', 'Collects', 'Teaches about', 'Writes about', 'Spent ten years on', 'Is happiest among', 'Came to the Society through'] // prettier-ignore
const endings = ['', ' Glad to mentor.', ' Looking for co-authors.', ' Ask me about field work in winter.', ' Usually at the back of the excursion, with the map.', ' New in town and happy to be shown around.'] // prettier-ignore

type DemoTag = { name: string; color: 'gray' | 'brand' | 'green' | 'red' | 'amber' | 'blue'; share: number; audience?: 'members' }

/** Words that members are marked with, and the share of them who are. Officers see them all, members those that help them to find each other. */
export const tags: readonly DemoTag[] = [
  { name: 'Mentor', color: 'green', share: 0.07, audience: 'members' },
  { name: 'Seeks a mentor', color: 'green', share: 0.05, audience: 'members' },
  { name: 'Speaker', color: 'blue', share: 0.04, audience: 'members' },
  { name: 'Volunteer', color: 'brand', share: 0.12, audience: 'members' },
  { name: 'Donor', color: 'brand', share: 0.08 },
  { name: 'Scholarship holder', color: 'blue', share: 0.03 },
  { name: 'Founding member', color: 'amber', share: 0, audience: 'members' },
  { name: 'Paper mail', color: 'gray', share: 0.06 },
  { name: 'Journal author', color: 'blue', share: 0.03, audience: 'members' },
  { name: 'Press contact', color: 'red', share: 0.006, audience: 'members' },
  { name: 'Wheelchair access', color: 'gray', share: 0.01 },
  { name: 'Moved, address unknown', color: 'red', share: 0.02 },
]

export function workOf(plan: Plan, index: number, life: Life): Work {
  const draw = random(plan.seed, streams.work, index)
  const persona = plan.personas.get(index)
  const ageAtGraduation = draw.between(22, 27)
  const graduated = yearOf(life.birthDay) + ageAtGraduation
  const gradYear = life.minor || draw.chance(0.12) ? null : graduated
  const marks = tags.filter(({ share }) => draw.chance(share)).map(({ name }) => name)
  if (index < plan.people * 0.008 && life.lifecycle !== 'prospect') marks.push('Founding member')
  const doNotContact = life.lifecycle === 'deceased' || draw.chance(0.02)
  if (persona) {
    return {
      employer: persona.employer,
      jobTitle: persona.jobTitle,
      gradYear: graduated,
      bio: persona.bio,
      tags: marks,
      doNotContact: false,
    }
  }
  const city = plan.chapters[plan.homes[index] ?? 0]?.city.name ?? ''
  const works = !life.minor && draw.chance(0.78) && graduated <= yearOf(plan.today)
  return {
    employer: works ? (draw.chance(0.3) ? `${city} ${draw.pick(offices)}` : `${draw.pick(houses)} ${draw.pick(trades)}`) : '',
    jobTitle: works ? draw.pick(titles) : life.minor ? 'Pupil' : graduated > yearOf(plan.today) ? 'Student' : '',
    gradYear,
    bio: draw.chance(0.16) ? `${draw.pick(openings)} ${draw.pick(topics)} and ${draw.pick(topics)}.${draw.pick(endings)}` : '',
    tags: marks,
    doNotContact,
  }
}
