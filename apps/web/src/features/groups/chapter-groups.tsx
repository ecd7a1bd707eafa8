import type { Chapter } from '@guildhall/contract/features/chapters'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconUsersGroup } from '@tabler/icons-react'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import classes from './groups.module.css'

/** The groups that this chapter owns, as far as the reader may see them. */
export function ChapterGroups({ chapter }: { chapter: Chapter }) {
  const { number } = useFormats()
  const filter = JSON.stringify({ and: [{ or: [{ field: 'chapter', op: 'is', value: chapter.id }] }] })
  const groups = useQuery(useApi().data.groups.list.queryOptions({ input: { filter, limit: 200 } }))
  if (groups.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  if (groups.isError)
    return <ProblemState problem={groups.error} title={t`The groups could not be loaded`} retry={() => void groups.refetch()} />
  const { items, total } = groups.data
  if (items.length === 0) {
    return (
      <EmptyState icon={<IconUsersGroup size={32} stroke={1.5} />} title={t`No groups here`}>
        <Trans>Groups of this chapter, such as committees and teams, are listed here.</Trans>
      </EmptyState>
    )
  }
  return (
    <Section title={t`Groups`} count={number(total ?? items.length)}>
      <ul className={classes['list']}>
        {items.map((group) => (
          <li key={group.id} className={classes['item']}>
            <span className={classes['words']}>
              <Link to="/groups/$groupId" params={{ groupId: group.id }}>
                {group.name}
              </Link>
            </span>
            <span className={classes['end']}>{plural(group.members, { one: '# member', other: '# members' })}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
