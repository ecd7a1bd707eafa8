import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { IconUsers } from '@tabler/icons-react'
import type { ManagedPerson } from '@guildhall/contract/features/relationships'
import { acting } from '../../../platform/api/acting.ts'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { PersonAvatar } from '../../../platform/records/picture.tsx'
import { ChapterLink, PersonLink } from '../../../platform/records/record-links.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { SkeletonLines } from '../../../ui/page/skeletons.tsx'
import classes from './family.module.css'

/** For whom the reader may act, and whose record they may see, through a relationship. */
export function Family() {
  const family = useQuery(useApi().data.relationships.family.queryOptions({ input: {} }))
  if (family.isPending) return <SkeletonLines count={4} />
  if (family.isError)
    return <ProblemState problem={family.error} title={t`Your family could not be loaded`} retry={() => void family.refetch()} />
  const { items } = family.data
  if (items.length === 0) {
    return (
      <EmptyState icon={<IconUsers size={32} stroke={1.5} />} title={t`Nobody here yet`}>
        <Trans>When the organisation’s office records you as the guardian of a child, you can act for the child from here.</Trans>
      </EmptyState>
    )
  }
  return (
    <Section title={t`Family`} count={items.length}>
      <ul className={classes['people']}>
        {items.map((one) => (
          <Member key={one.relationshipId} member={one} />
        ))}
      </ul>
    </Section>
  )
}

function Member({ member: { person, chapter, label, grants, birthDate, lapsesOn, hasAccount } }: { member: ManagedPerson }) {
  const { day } = useFormats()
  const name = person.displayName
  const facts = [birthDate && t`Born ${day(birthDate)}`, hasAccount ? t`Has an account` : t`No account`].filter(Boolean)
  return (
    <li className={classes['person']}>
      <PersonAvatar person={person} size={40} />
      <div className={classes['what']}>
        <span className={classes['name']}>
          <PersonLink person={person} />
        </span>
        <span className={classes['dim']}>
          {label}
          {chapter && (
            <>
              {' · '}
              <ChapterLink chapter={chapter} />
            </>
          )}
          {facts.map((fact) => ` · ${fact}`)}
        </span>
        <span className={classes['dim']}>
          {grants === 'manage'
            ? t`You can see and edit their profile, register them for events and choose what they are sent.`
            : t`You can see their profile.`}{' '}
          {lapsesOn && t`This ends on ${day(lapsesOn)}, when they come of age.`}
        </span>
      </div>
      {grants === 'manage' && (
        <Button variant="default" onClick={() => acting.set(person.id)}>
          {t`Act for ${name}`}
        </Button>
      )}
    </li>
  )
}
