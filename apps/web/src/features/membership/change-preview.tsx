import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { HeldMembershipDetail, MembershipChangePreview } from '@guildhall/contract/features/membership'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { statusWords } from './membership-words.tsx'
import table from '../../ui/display/small-table.module.css'
import classes from './membership.module.css'

type Props = { held: HeldMembershipDetail; change: { typeId?: string; chapterId?: string | null } }

/** Who would be charged what and when, as soon as something is changed. */
export function ChangePreview({ held, change }: Props) {
  const isChange = Object.keys(change).length > 0
  const found = useQuery({
    ...useApi().data.membership.preview.queryOptions({ input: { membershipId: held.id, ...change } }),
    enabled: isChange,
    gcTime: 0,
    retry: false,
  })
  if (!isChange) return null
  return (
    <div role="status">
      {found.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={3} />
        </Loading>
      )}
      {found.isError && (
        <ProblemState problem={found.error} title={t`The effect could not be worked out`} retry={() => void found.refetch()} />
      )}
      {found.isSuccess && <Effect person={held.person.displayName} found={found.data} />}
    </div>
  )
}

type Outlook = MembershipChangePreview['before']

function Effect({ person, found: { before, after, invoices } }: { person: string; found: MembershipChangePreview }) {
  const money = useMoney()
  const { day } = useFormats()
  const words = statusWords()
  const charged = ({ next }: Outlook) => (next ? money(next.amount, next.currency) : t`Nothing without a renewal`)
  const rows: [string, (outlook: Outlook) => string][] = [
    [t`Status`, ({ status }) => words[status]],
    [t`Paid until`, ({ endsOn, status }) => (endsOn ? day(endsOn) : status === 'active' ? t`No end` : '–')],
    [t`Next charge to ${person}`, charged],
    [t`Charged on`, ({ next }) => (next ? day(next.on) : '–')],
    [t`Chapter share`, ({ next }) => (next ? money(next.chapterShare, next.currency) : '–')],
    [t`Term starts`, ({ next }) => (next ? (next.startsOn ? day(next.startsOn) : t`On the day of payment`) : '–')],
    [t`Term ends`, ({ next }) => (next?.endsOn ? day(next.endsOn) : '–')],
  ]
  return (
    <div className={table['scroll']}>
      <table className={table['table']} aria-label={t`What would happen`}>
        <thead>
          <tr>
            <th scope="col">{t`What would happen`}</th>
            <th scope="col">{t`Now`}</th>
            <th scope="col">{t`After the change`}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, of]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{of(before)}</td>
              <td>{of(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul className={classes['losses']}>
        {invoices.map(({ number, total, paid, effect }) => {
          const amount = money(total.amount, total.currency)
          const called = number ?? t`Draft invoice`
          return (
            <li key={`${called} ${amount}`}>
              {effect === 'void'
                ? t`${called} of ${amount} is void. Nothing has been paid on it.`
                : paid > 0
                  ? t`${called} of ${amount} stays, because part of it has been paid. The change holds from the term after it.`
                  : t`${called} of ${amount} stays as it is.`}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
