import { Button } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Suspense } from 'react'
import {
  IconArchive,
  IconBuildingCommunity,
  IconDownload,
  IconForms,
  IconReceipt,
  IconRepeatOff,
  IconStatusChange,
  IconTag,
  IconUsersGroup,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { BulkChange } from '@guildhall/contract/features/people'
import { useApi } from '../../../platform/api/api.tsx'
import { useSlot } from '../../../platform/navigation/slots.tsx'
import { useRights } from '../../../platform/session/session.ts'
import type { Selection } from '../../../ui/list/selection.ts'
import { useListFields } from '../../fields/fields-public.tsx'
import { useRenewalNote, whyNotRenewed } from '../../membership/membership-people-public.tsx'
import { BulkBar as Bar, toSelection } from '../../lists/bulk-public.tsx'
import type { BulkAction } from '../../lists/bulk-public.tsx'
import { usePeopleChanged } from '../people-api.ts'
import type { Question } from '../people-api.ts'
import { BulkChoice, doneText, titleOf, verbOf } from './bulk-choice.tsx'
import type { BulkKind } from './bulk-choice.tsx'

type Props = { selection: Selection; question: Question; total: number; totalIsExact: boolean; onExport: () => void }

/** What can be done with the selected people; actions outside one's rights are absent. */
export function BulkBar({ onExport, ...selected }: Props) {
  const can = useRights()
  const { bulk } = useApi().actions.people
  const changed = usePeopleChanged()
  const writes = can('people.write')
  const renewal = useRenewalNote(can('memberships.manage'))
  const hasFields = useListFields('people').length > 0
  const action = (kind: BulkKind, label: string, icon: Icon, more: Partial<BulkAction<BulkChange>> = {}): BulkAction<BulkChange> => ({
    key: kind,
    label,
    icon,
    title: (people) => titleOf(kind, people),
    verb: (people) => verbOf(kind, people),
    done: (people, name) => doneText(kind, people, name),
    choose: (tell) => <BulkChoice kind={kind} onChange={tell} />,
    ...more,
  })
  const acts = useSlot('selectionActs')
  const shortcut = { keys: 't', label: t`Tag the selected people`, group: t`Members` }
  return (
    <Bar<BulkChange>
      {...selected}
      count={(people) => plural(people, { one: '# person', other: '# people' })}
      preview={bulk.preview.call}
      run={bulk.run.call}
      changed={() => changed()}
      actions={[
        ...(writes ? [action('tag', t`Tag`, IconTag, { shortcut })] : []),
        ...(can('groups.manage') ? [action('addToGroup', t`Add to group`, IconUsersGroup)] : []),
        ...(writes
          ? [
              action('lifecycle', t`Status`, IconStatusChange),
              action('affiliate', t`Chapter`, IconBuildingCommunity),
              ...(hasFields ? [action('field', t`Field`, IconForms)] : []),
              action('archive', t`Archive`, IconArchive, {
                change: { do: 'archive' },
                note: t`Archived people leave every list and can be restored for 30 days.`,
              }),
            ]
          : []),
        ...(can('memberships.manage')
          ? [
              action('renew', t`Renewal invoices`, IconReceipt, {
                change: { do: 'renew' },
                note: renewal,
                stays: { why: whyNotRenewed },
              }),
              action('stopAutoRenew', t`Auto-renewal off`, IconRepeatOff, {
                change: { do: 'stopAutoRenew' },
                note: t`Their memberships run to the end of the term. Members can turn auto-renewal on again.`,
              }),
            ]
          : []),
      ]}
      further={(guarded) => (
        <>
          <Suspense>
            {acts.map((Act, at) => (
              <Act key={at} people={() => toSelection(selected.selection, selected.question)} guarded={guarded} />
            ))}
          </Suspense>
          {can('people.export') && (
            <Button
              variant="subtle"
              size="compact-md"
              leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
              onClick={() => guarded(onExport)}
            >
              {t`Export`}
            </Button>
          )}
        </>
      )}
    />
  )
}
