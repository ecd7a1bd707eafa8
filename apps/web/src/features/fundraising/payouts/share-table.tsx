import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import type { ChapterShare } from '@guildhall/contract/features/fundraising.donors'
import { ChapterLink } from '../../../platform/records/record-links.tsx'
import { PlainDate, useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import rows from '../../../ui/display/row-cards.module.css'
import table from '../../../ui/display/small-table.module.css'
import classes from '../giving.module.css'

type Props = {
  shares: readonly ChapterShare[]
  /** Whether figures lead to the gifts behind them. */
  seesGifts: boolean
}

/** The share of each chapter; a share opens the gifts that it is made of. */
export function ShareTable({ shares, seesGifts }: Props) {
  const money = useMoney()
  const { number } = useFormats()
  return (
    <div className={table['scroll']}>
      <table className={`${table['table']} ${rows['cards']}`} aria-label={t`Chapter shares`}>
        <thead>
          <tr>
            <th scope="col">{t`Chapter`}</th>
            <th scope="col" className={table['figure']}>{t`Gifts`}</th>
            <th scope="col" className={table['figure']}>{t`Share`}</th>
            <th scope="col" className={table['figure']}>{t`Paid out`}</th>
            <th scope="col" className={table['figure']}>{t`Balance`}</th>
            <th scope="col">{t`Last payout`}</th>
          </tr>
        </thead>
        <tbody>
          {shares.map(({ chapter, currency, share, paidOut, balance, gifts, lastPaidOn }) => {
            const total = money(share, currency)
            return (
              <tr key={`${chapter.id} ${currency}`}>
                <th scope="row">
                  <ChapterLink chapter={chapter} />
                </th>
                <td className={`${table['figure']} ${rows['minor']}`} data-label={t`Gifts`}>
                  {number(gifts)}
                </td>
                <td className={`${table['figure']} ${rows['minor']}`} data-label={t`Share`}>
                  {seesGifts ? (
                    <Link
                      to="/fundraising/$campaignId/{-$tab}"
                      params={{ campaignId: 'all', tab: 'donations' }}
                      search={{ filter: { and: [{ or: [{ field: 'share', op: 'in', value: [chapter.id] }] }] } }}
                      aria-label={t`Gifts behind ${total} of ${chapter.name}`}
                    >
                      {total}
                    </Link>
                  ) : (
                    total
                  )}
                </td>
                <td className={`${table['figure']} ${rows['minor']}`} data-label={t`Paid out`}>
                  {money(paidOut, currency)}
                </td>
                <td className={`${table['figure']} ${rows['aside']}`}>
                  {money(balance, currency)}
                  {balance < 0 && <div className={classes['dim']}>{t`paid too much`}</div>}
                </td>
                <td className={rows['minor']} data-label={lastPaidOn ? t`Last payout` : undefined}>
                  {lastPaidOn && <PlainDate date={lastPaidOn} />}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
