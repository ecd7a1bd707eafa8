import type { Message } from '@guildhall/contract/features/communication.messages'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { fault, problem } from '../../../platform/procedures/problem.ts'
import { audienceSql } from '../audiences/communication.audiences.public.ts'
import { countMissing } from '../body/communication.merge.queries.ts'
import { contentFindings, unsureFields } from './communication.checks.rules.ts'

const scopeOf = ({ chapter, group }: Pick<Message, 'chapter' | 'group'>) => ({ chapterId: chapter?.id ?? null, groupId: group?.id ?? null })

/** How many people the audience has as the caller sees it. */
export async function audienceReach(db: ActorDb, message: Message): Promise<number> {
  const people = await audienceSql(db, message.audience, scopeOf(message))
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${people}) a`.execute(db)
  return rows[0]?.n ?? 0
}

/** Refuses a message that cannot be sent as it is, and says where. */
export function mustBeComplete(message: Message): void {
  const wrong = contentFindings(message).find(({ severity }) => severity === 'error')
  if (!wrong) return
  const { params } = wrong
  switch (wrong.code) {
    case 'no_topic':
      throw problem('UNPROCESSABLE_CONTENT', fault('topicId', 'message_needs_topic', 'Choose what this message is about.'))
    case 'no_subject':
      throw problem('UNPROCESSABLE_CONTENT', fault('subject', 'message_needs_subject', 'Enter a subject.'))
    case 'unknown_field':
    case 'broken_field': {
      const { field, part, block, position } = params
      throw problem(
        'UNPROCESSABLE_CONTENT',
        fault(
          part === 'body' ? `body.blocks.${Number(block) - 1}` : String(part),
          'message_unknown_field',
          `There is no field called ${field}.`,
          {
            params: { field: String(field), position: Number(position) },
          },
        ),
      )
    }
    default:
      throw problem('UNPROCESSABLE_CONTENT', fault('body', 'message_needs_text', 'Write something first.'))
  }
}

type Reach = {
  recipients: number
  skipped: Record<string, number>
  /** Everybody whom the scope has. */
  everybody: number
  overlaps: { name: string; people: number }[]
  /** Fields without a fallback, and how many lack a value for them. */
  missing: ReadonlyMap<string, number>
}
/** What would become of the audience now. */
export async function reachOf(db: ActorDb, message: Message): Promise<Reach> {
  const people = await audienceSql(db, message.audience, scopeOf(message))
  const { rows } = await sql<{ reach: Omit<Reach, 'missing'> }>`
    select app.check_recipients(${message.id}::uuid, array(select a.person_id from (${people}) a)) as reach`.execute(db)
  const missing = await countMissing(db, people, unsureFields(message))
  return { ...(rows[0]?.reach ?? { recipients: 0, skipped: {}, everybody: 0, overlaps: [] }), missing }
}
