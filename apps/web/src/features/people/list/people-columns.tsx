import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { useCan, useHoldsEverywhere, useMe } from '../../../platform/session/session.ts'
import { ChapterLink } from '../../../platform/records/record-links.tsx'
import { PersonAvatar } from '../../../platform/records/picture.tsx'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import { PlainDate, useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import classes from '../people.module.css'
import type { PersonRow } from '../people-api.ts'
import { LifecycleBadge } from '../../../platform/records/lifecycle-badge.tsx'
import { affiliationWords, calledName } from '../people-words.tsx'
import { RowFact } from './row-fact.tsx'
import type { RowField } from './row-fact.tsx'
import { givingColumns } from './people-giving.tsx'
import { membershipColumns } from '../../membership/membership-people-public.tsx'
import { tagColumn } from '../../tags/tags-public.tsx'
import { callLink, mailLink } from '../../../ui/display/contact-links.ts'
import { duesColumn } from './people-dues.tsx'

/** All columns there are for this reader; the first is pinned. The reference only changes with the rights. */
export function usePeopleColumns(seesContact: boolean): readonly TableColumn<PersonRow>[] {
  const { list } = useFormats()
  const writes = useMe().data?.permissions.find(({ permission }) => permission === 'people.write')
  const seesEverybody = useHoldsEverywhere('people.sensitive')
  const [seesMemberships, seesDues, seesGiving] = [useCan('memberships.read'), useCan('finance.read'), useCan('gifts.read')]
  return useMemo(() => {
    const mayWrite = ({ archivedAt, homeChapter, lifecycle }: PersonRow, field: RowField) =>
      writes !== undefined &&
      (field !== 'memberNo' || (writes.everywhere && seesEverybody)) &&
      (field === 'lifecycle' || lifecycle !== 'deceased') &&
      !archivedAt &&
      lifecycle !== 'merged' &&
      lifecycle !== 'erased' &&
      (writes.everywhere || writes.chapters.some((id) => id === homeChapter?.id))
    const editable = (field: RowField, label: string, shown: (row: PersonRow) => ReactNode) => (row: PersonRow) =>
      mayWrite(row, field) ? (
        <RowFact row={row} field={field} label={label}>
          {shown(row)}
        </RowFact>
      ) : (
        shown(row)
      )
    const contact: TableColumn<PersonRow>[] = [
      {
        id: 'primaryEmail',
        label: t`E-mail`,
        width: 186,
        priority: 2,
        cell: ({ primaryEmail }) =>
          primaryEmail && (
            <a href={mailLink(primaryEmail)} className={classes['quiet']}>
              {primaryEmail}
            </a>
          ),
      },
      {
        id: 'primaryPhone',
        label: t`Telephone`,
        width: 150,
        priority: 3,
        cell: ({ primaryPhone }) =>
          primaryPhone && (
            <a href={callLink(primaryPhone)} className={classes['quiet']}>
              {primaryPhone}
            </a>
          ),
      },
      { id: 'city', label: t`City`, width: 140, priority: 3, cell: ({ city }) => city },
      { id: 'country', label: t`Country`, width: 120, priority: 3, cell: ({ country }) => country },
    ]
    return [
      { id: 'name', label: t`Person`, width: 214, sortable: true, cell: (row) => <PersonCell row={row} /> },
      {
        id: 'lifecycle',
        label: t`Status`,
        width: 104,
        cell: editable('lifecycle', t`Status`, ({ lifecycle }) => <LifecycleBadge lifecycle={lifecycle} />),
      },
      {
        id: 'homeChapter',
        label: t`Chapter`,
        width: 136,
        priority: 2,
        cell: ({ homeChapter }) => homeChapter && <ChapterLink chapter={homeChapter} className={classes['quiet']} />,
      },
      {
        id: 'positions',
        label: t`Offices`,
        width: 136,
        priority: 3,
        cell: ({ positions }) => positions && list(positions.map(({ title }) => title)),
      },
      ...(seesContact ? contact : []),
      tagColumn(),
      ...(seesMemberships ? membershipColumns<PersonRow>() : []),
      ...(seesDues ? [duesColumn<PersonRow>()] : []),
      ...(seesGiving ? givingColumns<PersonRow>() : []),
      {
        id: 'joinedOn',
        label: t`Joined`,
        width: 118,
        priority: 3,
        sortable: true,
        cell: editable('joinedOn', t`Joined`, ({ joinedOn }) => joinedOn && <PlainDate date={joinedOn} />),
      },
      {
        id: 'memberNo',
        label: t`Member number`,
        width: 150,
        priority: 3,
        cell: editable('memberNo', t`Member number`, ({ memberNo }) => memberNo),
      },
      { id: 'groups', label: t`Groups`, width: 220, priority: 3, cell: ({ groups }) => groups && list(groups.map(({ name }) => name)) },
      {
        id: 'chapters',
        label: t`All chapters`,
        width: 220,
        priority: 3,
        cell: ({ chapters }) => chapters && list(chapters.map(({ name, kind }) => `${name} (${affiliationWords()[kind]})`)),
      },
      { id: 'employer', label: t`Employer`, width: 160, priority: 3, cell: editable('employer', t`Employer`, ({ employer }) => employer) },
      {
        id: 'jobTitle',
        label: t`Job title`,
        width: 160,
        priority: 3,
        cell: editable('jobTitle', t`Job title`, ({ jobTitle }) => jobTitle),
      },
      {
        id: 'gradYear',
        label: t`Graduation year`,
        width: 130,
        priority: 3,
        align: 'end',
        cell: editable('gradYear', t`Graduation year`, ({ gradYear }) => gradYear),
      },
      {
        id: 'createdAt',
        label: t`Entered`,
        width: 130,
        priority: 3,
        sortable: true,
        cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      },
      {
        id: 'updatedAt',
        label: t`Last changed`,
        width: 130,
        priority: 3,
        sortable: true,
        cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
      },
    ]
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the words of `list` follow the language, which draws everything anew anyway
  }, [seesContact, writes, seesEverybody, seesMemberships, seesDues, seesGiving])
}

export const PersonName = ({ row }: { row: PersonRow }) => {
  const called = calledName(row)
  return (
    <>
      <Link to="/person/$personId/{-$tab}" params={{ personId: row.id }} className={classes['name'] ?? ''}>
        {row.displayName}
      </Link>
      {called && <span className={classes['called']}>{called}</span>}
      {row.archivedAt && <StatusBadge>{t`Archived`}</StatusBadge>}
    </>
  )
}

const PersonCell = ({ row }: { row: PersonRow }) => (
  <span className={classes['person']}>
    <PersonAvatar person={row} size={24} />
    <PersonName row={row} />
  </span>
)
