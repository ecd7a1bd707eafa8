import { ActionIcon, Button, Menu, Switch, VisuallyHidden } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Fund } from '@guildhall/contract/features/fundraising'
import { IconDots, IconPigMoney, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { ChapterLink } from '../../../platform/records/record-links.tsx'
import { useCan } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import rows from '../../../ui/display/row-cards.module.css'
import table from '../../../ui/display/small-table.module.css'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { giftsHref, counted, ofFund } from '../campaigns/list-links.ts'
import { useFundraisingChanged, useFunds } from '../fundraising-api.ts'
import { useGivingPlace } from '../use-giving-place.ts'
import { FundDialog } from './fund-dialog.tsx'
import classes from './funds.module.css'

/** What gifts are for, as accounting knows it, and what each has brought. */
export function FundsTab() {
  const { search, go } = useGivingPlace()
  const showsArchived = search.archived === 1
  const funds = useFunds(showsArchived)
  const mayAdd = useCan('fundraising.manage')
  const [edited, setEdited] = useState<Fund | null>(null)
  const isNew = search.new === 1 && mayAdd
  const close = () => {
    setEdited(null)
    if (isNew) go({ new: undefined }, { replace: true })
  }
  const create = (
    <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => go({ new: 1 })}>
      <Trans>New fund</Trans>
    </Button>
  )
  const items = funds.data?.items.filter(({ archivedAt }) => (archivedAt !== null) === showsArchived) ?? []
  return (
    <Section title={t`Funds`} {...(funds.data && { count: items.length })} actions={mayAdd && create}>
      <div className={classes['stack']}>
        <p className={classes['dim']}>
          <Trans>A gift goes to one fund, or is split between several. Campaigns say which fund is the usual one.</Trans>
        </p>
        <Switch
          label={t`Show archived`}
          checked={showsArchived}
          onChange={({ currentTarget }) => go({ archived: currentTarget.checked ? 1 : undefined }, { replace: true })}
        />
        {funds.isPending ? (
          <Loading label={t`Loading`}>
            <SkeletonLines count={6} />
          </Loading>
        ) : funds.isError ? (
          <ProblemState problem={funds.error} title={t`The funds could not be loaded`} retry={() => void funds.refetch()} />
        ) : items.length === 0 ? (
          <EmptyState
            level={3}
            icon={<IconPigMoney size={32} stroke={1.5} />}
            title={showsArchived ? t`No fund is archived` : t`No funds yet`}
            action={!showsArchived && mayAdd && create}
          >
            {!showsArchived && t`A campaign needs a fund before it can start, such as “Scholarships” or “General fund”.`}
          </EmptyState>
        ) : (
          <FundTable funds={items} onEdit={setEdited} />
        )}
      </div>
      <FundDialog edited={isNew ? 'new' : edited} onClose={close} />
    </Section>
  )
}

function FundTable({ funds, onEdit }: { funds: readonly Fund[]; onEdit: (fund: Fund) => void }) {
  const { number } = useFormats()
  const money = useMoney()
  const seesGifts = useCan('gifts.read')
  const put = usePut()
  return (
    <div className={table['scroll']}>
      <table className={`${table['table']} ${rows['cards']}`}>
        <thead>
          <tr>
            <th scope="col">{t`Fund`}</th>
            <th scope="col">{t`Code`}</th>
            <th scope="col">{t`Chapter`}</th>
            <th scope="col" className={table['figure']}>{t`Gifts`}</th>
            <th scope="col" className={table['figure']}>{t`Received`}</th>
            <th scope="col">
              <VisuallyHidden>{t`Actions`}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {funds.map((fund) => {
            const sum = fund.settled.map(({ amount, currency }) => money(amount, currency)).join(', ') || '–'
            return (
              <tr key={fund.id}>
                <th scope="row">
                  {fund.name}
                  {fund.description && <div className={classes['dim']}>{fund.description}</div>}
                </th>
                <td className={rows['minor']} data-label={t`Code`}>
                  {fund.code || '–'}
                </td>
                <td className={rows['across']}>{fund.chapter ? <ChapterLink chapter={fund.chapter} /> : t`Whole organisation`}</td>
                <td className={`${table['figure']} ${rows['minor']} ${rows['end']}`} data-label={t`Gifts`}>
                  {number(fund.gifts)}
                </td>
                <td className={`${table['figure']} ${rows['aside']}`}>
                  {seesGifts && fund.gifts > 0 ? <AppLink href={giftsHref(undefined, ofFund(fund.id), counted)}>{sum}</AppLink> : sum}
                </td>
                <td className={rows['acts']}>
                  {fund.may.edit && (
                    <Menu>
                      <Menu.Target>
                        <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${fund.name}`}>
                          <IconDots size={16} aria-hidden />
                        </ActionIcon>
                      </Menu.Target>
                      <Menu.Dropdown>
                        {fund.archivedAt === null && (
                          <Menu.Item onClick={() => onEdit(fund)}>
                            <Trans>Edit</Trans>
                          </Menu.Item>
                        )}
                        <Menu.Item onClick={() => void put(fund)}>
                          {fund.archivedAt === null ? <Trans>Archive</Trans> : <Trans>Restore</Trans>}
                        </Menu.Item>
                      </Menu.Dropdown>
                    </Menu>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** Archives a fund, with Undo, or brings it back. */
function usePut() {
  const { archive, restore } = useApi().data.fundraising.funds
  const changed = useFundraisingChanged()
  const bringBack = async (fundId: string, version: number) => {
    await restore.call({ fundId }, { context: { ifMatch: version } })
    await changed()
  }
  return async ({ id: fundId, name, archivedAt, version }: Fund) => {
    try {
      if (archivedAt !== null) {
        await bringBack(fundId, version)
        return toast.success(t`${name} restored`)
      }
      const archived = await archive.call({ fundId }, { context: { ifMatch: version } })
      await changed()
      toast.undo(t`${name} archived`, () => bringBack(fundId, archived.version))
    } catch (problem) {
      toast.error(archivedAt === null ? t`${name} could not be archived.` : t`${name} could not be restored.`, problem)
    }
  }
}
