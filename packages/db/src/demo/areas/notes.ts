import type { DemoArea } from '../area.ts'
import { accountId, personId } from '../world.ts'

type Visibility = 'self' | 'officers' | 'organisation'
const noted: readonly [by: string, about: string, visibility: Visibility, text: string, pinned?: true][] = [
  ['secretary', 'member', 'organisation', 'Offered to help at the front desk of the summer meeting.'],
  ['secretary', 'leader', 'organisation', 'Speaks French and Portuguese; asks to be called rather than written to.', true],
  ['owner', 'member', 'officers', 'Dues for this year were waived after the move. See the letter of March.'],
  ['secretary', 'member', 'self', 'Ask about the scholarship committee when we next talk.'],
]

export const notesDemo: DemoArea = {
  table: 'notes',
  rows: (world) => {
    const indexOf = (sub: string) => [...world.personas].find(([, { demo }]) => demo.sub === sub)?.[0]
    return noted.flatMap(([by, about, visibility, text, pinned = false]) => {
      const [author, subject] = [indexOf(by), indexOf(about)]
      if (author === undefined || subject === undefined) return []
      return {
        record_type: 'person',
        record_id: personId(world, subject),
        visibility,
        body: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] },
        pinned,
        author_id: personId(world, author),
        created_by: accountId(world, author),
      }
    })
  },
}
