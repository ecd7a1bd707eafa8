import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HeldMembership, LifecycleOverride } from '@guildhall/contract/features/membership'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { LifecycleBadge } from '../../platform/records/lifecycle-badge.tsx'
import { PersonLink } from '../../platform/records/record-links.tsx'
import { PlainDate } from '../../ui/display/dates.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { Section } from '../../ui/page/page.tsx'
import { useMembershipsChanged } from './membership-api.ts'
import { MembershipBadge } from './membership-words.tsx'
import classes from './membership.module.css'

/** Everybody whose status or lifecycle was set by hand, of a chapter with those below or of all, until when and why. */
export function Overrides({ chapterId }: { chapterId?: string }) {
  const { membership } = useApi().data
  const place = { limit: 50, ...(chapterId && { chapterId }) }
  const statuses = useInfiniteQuery(pagedOptions(membership.list, { ...place, overridden: true }))
  const lifecycles = useInfiniteQuery(pagedOptions(membership.lifecycles.list, place))
  const retry = () => void Promise.all([statuses.refetch(), lifecycles.refetch()])
  const problem = statuses.error ?? lifecycles.error
  if (problem) return <ProblemState problem={problem} title={t`The overrides could not be loaded`} retry={retry} />
  return (
    <div className={classes['stack']}>
      <Section title={t`Membership status`}>
        {statuses.data?.items.length === 0 && <p className={classes['dim']}>{t`No membership has an override.`}</p>}
        <ul className={classes['list']}>
          {statuses.data?.items.map((held) => (
            <li key={held.id}>
              <StatusRow held={held} />
            </li>
          ))}
        </ul>
        <ShowMore query={statuses} />
      </Section>
      <Section title={t`Lifecycle`}>
        {lifecycles.data?.items.length === 0 && <p className={classes['dim']}>{t`No lifecycle has been set by hand.`}</p>}
        <ul className={classes['list']}>
          {lifecycles.data?.items.map((override) => (
            <li key={override.person.id}>
              <LifecycleRow override={override} />
            </li>
          ))}
        </ul>
        <ShowMore query={lifecycles} />
      </Section>
    </div>
  )
}

/** Ends an override, once. */
function useEnd(run: () => Promise<unknown>) {
  const changed = useMembershipsChanged()
  const [busy, setBusy] = useState(false)
  const end = async () => {
    setBusy(true)
    try {
      await run()
      await changed()
      toast.success(t`Override ended`)
    } catch (failure) {
      toast.error(t`The override could not be ended`, failure)
    } finally {
      setBusy(false)
    }
  }
  return { busy, end: () => void end() }
}

function StatusRow({ held: { id, person, type, override, may, version } }: { held: HeldMembership }) {
  const { membership } = useApi().data
  const { busy, end } = useEnd(() => membership.override.call({ membershipId: id, override: null }, { context: { ifMatch: version } }))
  const who = person.displayName
  if (!override) return null
  return (
    <div className={classes['item']}>
      <div className={classes['words']}>
        <div className={classes['heldHead']}>
          <PersonLink person={person} />
          <span>{type.name}</span>
          <MembershipBadge status={override.status} />
        </div>
        <p className={classes['minor']}>
          <Trans>Until</Trans> <PlainDate date={override.until} />: {override.reason}
        </p>
      </div>
      {may.change && (
        <Button variant="default" size="compact-md" loading={busy} aria-label={t`End override of ${who}`} onClick={end}>
          <Trans>End override</Trans>
        </Button>
      )}
    </div>
  )
}

function LifecycleRow({ override: { person, lifecycle, until, reason, setBy, may } }: { override: LifecycleOverride }) {
  const { lifecycles } = useApi().data.membership
  const { busy, end } = useEnd(() => lifecycles.end.call({ personId: person.id }))
  const who = person.displayName
  return (
    <div className={classes['item']}>
      <div className={classes['words']}>
        <div className={classes['heldHead']}>
          <PersonLink person={person} />
          <LifecycleBadge lifecycle={lifecycle} />
        </div>
        <p className={classes['minor']}>
          <Trans>Until</Trans> <PlainDate date={until} />: {reason}
          {setBy && ` · ${t`Set by ${setBy}`}`}
        </p>
      </div>
      {may.end && (
        <Button variant="default" size="compact-md" loading={busy} aria-label={t`End the lifecycle override of ${who}`} onClick={end}>
          <Trans>End override</Trans>
        </Button>
      )}
    </div>
  )
}
