import type { DemoArea } from '../area.ts'
import type { World } from '../world.ts'

type Part = { kind: string } & Record<string, unknown>
type Saved = { name: string; description: string; include: Part[]; exclude?: Part[]; chapter?: string }

const people = (field: string, ...value: string[]): Part => ({ kind: 'people', filter: { and: [{ or: [{ field, op: 'in', value }] }] } })

function savedIn({ chapters, groups }: World): Saved[] {
  const [chapter] = chapters.filter(({ depth }) => depth === 1)
  const [group] = groups.all
  return [
    { name: 'Active members', description: 'For the monthly newsletter', include: [people('lifecycle', 'active')] },
    { name: 'Alumni', description: 'Twice a year, with the report', include: [people('lifecycle', 'alumni')] },
    ...(group
      ? [
          {
            name: `Not yet in ${group.name}`,
            description: 'Active members to invite to the group',
            include: [people('lifecycle', 'active')],
            exclude: [{ kind: 'group', id: group.id }],
          },
        ]
      : []),
    ...(chapter
      ? [
          {
            name: `Friends of ${chapter.name}`,
            description: 'Everybody of the chapter and of those below it',
            include: [{ kind: 'chapter', id: chapter.id, below: true }],
            chapter: chapter.id,
          },
        ]
      : []),
  ]
}

export const audiencesDemo: DemoArea = {
  table: 'audiences',
  rows: (world) =>
    savedIn(world).map(({ name, description, include, exclude = [], chapter = null }) => ({
      name,
      description,
      chapter_id: chapter,
      definition: { include, exclude },
    })),
}
