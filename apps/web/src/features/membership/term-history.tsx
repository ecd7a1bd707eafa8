import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { HeldMembershipDetail } from '@guildhall/contract/features/membership'
import { useToday } from '../../platform/session/session.ts'
import { useFormats } from '../../ui/display/dates.tsx'
import { usePrice } from './membership-words.tsx'
import table from '../../ui/display/small-table.module.css'
import classes from './membership.module.css'

const dayMs = 86_400_000
const at = (day: string) => Date.parse(day) / dayMs

/** A picture of the terms: each a bar from its first to its last day, the grace period hatched, gaps empty; the table below says the same in words. */
export function TermHistory({ held }: { held: HeldMembershipDetail }) {
  const { day } = useFormats()
  const price = usePrice()
  const today = useToday()
  const terms = held.terms
    .flatMap((term) => (term.startsOn ? [{ ...term, startsOn: term.startsOn }] : []))
    .toSorted((a, b) => a.startsOn.localeCompare(b.startsOn))
  const [first] = terms
  if (!first) return null
  const ends = [...terms.map(({ endsOn }) => endsOn ?? today), held.graceUntil ?? today, today].toSorted()
  const from = at(first.startsOn)
  const whole = Math.max(1, at(ends.at(-1) ?? today) + 1 - from)
  const place = (start: string, end: string) => ({
    insetInlineStart: `${((at(start) - from) / whole) * 100}%`,
    inlineSize: `${(Math.max(1, at(end) + 1 - at(start)) / whole) * 100}%`,
  })
  const last = terms.at(-1)
  return (
    <details className={classes['history']}>
      <summary>
        <span className={classes['minor']}>
          <Trans>Terms</Trans>
        </span>
        <span className={classes['line']} aria-hidden>
          {terms.map(({ id, startsOn, endsOn }) => (
            <span key={id} className={classes['span']} style={place(startsOn, endsOn ?? ends.at(-1) ?? today)} />
          ))}
          {last?.endsOn && held.graceUntil && held.graceUntil > last.endsOn && (
            <span className={classes['graceSpan']} style={place(last.endsOn, held.graceUntil)} />
          )}
          <span className={classes['now']} style={{ insetInlineStart: `${((at(today) - from) / whole) * 100}%` }} />
        </span>
      </summary>
      <div className={table['scroll']}>
        <table className={table['table']} aria-label={t`Terms of ${held.type.name}`}>
          <thead>
            <tr>
              <th scope="col">{t`From`}</th>
              <th scope="col">{t`Until`}</th>
              <th scope="col">{t`Paid on`}</th>
              <th scope="col">{t`Price`}</th>
            </tr>
          </thead>
          <tbody>
            {terms.toReversed().map((term) => (
              <tr key={term.id}>
                <th scope="row">{day(term.startsOn)}</th>
                <td>{term.endsOn ? day(term.endsOn) : t`No end`}</td>
                <td>{term.settledOn && day(term.settledOn)}</td>
                <td>{price(term.price)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {held.graceUntil && (
        <p className={classes['minor']}>
          <Trans>Grace period until {day(held.graceUntil)}</Trans>
        </p>
      )}
    </details>
  )
}
