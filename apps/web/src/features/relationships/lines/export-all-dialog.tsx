import { useQuery } from '@tanstack/react-query'
import type { RelationshipType } from '@guildhall/contract/features/relationships'
import { useApi } from '../../../platform/api/api.tsx'
import { ExportDialog } from '../../lists/lists-public.tsx'

type Props = { opened: boolean; type: RelationshipType; onClose: () => void }

/** Everything that is recorded of a type, with days and notes, as an import brings it back. */
export function ExportAllDialog({ opened, type, onClose }: Props) {
  const { list } = useApi().data.relationships
  const counted = useQuery({ ...list.queryOptions({ input: { typeId: type.id, limit: 1 } }), enabled: opened })
  return (
    <ExportDialog
      opened={opened && counted.isSuccess}
      onClose={onClose}
      list="relationships"
      selection={{ all: { filter: { and: [{ or: [{ field: 'type', op: 'in', value: [type.id] }] }] } }, except: [] }}
      columns={[]}
      total={counted.data?.total ?? 0}
      totalIsExact={counted.data?.totalIsExact ?? false}
    />
  )
}
