import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { PaperButton } from '../../../platform/records/paper-button.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { PlainDate } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import rows from '../../../ui/display/row-cards.module.css'
import table from '../../../ui/display/small-table.module.css'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import classes from '../giving.module.css'
import { isPeriod, PeriodFields } from '../period-fields.tsx'
import type { Period } from '../period-fields.tsx'
import { useSums } from './giving-figures.tsx'
import { useGivingStatement } from './giving-api.ts'

/** What was given in a period, for a tax return: as a document at once, or to read first. */
export function GivingStatement({ personId }: { personId: string }) {
  const { printStatement } = useApi().actions.fundraising.donors
  const year = Number(useToday().slice(0, 4))
  const [period, setPeriod] = useState<Period>({ since: `${year - 1}-01-01`, until: `${year - 1}-12-31` })
  const [shown, setShown] = useState(false)
  const valid = isPeriod(period)
  return (
    <Section title={t`Statement for the tax return`}>
      <div className={classes['stack']}>
        <PeriodFields value={period} onChange={setPeriod}>
          <Button variant="subtle" onClick={() => setPeriod({ since: `${year}-01-01`, until: `${year}-12-31` })}>
            <Trans>This year</Trans>
          </Button>
        </PeriodFields>
        {valid && (
          <div className={classes['tools']}>
            <PaperButton name={`giving-${period.since}-${period.until}.pdf`} load={() => printStatement.call({ personId, ...period })} />
            {!shown && (
              <Button variant="subtle" onClick={() => setShown(true)}>
                <Trans>Show statement</Trans>
              </Button>
            )}
          </div>
        )}
        {valid && shown && <Entries personId={personId} period={period} />}
      </div>
    </Section>
  )
}

function Entries({ personId, period }: { personId: string; period: Period }) {
  const statement = useGivingStatement(personId, period)
  const money = useMoney()
  const sums = useSums()
  if (statement.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={4} />
      </Loading>
    )
  }
  if (statement.isError)
    return <ProblemState problem={statement.error} title={t`The statement could not be loaded`} retry={() => void statement.refetch()} />
  const { gifts, totals } = statement.data
  if (gifts.length === 0) return <p className={classes['dim']}>{t`No gifts in this period.`}</p>
  return (
    <div className={table['scroll']}>
      <table className={`${table['table']} ${rows['cards']}`} aria-label={t`Statement`}>
        <thead>
          <tr>
            <th scope="col">{t`Date`}</th>
            <th scope="col">{t`Campaign`}</th>
            <th scope="col">{t`Receipt`}</th>
            <th scope="col" className={table['figure']}>{t`Amount`}</th>
          </tr>
        </thead>
        <tbody>
          {gifts.map(({ giftId, on, campaign, receipt, money: { amount, currency } }) => (
            <tr key={giftId}>
              <td>
                <PlainDate date={on} />
              </td>
              <td className={rows['across']}>{campaign}</td>
              <td className={rows['minor']}>{receipt}</td>
              <td className={`${table['figure']} ${rows['aside']}`}>{money(amount, currency)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">{t`Total`}</th>
            <td className={rows['across']} />
            <td />
            <td className={`${table['figure']} ${rows['aside']}`}>
              <strong>{sums(totals)}</strong>
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  )
}
