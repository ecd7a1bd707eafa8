import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { MembershipType, MembershipTypePreview, NewMembershipType } from '@guildhall/contract/features/membership'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import table from '../../../ui/display/small-table.module.css'
import classes from '../membership.module.css'

/** Who would be charged what and when, if the type were saved as the form has it. */
export function TypePreview({ type, rules }: { type: MembershipType; rules: () => NewMembershipType }) {
  const { types } = useApi().data.membership
  const [found, setFound] = useState<MembershipTypePreview | null>(null)
  const [failed, setFailed] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const look = async () => {
    setBusy(true)
    try {
      setFound(await types.preview.call({ typeId: type.id, ...rules() }))
      setFailed(null)
    } catch (failure) {
      setFailed(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes['stack']}>
      <Button variant="default" loading={busy} onClick={() => void look()}>
        <Trans>Preview the effect on renewals</Trans>
      </Button>
      <div role="status">
        {failed !== null && <ProblemState problem={failed} title={t`The effect could not be worked out`} retry={() => void look()} />}
        {failed === null && found && <Effect found={found} />}
      </div>
    </div>
  )
}

function Effect({ found: { before, after, currencies, offered, waiting } }: { found: MembershipTypePreview }) {
  const money = useMoney()
  const { day, number } = useFormats()
  const count = (total: number) => (total > 100_000 ? `${number(100_000)}+` : number(total))
  return (
    <div className={table['scroll']}>
      <table className={table['table']} aria-label={t`Effect on renewals`}>
        <thead>
          <tr>
            <th scope="col">{t`Within a year`}</th>
            <th scope="col">{t`Now`}</th>
            <th scope="col">{t`After the change`}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{t`Renewals`}</th>
            <td>{count(before.total)}</td>
            <td>{count(after.total)}</td>
          </tr>
          <tr>
            <th scope="row">{t`Total charged`}</th>
            <td>{money(before.amount, currencies.before)}</td>
            <td>{money(after.amount, currencies.after)}</td>
          </tr>
          <tr>
            <th scope="row">{t`Share of chapters`}</th>
            <td>{money(before.chapters, currencies.before)}</td>
            <td>{money(after.chapters, currencies.after)}</td>
          </tr>
        </tbody>
      </table>
      {offered > 0 && (
        <p className={classes['minor']}>
          <Plural value={offered} one="# open term keeps its price and rules." other="# open terms keep their price and rules." />
        </p>
      )}
      {waiting > 0 && (
        <p className={classes['minor']}>
          <Plural value={waiting} one="# application still awaits approval." other="# applications still await approval." />
        </p>
      )}
      {after.first.length > 0 && (
        <table className={table['table']} aria-label={t`First renewals`}>
          <thead>
            <tr>
              <th scope="col">{t`First renewals`}</th>
              <th scope="col">{t`Charged on`}</th>
              <th scope="col">{t`Amount`}</th>
              <th scope="col">{t`New end`}</th>
            </tr>
          </thead>
          <tbody>
            {after.first.map(({ person, opensOn, amount, endsOn }) => (
              <tr key={`${person.id} ${opensOn}`}>
                <th scope="row">{person.displayName}</th>
                <td>{day(opensOn)}</td>
                <td>{money(amount, currencies.after)}</td>
                <td>{endsOn ? day(endsOn) : t`No end`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
