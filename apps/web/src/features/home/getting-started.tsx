import { t } from '@lingui/core/macro'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { AppLink } from '../../platform/navigation/app-link.tsx'
import type { HomeData } from './home-api.ts'
import { HomeCard } from './home-card.tsx'
import classes from './home.module.css'

type Step = NonNullable<HomeData['gettingStarted']>[number]

/** A new organisation's way to its first useful day; gone when every step is done. */
export function GettingStarted({ steps }: { steps: readonly Step[] }) {
  const done = steps.filter((step) => step.done).length
  return (
    <HomeCard card="gettingStarted" count={t`${done} of ${steps.length}`}>
      <ol className={classes['steps']}>
        {steps.map(({ step, done: isDone }) => {
          const { label, href } = stepOf(step)
          return (
            <li key={step} className={classes['step']} data-done={isDone || undefined}>
              {isDone ? <IconCircleCheck size={20} aria-label={t`Done`} /> : <IconCircle size={20} aria-label={t`To do`} />}
              {isDone ? label : <AppLink href={href}>{label}</AppLink>}
            </li>
          )
        })}
      </ol>
    </HomeCard>
  )
}

function stepOf(step: Step['step']): { label: string; href: string } {
  switch (step) {
    case 'organisation':
      return { label: t`Name the organisation and set its time zone`, href: '/account-management/organisation' }
    case 'chapters':
      return { label: t`Import or create your chapters`, href: '/account-management/imports' }
    case 'people':
      return { label: t`Import your members`, href: '/members?import=1' }
    case 'officers':
      return { label: t`Import office-holders`, href: '/account-management/imports' }
    case 'groups':
      return { label: t`Bring in committees and groups`, href: '/groups' }
  }
}
