import { personas } from './personas.ts'
import { countries, regions } from './places.ts'
import type { City, Country } from './places.ts'
import { idOf, mix, random, streams } from './random.ts'
import { instantOf, isoOf, millisecondsOf } from './days.ts'

export type DemoChapter = {
  index: number
  id: string
  parent: number | null
  children: number[]
  depth: number
  name: string
  code: string
  level: 'national' | 'region' | 'district' | 'chapter' | 'club'
  status: 'prospective' | 'active' | 'probation' | 'dormant'
  city: City
  country: Country
  timezone: string
  charteredDay: number
  createdAt: string
  about: string
}

export const organisationName = 'Meridian Society'
/** No code of a chapter that the files of the guided tour bring in. */
export const rootCode = 'MERIDIAN'
export const home: City = { name: 'Greenwich', country: 'UK', timezone: 'Europe/London' }

const quarters = ['North', 'South', 'East', 'West', 'Central', 'Harbour', 'University', 'Old Town', 'Riverside', 'Hillside', 'Airport', 'Science Park', 'Lakeside', 'Parkside', 'Market', 'Station', 'Castle', 'Bridge', 'Garden', 'Observatory'] // prettier-ignore
const clubs = ['Young Professionals', 'Students', 'Seniors', 'Hydrographers', 'Map Collectors', 'Drone Pilots', 'Field Walkers', 'Geodesists'] // prettier-ignore

/** The tree: one national body, seven regions, then cities, their quarters and their clubs as far as the levels go. */
export function chaptersOf(seed: number, levels: readonly number[], foundedDay: number, today: number): DemoChapter[] {
  const all: DemoChapter[] = []
  let above: DemoChapter[] = []
  levels.forEach((count, step) => {
    const depth = step + 1
    const here: DemoChapter[] = []
    for (let k = 0; k < count; k++) {
      const parent = above[k % Math.max(above.length, 1)]
      const nth = parent ? parent.children.length : 0
      const chapter = chapterAt({ seed, index: all.length, depth, deepest: levels.length, parent, nth, nthOfLevel: k, foundedDay, today })
      parent?.children.push(chapter.index)
      all.push(chapter)
      here.push(chapter)
    }
    above = here
  })
  return all
}

type Place = {
  seed: number
  index: number
  depth: number
  deepest: number
  parent: DemoChapter | undefined
  nth: number
  nthOfLevel: number
  foundedDay: number
  today: number
}

function chapterAt(place: Place): DemoChapter {
  const { seed, index, depth, deepest, parent, nth, foundedDay, today } = place
  const draw = random(seed, streams.chapter, index)
  const named = nameAt(place)
  const level =
    depth === 1
      ? 'national'
      : depth === 2 && deepest > 2
        ? 'region'
        : depth === 6
          ? 'club'
          : depth < deepest && depth < 5
            ? 'district'
            : 'chapter'
  const earliest = parent ? parent.charteredDay : foundedDay
  const span = depth === 2 && deepest > 2 ? 300 : Math.max(today - 400 - earliest, 0)
  // The first city of a region is as old as the region; the others follow over the years, most of them early.
  const charteredDay = !parent ? foundedDay : nth === 0 ? earliest : earliest + Math.floor(draw.next() ** 2.2 * span)
  const country = countries[named.city.country]
  const status = level === 'chapter' || level === 'club' ? statusOf(place, named.city, charteredDay) : 'active'
  return {
    index,
    id: idOf(seed, streams.chapter, index, millisecondsOf(charteredDay, 28_800)),
    parent: parent?.index ?? null,
    children: [],
    depth,
    ...named,
    level,
    status,
    country,
    charteredDay,
    createdAt: instantOf(charteredDay, 28_800 + (mix(seed, index) % 20_000)),
    about: aboutOf(level, named.name, isoOf(charteredDay).slice(0, 4), draw.int(100)),
  }
}

function nameAt({ depth, deepest, parent, nth, nthOfLevel }: Place): Pick<DemoChapter, 'name' | 'code' | 'city' | 'timezone'> {
  if (!parent) return { name: organisationName, code: rootCode, city: home, timezone: home.timezone }
  if (depth === 2) {
    const region = regions[nthOfLevel % regions.length]
    const first = region?.cities[0]
    if (!region || !first) throw new Error('Every region has a city.')
    if (deepest === 2) return { name: first.name, code: codeOf(first), city: first, timezone: first.timezone }
    return { name: region.name, code: region.code, city: first, timezone: region.timezone }
  }
  if (depth === 3) {
    const city = regions.find((region) => region.code === parent.code)?.cities[nth]
    if (!city) throw new Error(`${parent.name} has no further city.`)
    return { name: city.name, code: `${parent.code}-${codeOf(city)}`, city, timezone: city.timezone }
  }
  const list = depth === 6 ? clubs : quarters
  const part = `${list[nth % list.length] ?? ''}${nth >= list.length ? ` ${Math.floor(nth / list.length) + 1}` : ''}`
  const name = depth === 4 ? `${parent.name} ${part}` : `${parent.name}, ${part}`
  return { name, code: `${parent.code}-${nth + 1}`, city: parent.city, timezone: parent.timezone }
}

const codeOf = ({ name }: City) =>
  name
    .normalize('NFKD')
    .replace(/[^A-Za-z]/g, '')
    .slice(0, 4)
    .toUpperCase()

/** How long a young chapter is on trial. */
const newDays = 700

/** A few chapters are not simply active, but never those of the demo people. */
function statusOf({ seed, index, nth, today }: Place, city: City, charteredDay: number): DemoChapter['status'] {
  if (nth === 0 || personas.some((persona) => persona.city === city.name)) return 'active'
  const dice = mix(seed, streams.chapter, index, charteredDay) % 100
  if (charteredDay > today - newDays) return dice < 80 ? 'prospective' : 'active'
  return dice < 8 ? 'probation' : dice < 14 ? 'dormant' : 'active'
}

function aboutOf(level: DemoChapter['level'], name: string, year: string, dice: number): string {
  if (level === 'national') {
    return `The ${organisationName} brings together the people who measure, map and describe the earth: surveyors, cartographers, geographers, hydrographers and the students who will be them. Founded in ${year}, it is run by its members.`
  }
  if (level === 'region')
    return `${name} supports its chapters, hosts the regional summit and speaks for them on the council. Founded in ${year}.`
  const evenings = ['the first Tuesday of the month', 'every second Thursday', 'the last Wednesday of the month', 'six evenings a year'][
    dice % 4
  ]
  const doing = ['talks and field walks', 'a map night and a summer excursion', 'workshops for newcomers', 'a lecture series and a mentoring scheme'][(dice >> 2) % 4] // prettier-ignore
  return `${name} meets on ${evenings}, with ${doing}. Chartered in ${year}; guests are welcome twice before joining.`
}
