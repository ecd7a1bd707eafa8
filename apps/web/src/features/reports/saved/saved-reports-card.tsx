import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { Thumbnail } from '../gallery/thumbnail.tsx'
import classes from '../reports.module.css'

const shown = 6

/** On home: the reports that the reader put there, with the picture of their last look. */
export function SavedReportsCard() {
  const reports = useQuery(useApi().data.reports.list.queryOptions({ input: { home: true, limit: shown } }))
  if (reports.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={4} />
      </Loading>
    )
  }
  if (reports.isError)
    return <ProblemState problem={reports.error} title={t`The reports could not be loaded`} retry={() => void reports.refetch()} />
  const { items } = reports.data
  return (
    <div className={classes['stack']}>
      {items.length === 0 && (
        <p className={classes['note']}>
          <Trans>Save a report and choose Add to home to see it here.</Trans>
        </p>
      )}
      {items.length > 0 && (
        <ul className={classes['records']} aria-label={t`Reports on home`}>
          {items.map(({ id, name, thumbnail }) => (
            <li key={id} className={classes['record']}>
              <span className={classes['recordWhat']}>
                <Link to="/reports/$reportKey" params={{ reportKey: id }}>
                  {name}
                </Link>
                {thumbnail && (
                  <span className={classes['note']}>
                    <RelativeTime at={thumbnail.at} />
                  </span>
                )}
              </span>
              {thumbnail && (
                <span className={classes['smallPicture']}>
                  <Thumbnail rows={thumbnail.rows} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <div>
        <ButtonLink to="/reports" variant="subtle" size="compact-sm">
          <Trans>All reports</Trans>
        </ButtonLink>
      </div>
    </div>
  )
}
