import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import classes from '../people.module.css'
import type { Person } from '../people-api.ts'
import { HoldingRows } from './person-rows.tsx'

/** Offices held today, those to come and those of the past. */
export function PersonPositions({ person }: { person: Person }) {
  const { positions } = person
  if (positions.length === 0) {
    return (
      <EmptyState title={t`No office so far`}>
        <Trans>Offices are given on a chapter’s page; terms past, present and to come are listed here.</Trans>
      </EmptyState>
    )
  }
  const parts = [
    { when: 'current', title: t`Today` },
    { when: 'future', title: t`To come` },
    { when: 'past', title: t`Past` },
  ] as const
  return (
    <div className={classes['stack']}>
      {parts.map(({ when, title }) => {
        const holdings = positions.filter((one) => one.when === when)
        return (
          holdings.length > 0 && (
            <Section key={when} title={title} count={holdings.length}>
              <HoldingRows holdings={holdings} />
            </Section>
          )
        )
      })}
    </div>
  )
}
