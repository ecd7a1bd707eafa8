import type { DemoArea } from '../area.ts'
import { accountId, personId } from '../world.ts'

const said: readonly [sub: string, text: string][] = [
  ['leader', 'Welcome, everybody. Tell us what you would like to hear about this winter.'],
  ['member', 'A talk about the first year abroad would be good: flats, papers, money.'],
  ['secretary', 'The office has notes from last year’s talk and can share them.'],
  ['leader', 'Thank you. Let us plan it for the last week of January.'],
]

export const commentsDemo: DemoArea = {
  table: 'comments',
  rows: (world) => {
    const leader = [...world.personas.values()].find(({ leads }) => leads !== undefined)
    const group = world.groups.all.find(({ name }) => name === leader?.leads)
    if (!group) return []
    return said.flatMap(([sub, text]) => {
      const index = [...world.personas].find(([, { demo }]) => demo.sub === sub)?.[0]
      if (index === undefined) return []
      return {
        record_type: 'group',
        record_id: group.id,
        body: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] },
        author_id: personId(world, index),
        created_by: accountId(world, index),
      }
    })
  },
}
