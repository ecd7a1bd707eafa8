import { ActionIcon, Button, Menu, Switch, VisuallyHidden } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { RelationshipType } from '@guildhall/contract/features/relationships'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useHoldsEverywhere } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import rows from '../../../ui/display/row-cards.module.css'
import table from '../../../ui/display/small-table.module.css'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useRelationshipsChanged, useTypes } from '../relationships-api.ts'
import { TypeDialog } from './type-dialog.tsx'
import { approvalWords, rulesOf } from './type-words.ts'
import classes from './types.module.css'

/** Types of relationships with their rules, and how many are active of each. */
export function TypesTab() {
  const [withArchived, setWithArchived] = useState(false)
  const [edited, setEdited] = useState<RelationshipType | 'new' | null>(null)
  const types = useTypes(false)
  const archived = useTypes(true, withArchived)
  const mayChange = useHoldsEverywhere('organisation.manage')
  const put = usePut()
  const failed = [types, ...(withArchived ? [archived] : [])].find(({ isError, data }) => isError && !data)
  if (failed) {
    return <ProblemState problem={failed.error} title={t`The relationship types could not be loaded`} retry={() => void failed.refetch()} />
  }
  if (!types.data || (withArchived && !archived.data)) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  const items = [...types.data.items, ...(withArchived ? (archived.data?.items ?? []) : [])]
  return (
    <Section title={t`Relationship types`} count={items.length}>
      <div className={classes['stack']}>
        <div className={classes['head']}>
          <p className={classes['dim']}>
            <Trans>
              Which relationships people can stand in, and by which rules. The age of majority, at which those for minors end, is set under
              Organisation.
            </Trans>
          </p>
          {mayChange && (
            <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setEdited('new')}>
              <Trans>New relationship type</Trans>
            </Button>
          )}
        </div>
        <Switch label={t`Show archived`} checked={withArchived} onChange={(event) => setWithArchived(event.currentTarget.checked)} />
        {items.length === 0 ? (
          <p>{t`There are no relationship types yet.`}</p>
        ) : (
          <div className={table['scroll']}>
            <table className={`${table['table']} ${rows['cards']}`}>
              <thead>
                <tr>
                  <th scope="col">{t`Type`}</th>
                  <th scope="col">{t`First and second person`}</th>
                  <th scope="col">{t`Rules`}</th>
                  <th scope="col">{t`Agreed to by`}</th>
                  <th scope="col" className={table['figure']}>{t`Active`}</th>
                  {mayChange && (
                    <th scope="col">
                      <VisuallyHidden>{t`Actions`}</VisuallyHidden>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>
                {items.map((type) => (
                  <TypeRow key={type.id} type={type} mayChange={mayChange} onEdit={setEdited} onPut={put} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
      <TypeDialog edited={edited} onClose={() => setEdited(null)} />
    </Section>
  )
}

type RowProps = {
  type: RelationshipType
  mayChange: boolean
  onEdit: (type: RelationshipType) => void
  onPut: (type: RelationshipType, away: boolean) => Promise<void>
}

function TypeRow({ type, mayChange, onEdit, onPut }: RowProps) {
  const { number } = useFormats()
  const { name, key, forwardLabel, inverseLabel, approval, active, archivedAt } = type
  return (
    <tr>
      <th scope="row">
        {name} {archivedAt && <StatusBadge>{t`Archived`}</StatusBadge>}
        <span className={classes['key']}>{key}</span>
      </th>
      <td className={rows['across']}>{forwardLabel === inverseLabel ? forwardLabel : t`${forwardLabel}, ${inverseLabel}`}</td>
      <td className={`${rows['minor']} ${rows['across']}`}>{rulesOf(type).join(' · ')}</td>
      <td className={rows['minor']} data-label={t`Agreed to by`}>
        {approvalWords()[approval]}
      </td>
      <td className={`${rows['minor']} ${rows['end']} ${table['figure']}`} data-label={t`Active`}>
        {active !== null && number(active)}
      </td>
      {mayChange && (
        <td className={rows['aside']}>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${name}`}>
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => onEdit(type)}>
                <Trans>Change</Trans>
              </Menu.Item>
              <Menu.Item onClick={() => void onPut(type, archivedAt === null)}>
                {archivedAt === null ? <Trans>Archive</Trans> : <Trans>Restore</Trans>}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </td>
      )}
    </tr>
  )
}

/** Archives a type, with Undo, or restores it. */
function usePut() {
  const { archiveType, restoreType } = useApi().data.relationships
  const changed = useRelationshipsChanged()
  const put = async ({ id: relationshipTypeId, name, version }: RelationshipType, away: boolean): Promise<void> => {
    try {
      const call = away ? archiveType : restoreType
      const now = await call.call({ relationshipTypeId }, { context: { ifMatch: version } })
      await changed()
      if (away) toast.undo(t`“${name}” archived`, () => put(now, false))
      else toast.success(t`“${name}” restored`)
    } catch (failure) {
      toast.error(away ? t`“${name}” could not be archived` : t`“${name}” could not be restored`, failure)
    }
  }
  return put
}
