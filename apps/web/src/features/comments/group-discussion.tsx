import type { Group } from '@guildhall/contract/features/groups'
import { Comments } from './comments.tsx'

export const GroupDiscussion = ({ group }: { group: Group }) => (
  <Comments recordType="group" recordId={group.id} closed={group.archivedAt !== null} />
)
