import type { DemoArea } from './area.ts'
import { audiencesDemo } from './areas/audiences.ts'
import { commentsDemo } from './areas/comments.ts'
import { eventViewsDemo } from './areas/event-views.ts'
import { messageTemplatesDemo } from './areas/message-templates.ts'
import { notesDemo } from './areas/notes.ts'
import { financeDemo } from './areas/finance.ts'
import { integrationsDemo } from './areas/integrations.ts'
import { instantOf } from './days.ts'
import { idOf } from './random.ts'
import type { World } from './world.ts'

/** Areas made by `npm run new`. */
export const demoAreas: readonly DemoArea[] = [
  commentsDemo,
  notesDemo,
  financeDemo,
  eventViewsDemo,
  audiencesDemo,
  messageTemplatesDemo,
  integrationsDemo,
]

/** Streams of draws from here on are those of areas, in their order. */
const firstStream = 1_000

/** Rows of an area, entered one a week until a week ago, unless they say when. */
export const rowsOf = ({ rows }: DemoArea, world: World) =>
  rows(world).map((row, index, { length }) => {
    const at = typeof row['created_at'] === 'string' ? row['created_at'] : instantOf(world.today - 7 * (length - index), 36_000)
    const id = idOf(world.seed, firstStream + demoAreas.findIndex((area) => area.rows === rows), index, Date.parse(at))
    return { ...row, org_id: world.orgId, id, created_at: at, updated_at: at }
  })
