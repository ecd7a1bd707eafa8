import { ActionIcon, Button, Menu, Switch, VisuallyHidden } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { IconDots, IconDownload, IconPlayerPlay, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { MembershipType } from '@guildhall/contract/features/membership'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useMe, useRights } from '../../../platform/session/session.ts'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import rows from '../../../ui/display/row-cards.module.css'
import table from '../../../ui/display/small-table.module.css'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { ExportDialog } from '../../lists/lists-public.tsx'
import { useMembershipsChanged } from '../membership-api.ts'
import { openToWords, periodWords, usePrice } from '../membership-words.tsx'
import classes from '../membership.module.css'
import { TypeDialog } from './type-dialog.tsx'

/** Membership types with their rules, and the daily run for whoever does not want to wait for the night. */
export function TypesTab() {
  const api = useApi()
  const { data: me } = useMe()
  const can = useRights()
  const [exporting, setExporting] = useState(false)
  const counted = useQuery({ ...api.data.membership.list.queryOptions({ input: { limit: 1 } }), enabled: exporting })
  const [archived, setArchived] = useState(false)
  const [edited, setEdited] = useState<MembershipType | 'new' | null>(null)
  const types = useQuery(api.data.membership.types.list.queryOptions({ input: archived ? { archived } : {} }))
  const changed = useMembershipsChanged()
  const price = usePrice()
  if (types.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  if (types.isError)
    return <ProblemState problem={types.error} title={t`The membership types could not be loaded`} retry={() => void types.refetch()} />
  const { items } = types.data
  const mayChange = me?.permissions.some(({ permission, everywhere }) => permission === 'memberships.manage' && everywhere) ?? false
  const mayExport = can('people.export') && can('memberships.read')
  const put = async (type: MembershipType, away: boolean) => {
    const calls = api.data.membership.types
    const { name } = type
    try {
      const now = await calls[away ? 'archive' : 'restore'].call({ typeId: type.id }, { context: { ifMatch: type.version } })
      await changed()
      if (away) toast.undo(t`“${name}” archived`, () => put(now, false))
      else toast.success(t`“${name}” restored`)
    } catch (failure) {
      toast.error(away ? t`“${name}” could not be archived` : t`“${name}” could not be restored`, failure)
    }
  }
  const run = async () => {
    try {
      const done = await api.data.membership.run.call({})
      await changed()
      toast.success(
        done.continues
          ? t`Memberships are being updated. With so many it takes a minute.`
          : t`Memberships updated: ${done.renewalsOpened} renewals opened, ${done.toGrace} moved to the grace period, ${done.lapsed} lapsed`,
      )
    } catch (failure) {
      toast.error(t`The memberships could not be updated`, failure)
    }
  }
  const words = { period: periodWords(), openTo: openToWords() }
  return (
    <Section title={t`Membership types`} count={items.length}>
      <ExportDialog
        opened={exporting && counted.isSuccess}
        onClose={() => setExporting(false)}
        list="memberships"
        selection={{ all: {}, except: [] }}
        columns={[]}
        total={counted.data?.total ?? 0}
        totalIsExact={false}
      />
      <div className={classes['stack']}>
        <div className={classes['head']}>
          <p className={classes['dim']}>
            <Trans>
              A new price or rule applies to terms offered from then on. Terms that are running or awaiting payment keep theirs.
            </Trans>
          </p>
          {mayChange && (
            <div className={classes['tools']}>
              {mayExport && (
                <Button
                  variant="default"
                  leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
                  onClick={() => setExporting(true)}
                >
                  <Trans>Export memberships</Trans>
                </Button>
              )}
              <Button variant="default" leftSection={<IconPlayerPlay size={16} stroke={1.5} aria-hidden />} onClick={() => void run()}>
                <Trans>Update memberships now</Trans>
              </Button>
              <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setEdited('new')}>
                <Trans>New membership type</Trans>
              </Button>
            </div>
          )}
        </div>
        <Switch label={t`Show archived`} checked={archived} onChange={(event) => setArchived(event.currentTarget.checked)} />
        {items.length === 0 && <p>{t`There are no membership types yet.`}</p>}
        {items.length > 0 && (
          <div className={table['scroll']}>
            <table className={`${table['table']} ${rows['cards']}`}>
              <thead>
                <tr>
                  <th scope="col">{t`Type`}</th>
                  <th scope="col">{t`Price`}</th>
                  <th scope="col">{t`Period`}</th>
                  <th scope="col">{t`Grace`}</th>
                  <th scope="col">{t`Open to`}</th>
                  <th scope="col">{t`Approval`}</th>
                  {mayChange && (
                    <th scope="col">
                      <VisuallyHidden>{t`Actions`}</VisuallyHidden>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>
                {items.map((type) => (
                  <tr key={type.id}>
                    <th scope="row">
                      {type.name} {type.archivedAt && <StatusBadge>{t`Archived`}</StatusBadge>}
                    </th>
                    <td>{price(type.price)}</td>
                    <td className={rows['end']}>
                      {type.period === 'rolling' ? (
                        <Plural value={type.months ?? 0} one="# month" other="# months" />
                      ) : (
                        words.period[type.period]
                      )}
                    </td>
                    <td className={rows['minor']} data-label={t`Grace`}>
                      <Plural value={type.graceDays} one="# day" other="# days" />
                    </td>
                    <td className={`${rows['minor']} ${rows['end']}`}>{words.openTo[type.openTo]}</td>
                    <td className={rows['minor']} data-label={t`Approval`}>
                      {type.needsApproval ? t`Needed` : t`Not needed`}
                    </td>
                    {mayChange && (
                      <td className={rows['aside']}>
                        <Menu position="bottom-end">
                          <Menu.Target>
                            <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${type.name}`}>
                              <IconDots size={16} aria-hidden />
                            </ActionIcon>
                          </Menu.Target>
                          <Menu.Dropdown>
                            <Menu.Item onClick={() => setEdited(type)}>
                              <Trans>Change</Trans>
                            </Menu.Item>
                            <Menu.Item onClick={() => void put(type, type.archivedAt === null)}>
                              {type.archivedAt === null ? <Trans>Archive</Trans> : <Trans>Restore</Trans>}
                            </Menu.Item>
                          </Menu.Dropdown>
                        </Menu>
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
      <TypeDialog edited={edited} currency={me?.organisation.currency ?? 'EUR'} onClose={() => setEdited(null)} />
    </Section>
  )
}
