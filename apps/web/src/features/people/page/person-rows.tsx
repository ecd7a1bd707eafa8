import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormats } from '../../../ui/display/dates.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import classes from '../people.module.css'
import type { Person } from '../people-api.ts'
import { ChapterLink } from '../../../platform/records/record-links.tsx'
import { affiliationWords } from '../people-words.tsx'

type Membership = Person['memberships'][number]

/** Chapters, each with kind and dates; `actions` at the end of a row. */
export function MembershipRows({
  memberships,
  actions,
}: {
  memberships: readonly Membership[]
  actions?: (membership: Membership) => ReactNode
}) {
  const words = affiliationWords()
  return (
    <ul className={classes['rows']}>
      {memberships.map((one) => (
        <li key={one.id} className={classes['row']} data-past={one.when === 'past' || undefined}>
          <span className={classes['rowText']}>
            <ChapterLink chapter={one.chapter} className={classes['quiet']} />
            <span className={classes['dim']}>{words[one.kind]}</span>
            {one.isPrimary && one.when !== 'past' && <StatusBadge tone="accent">{t`Home chapter`}</StatusBadge>}
            <Dates {...one} />
          </span>
          {actions?.(one)}
        </li>
      ))}
    </ul>
  )
}

export const HoldingRows = ({ holdings }: { holdings: Person['positions'] }) => (
  <ul className={classes['rows']}>
    {holdings.map((one) => (
      <li key={one.id} className={classes['row']} data-past={one.when === 'past' || undefined}>
        <span className={classes['rowText']}>
          <strong>{one.title}</strong>
          <ChapterLink chapter={one.chapter} className={classes['quiet']} />
          {one.when === 'future' && <StatusBadge tone="info">{t`to come`}</StatusBadge>}
          <Dates {...one} />
          {one.note && <span className={classes['dim']}>{one.note}</span>}
        </span>
      </li>
    ))}
  </ul>
)

export function GroupRows({ groups }: { groups: Person['groups'] }) {
  const roles = { leader: t`Leader`, moderator: t`Moderator`, member: '' }
  const states: Partial<Record<Person['groups'][number]['status'], string>> = {
    invited: t`invited`,
    requested: t`asked to join`,
    declined: t`declined`,
    removed: t`removed`,
  }
  return (
    <ul className={classes['rows']}>
      {groups.map((one) => (
        <li key={one.id} className={classes['row']} data-past={one.when === 'past' || undefined}>
          <span className={classes['rowText']}>
            <Link to="/groups/$groupId" params={{ groupId: one.group.id }} className={classes['quiet'] ?? ''}>
              {one.group.name}
            </Link>
            {(one.title || roles[one.role]) && <span className={classes['dim']}>{one.title || roles[one.role]}</span>}
            {states[one.status] && <StatusBadge>{states[one.status]}</StatusBadge>}
            <Dates {...one} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** "since 12 Mar 2020", "1 Jan 2018 – 31 Dec 2019", "from 1 Jul 2027" */
function Dates({ startsOn, endsOn, when }: { startsOn: string | null; endsOn: string | null; when: 'past' | 'current' | 'future' }) {
  const { day } = useFormats()
  if (!startsOn && !endsOn) return null
  const text =
    startsOn && endsOn
      ? `${day(startsOn)} – ${day(endsOn)}`
      : startsOn
        ? when === 'future'
          ? t`from ${day(startsOn)}`
          : t`since ${day(startsOn)}`
        : t`until ${day(endsOn ?? '')}`
  return <span className={classes['dim']}>{text}</span>
}
