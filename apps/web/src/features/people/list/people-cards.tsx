import { Checkbox } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { PersonAvatar } from '../../../platform/records/picture.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import type { Selection } from '../../../ui/list/selection.ts'
import classes from '../people.module.css'
import type { PersonRow } from '../people-api.ts'
import { PersonName } from './people-columns.tsx'
import { useMembershipLine } from '../../membership/membership-people-public.tsx'
import { LifecycleBadge } from '../../../platform/records/lifecycle-badge.tsx'
import { mailLink } from '../../../ui/display/contact-links.ts'

/** Two lines on a phone. */
export function PersonLines({ row }: { row: PersonRow }) {
  const membershipLine = useMembershipLine()
  const line = [
    row.membership && membershipLine(row.membership),
    row.homeChapter?.name,
    row.positions?.[0]?.title ?? row.jobTitle,
    row.primaryEmail,
  ]
  return (
    <div className={classes['lines']}>
      <PersonAvatar person={row} size={40} />
      <div className={classes['linesText']}>
        <div className={classes['lineOne']}>
          <span className={classes['clip']}>
            <PersonName row={row} />
          </span>
          <LifecycleBadge lifecycle={row.lifecycle} />
        </div>
        <div className={classes['lineTwo']}>{line.filter(Boolean).join(' · ') || ' '}</div>
      </div>
    </div>
  )
}

export const personCardHeight = 164

/** One person of the card layout. */
export function PersonCard({ row, selection, onPeek }: { row: PersonRow; selection: Selection | undefined; onPeek: () => void }) {
  const { list } = useFormats()
  const offices = row.positions?.map(({ title }) => title) ?? []
  return (
    <div
      className={classes['cardBody']}
      onClick={(event) => {
        if (event.target instanceof Element && !event.target.closest('a, button, input, label')) onPeek()
      }}
    >
      <div className={classes['cardHead']}>
        <PersonAvatar person={row} size={40} />
        <span className={classes['cardName']}>
          <PersonName row={row} />
        </span>
        {selection && (
          <Checkbox
            size="xs"
            aria-label={t`Select ${row.displayName}`}
            checked={selection.has(row.id)}
            onChange={() => selection.toggle(row.id)}
          />
        )}
      </div>
      <div className={classes['cardLine']}>{row.homeChapter?.name ?? '–'}</div>
      <div className={classes['cardLine']}>
        {offices.length > 0 ? list(offices) : [row.jobTitle, row.employer].filter(Boolean).join(', ')}
      </div>
      {row.primaryEmail && (
        <a className={classes['cardLine']} href={mailLink(row.primaryEmail)}>
          {row.primaryEmail}
        </a>
      )}
      <div className={classes['cardFoot']}>
        <LifecycleBadge lifecycle={row.lifecycle} />
      </div>
    </div>
  )
}
