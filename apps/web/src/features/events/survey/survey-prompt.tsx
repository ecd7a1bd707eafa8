import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { useZoneTimes } from '../../../ui/display/zone-times.tsx'
import type { Event } from '../events-api.ts'
import classes from '../register/register.module.css'

const SurveyDialog = lazy(async () => ({ default: (await import('./survey-dialog.tsx')).SurveyDialog }))
const route = getRouteApi('/signed-in/event/$eventId')

/** Asks those who were at the event how it was, once it is over. */
export function SurveyPrompt({ event }: { event: Event }) {
  const { survey: opened } = route.useSearch()
  const navigate = route.useNavigate()
  const momentText = useZoneTimes()
  const { data: survey } = useQuery(useApi().data.events.survey.get.queryOptions({ input: { eventId: event.id } }))
  const mine = survey?.mine
  if (!survey || !mine || (!mine.mayAnswer && !mine.answer)) return null
  const open = (wanted: boolean) => void navigate({ search: (before) => ({ ...before, survey: wanted ? 1 : undefined }), replace: true })
  const until = mine.answer ? momentText(new Date(mine.answer.changeUntil), event.timezone) : ''
  return (
    <section className={classes['panel']} aria-label={t`Survey`} data-tone={mine.answer ? 'good' : 'act'}>
      <p className={classes['state']}>{mine.answer ? t`Thank you for your answer` : t`How was it?`}</p>
      <p className={classes['hint']}>
        {mine.answer && mine.mayAnswer
          ? t`You can change it until ${until}.`
          : t`Organisers see answers without names, and only once at least three people have answered.`}
      </p>
      {mine.mayAnswer && (
        <div className={classes['acts']}>
          <Button variant={mine.answer ? 'default' : 'filled'} onClick={() => open(true)}>
            {mine.answer ? <Trans>Change answer</Trans> : <Trans>Answer the survey</Trans>}
          </Button>
        </div>
      )}
      {mine.mayAnswer && (
        <Suspense>
          <SurveyDialog event={event} survey={survey} opened={opened === 1} onClose={() => open(false)} />
        </Suspense>
      )}
    </section>
  )
}
