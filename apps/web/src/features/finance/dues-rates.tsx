import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Chapter } from '@guildhall/contract/features/chapters'
import type { DuesRate } from '@guildhall/contract/features/finance'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useMe, useRights } from '../../platform/session/session.ts'
import { useMoney } from '../../ui/display/money.tsx'
import rows from '../../ui/display/row-cards.module.css'
import table from '../../ui/display/small-table.module.css'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { ChargeDialog } from './charge-dialog.tsx'
import { DuesRuns } from './dues-runs.tsx'
import { useBooksChanged } from './finance-api.ts'
import { chargedToWords, periodWords } from './finance-words.tsx'
import classes from './finance.module.css'
import { RateDialog } from './rate-dialog.tsx'
import type { EditedRate } from './rate-dialog.tsx'

/** Rates charged in a chapter: its own, and those of the chapters above it and of the whole organisation. */
export function DuesRates({ chapter }: { chapter: Chapter }) {
  const api = useApi()
  const can = useRights()
  const { data: me } = useMe()
  const money = useMoney()
  const changed = useBooksChanged()
  const [edited, setEdited] = useState<EditedRate | null>(null)
  const [charges, setCharges] = useState(false)
  const rates = useQuery(api.data.finance.rates.list.queryOptions({ input: { chapterId: chapter.id } }))
  if (rates.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={4} />
      </Loading>
    )
  }
  if (rates.isError)
    return <ProblemState problem={rates.error} title={t`The dues rates could not be loaded`} retry={() => void rates.refetch()} />
  const { items } = rates.data
  const replaced = new Set(items.map(({ overridesId }) => overridesId))
  const chargeable = items.filter(({ overridesId, archivedAt }) => overridesId === null && archivedAt === null)
  const mayChange = can('finance.manage', { chapterId: chapter.id })
  const archive = async (rate: DuesRate) => {
    const calls = api.data.finance.rates
    const { name } = rate
    try {
      const archived = await calls.archive.call({ rateId: rate.id }, { context: { ifMatch: rate.version } })
      toast.undo(t`“${name}” archived`, async () => {
        await calls.restore.call({ rateId: archived.id }, { context: { ifMatch: archived.version } })
        await changed()
      })
    } catch (failure) {
      toast.error(t`“${name}” could not be archived`, failure)
    }
    await changed()
  }
  return (
    <div className={classes['stack']}>
      <Section title={t`Dues rates`} count={items.length}>
        <div className={classes['stack']}>
          {mayChange && (
            <div className={classes['acts']}>
              {chargeable.length > 0 && (
                <Button onClick={() => setCharges(true)}>
                  <Trans>Charge dues</Trans>
                </Button>
              )}
              <Button variant={chargeable.length > 0 ? 'default' : 'filled'} onClick={() => setEdited('new')}>
                <Trans>New dues rate</Trans>
              </Button>
            </div>
          )}
          {items.length === 0 && <p>{t`No dues are charged here.`}</p>}
          {items.length > 0 && (
            <div className={table['scroll']}>
              <table className={`${table['table']} ${rows['cards']}`}>
                <thead>
                  <tr>
                    <th scope="col">{t`Rate`}</th>
                    <th scope="col">{t`Set for`}</th>
                    <th scope="col">{t`Charged to`}</th>
                    <th scope="col">{t`Period`}</th>
                    <th scope="col" className={table['figure']}>{t`Amount`}</th>
                    <th scope="col">{t`Actions`}</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((rate) => (
                    <tr key={rate.id}>
                      <th scope="row">{rate.name}</th>
                      <td className={rows['across']}>
                        {rate.chapter?.name ?? t`Whole organisation`}
                        {replaced.has(rate.id) && <div className={classes['dim']}>{t`Replaced by a chapter’s own rate`}</div>}
                      </td>
                      <td className={rows['minor']}>{chargedToWords()[rate.chargedTo]}</td>
                      <td className={`${rows['minor']} ${rows['end']}`}>{periodWords()[rate.period]}</td>
                      <td className={`${table['figure']} ${rows['aside']}`}>{money(rate.price.amount, rate.price.currency)}</td>
                      <td className={rows['acts']}>
                        {mayChange && rate.chapter?.id === chapter.id && (
                          <>
                            <Button variant="subtle" size="compact-sm" onClick={() => setEdited({ change: rate })}>
                              <Trans>Change</Trans>
                            </Button>
                            <Button variant="subtle" size="compact-sm" onClick={() => void archive(rate)}>
                              <Trans>Archive</Trans>
                            </Button>
                          </>
                        )}
                        {mayChange && rate.chapter === null && !replaced.has(rate.id) && (
                          <Button variant="subtle" size="compact-sm" onClick={() => setEdited({ override: rate })}>
                            <Trans>Set own rate</Trans>
                          </Button>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </div>
        <RateDialog chapter={chapter} edited={edited} currency={me?.organisation.currency ?? 'EUR'} onClose={() => setEdited(null)} />
        <ChargeDialog chapter={chapter} rates={chargeable} opened={charges} onClose={() => setCharges(false)} />
      </Section>
      <DuesRuns chapter={chapter} />
    </div>
  )
}
