import { useDebouncedValue } from '@mantine/hooks'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../../platform/api/api.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import classes from '../people.module.css'
import { LifecycleBadge } from '../../../platform/records/lifecycle-badge.tsx'

type Props = { values: { givenName: string; familyName: string; email: string; phone: string; memberNo: string } }

const settleMs = 300
const shown = 4

/** People who may be the one being entered, so that nobody stands in the list twice. */
export function Duplicates({ values: { givenName, familyName, email, phone, memberNo } }: Props) {
  const api = useApi()
  const { list } = useFormats()
  const typed = {
    ...(givenName.trim() && { givenName: givenName.trim() }),
    ...(familyName.trim() && { familyName: familyName.trim() }),
    ...(email.includes('@') && { email: email.trim() }),
    ...(phone.replace(/\D/g, '').length >= 6 && { phone: phone.trim() }),
    ...(memberNo.trim() && { memberNo: memberNo.trim() }),
  }
  const [settled] = useDebouncedValue(JSON.stringify(typed), settleMs)
  const enough = Boolean(
    ('email' in typed && typed.email) ||
    ('phone' in typed && typed.phone) ||
    typed.memberNo ||
    ((typed.familyName?.length ?? 0) >= 2 && typed.givenName),
  )
  const { data } = useQuery({
    ...api.data.people.duplicates.queryOptions({ input: typed, queryKey: ['people-duplicates', settled] }),
    enabled: enough && settled === JSON.stringify(typed),
    placeholderData: keepPreviousData,
    // A hint must not stand in the way: without an answer, nobody is offered.
    retry: false,
  })
  const found = enough ? (data?.items.slice(0, shown) ?? []) : []
  const reasons = { email: t`same e-mail`, phone: t`same telephone`, memberNo: t`same member number`, name: t`like name` }
  return (
    <div role="status">
      {found.length > 0 && (
        <div className={classes['duplicates']}>
          <strong>
            <Trans>Already here?</Trans>
          </strong>
          <ul>
            {found.map(({ person, reasons: why }) => (
              <li key={person.id} className={classes['wrap']}>
                <Link to="/person/$personId/{-$tab}" params={{ personId: person.id }}>
                  {person.displayName}
                </Link>
                <LifecycleBadge lifecycle={person.lifecycle} />
                {person.archived && <StatusBadge>{t`Archived`}</StatusBadge>}
                <span className={classes['dim']}>
                  {[person.homeChapter?.name, person.memberNo, list(why.map((reason) => reasons[reason]))].filter(Boolean).join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
