import type { Candidates } from './candidates.ts'
import { millisecondsOf } from './days.ts'
import { groupForms, groupIdeas, groupTopics } from './group-lists.ts'
import type { GroupIdea } from './group-lists.ts'
import type { Life } from './life.ts'
import type { Plan } from './plan.ts'
import { idOf, random, streams } from './random.ts'
import { demoShapes } from './sizes.ts'

export type DemoGroup = {
  index: number
  id: string
  chapter: number
  parent: number | null
  code: string
  name: string
  kind: GroupIdea['kind']
  description: string
  visibility: NonNullable<GroupIdea['visibility']>
  join: NonNullable<GroupIdea['join']>
  createdDay: number
  archivedDay: number | null
  draw: number
}
export type GroupPlace = {
  group: number
  role: 'leader' | 'moderator' | 'member'
  title: string
  rank: number | null
  status: 'active' | 'requested' | 'invited'
  startDay: number
  endDay: number | null
}
export type Groups = { all: readonly DemoGroup[]; placesOf(index: number, life: Life): GroupPlace[] }

export function groupsOf(plan: Plan, candidates: Candidates): Groups {
  const all: DemoGroup[] = []
  const byName = new Map<string, number>()
  const appointed = new Map<number, GroupPlace[]>()
  const ofChapter = new Map<number, number[]>()
  for (let index = 0; index < demoShapes[plan.size].groups; index++) {
    const idea = groupIdeas[index] ?? ideaOfChapter(plan, index, byName)
    const group = groupAt(plan, index, idea, byName)
    all.push(group)
    byName.set(group.name, index)
    ofChapter.set(group.chapter, [...(ofChapter.get(group.chapter) ?? []), index])
    for (const [person, place] of appointedTo(plan, group, idea.seats, candidates))
      appointed.set(person, [...(appointed.get(person) ?? []), place])
  }
  const open = all.filter(({ chapter, draw, archivedDay }) => chapter === 0 && draw > 0 && archivedDay === null)
  const totalDraw = open.reduce((sum, { draw }) => sum + draw, 0)

  return { all, placesOf: (index, life) => [...(appointed.get(index) ?? []), ...joined(index, life)] }

  function joined(index: number, life: Life): GroupPlace[] {
    const draw = random(plan.seed, streams.groupMember, index)
    if (life.lifecycle === 'prospect' || life.minor || !draw.chance(0.58)) return []
    const near = [
      ...(ofChapter.get(plan.homes[index] ?? 0) ?? []),
      ...(ofChapter.get(plan.chapters[plan.homes[index] ?? 0]?.parent ?? 0) ?? []),
    ]
    const known = new Set((appointed.get(index) ?? []).map(({ group }) => group))
    const places: GroupPlace[] = []
    for (let wish = draw.between(1, 4); wish > 0; wish--) {
      const group = draw.chance(0.45) && near.length > 0 ? all[draw.pick(near)] : anyOpen(draw.next() * totalDraw)
      if (!group || known.has(group.index) || group.draw === 0) continue
      known.add(group.index)
      const from = Math.max(life.createdDay, group.createdDay)
      const until = life.endDay ?? group.archivedDay ?? plan.today
      if (from + 20 >= until) continue
      const startDay = from + Math.floor(draw.next() * (until - from - 10))
      const left = until < plan.today ? until : draw.chance(0.14) ? startDay + 5 + draw.int(Math.max(until - startDay - 6, 1)) : null
      const status =
        left !== null || plan.personas.has(index)
          ? 'active'
          : group.join === 'request' && draw.chance(0.12)
            ? 'requested'
            : draw.chance(0.01)
              ? 'invited'
              : 'active'
      const role = status === 'active' && left === null && draw.chance(0.01) ? 'moderator' : 'member'
      places.push({
        group: group.index,
        role,
        title: '',
        rank: null,
        status,
        startDay: status === 'active' ? startDay : plan.today - draw.int(30),
        endDay: left,
      })
    }
    return places
  }

  function anyOpen(value: number): DemoGroup | undefined {
    let sum = 0
    return open.find(({ draw }) => (sum += draw) > value)
  }
}

function groupAt(plan: Plan, index: number, idea: GroupIdea, byName: ReadonlyMap<string, number>): DemoGroup {
  const draw = random(plan.seed, streams.group, index)
  const chapter =
    idea.owner === undefined
      ? 0
      : Math.max(
          plan.chapters.findIndex(({ name }) => name === idea.owner),
          0,
        )
  const since = plan.chapters[chapter]?.charteredDay ?? plan.foundedDay
  const year = /\b(20\d\d)$/.exec(idea.name)?.[1]
  const age = year
    ? Math.max(plan.today - Math.floor((Number(year) - 1970) * 365.25 + 250), 60)
    : Math.floor((plan.today - since) * (0.25 + draw.next() * 0.7))
  const createdDay = Math.max(plan.today - age, plan.foundedDay)
  const archived = idea.name === 'Dues Working Party' || (index >= groupIdeas.length && age > 1500 && draw.chance(0.06))
  return {
    index,
    id: idOf(plan.seed, streams.group, index, millisecondsOf(createdDay, 36_000)),
    chapter,
    parent: idea.parent === undefined ? null : (byName.get(idea.parent) ?? null),
    code: `G-${String(index + 1).padStart(3, '0')}`,
    name: idea.name,
    kind: idea.kind,
    description: idea.description,
    visibility: idea.visibility ?? 'members',
    join: idea.join ?? 'request',
    createdDay,
    archivedDay: archived ? plan.today - 200 : null,
    draw: idea.seats === undefined ? (idea.draw ?? 1) : 0,
  }
}

function ideaOfChapter(plan: Plan, index: number, taken: ReadonlyMap<string, number>): GroupIdea {
  const draw = random(plan.seed, streams.groups, index)
  const chapter = plan.chapters[1 + draw.int(plan.chapters.length - 1)] ?? draw.pick(plan.chapters)
  const topic = draw.pick(groupTopics)
  const form = draw.pick(groupForms)
  const name = `${chapter.name} ${topic} ${form.suffix}`
  const open = draw.next()
  return {
    name: taken.has(name) ? `${name} ${index}` : name,
    kind: form.kind,
    description: `${topic} in and around ${chapter.name}: for members who would rather do something than discuss it.`,
    owner: chapter.name,
    visibility: open < 0.1 ? 'public' : open < 0.9 ? 'members' : open < 0.98 ? 'private' : 'secret',
    join: open < 0.5 ? 'open' : open < 0.85 ? 'request' : 'invite',
    ...(form.kind === 'committee' ? { seats: 5 } : { draw: 1 }),
  }
}

/** Who leads the group and, where it has seats, who sits on them. */
function appointedTo(
  plan: Plan,
  group: DemoGroup,
  seats: number | undefined,
  candidates: Candidates,
): [person: number, place: GroupPlace][] {
  const draw = random(plan.seed, streams.groups, group.index + 1_000_000)
  const leads = [...plan.personas].find(([, { leads: led }]) => led === group.name)?.[0]
  const taken = new Set<number>()
  const result: [number, GroupPlace][] = []
  for (let seat = 0; seat < (seats ?? 2); seat++) {
    const endDay = group.archivedDay ?? plan.today
    const startDay = Math.max(group.createdDay, endDay - 100 - draw.int(1_000))
    const person = (seat === 0 ? leads : undefined) ?? candidates.find(draw, group.chapter, startDay, endDay, taken)
    if (person === undefined) break
    taken.add(person)
    const role = seat === 0 ? 'leader' : seats === undefined || seat === 1 ? 'moderator' : 'member'
    const title = seat === 0 ? 'Chair' : seat === 1 ? (seats === undefined ? 'Deputy' : 'Secretary') : ''
    result.push([person, { group: group.index, role, title, rank: seat + 1, status: 'active', startDay, endDay: group.archivedDay }])
  }
  return result
}
