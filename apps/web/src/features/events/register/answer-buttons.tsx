import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import type { EventRow } from '../events-api.ts'
import { useRegistrationsChanged } from './register-api.ts'
import classes from './register.module.css'

/** Going or not, in one click where nothing is asked; what has to be chosen, answered, paid or waited for is on the page of the event. */
export function AnswerButtons({ event }: { event: EventRow }) {
  const { registrations } = useApi().data.events
  const changed = useRegistrationsChanged()
  const [busy, setBusy] = useState(false)
  const { id, title, mine, oneClick, registration, waiting } = event
  const register = async () => {
    await registrations.create.call({ eventId: id })
    await changed()
  }
  const attempt = async (failed: string, act: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await act()
    } catch (problem) {
      toast.error(failed, problem)
      void changed()
    }
    setBusy(false)
  }
  const going = () =>
    attempt(t`You could not be registered`, async () => {
      await register()
      toast.success(t`You are registered for ${title}`)
    })
  const notGoing = (registrationId: string) =>
    attempt(t`Your registration could not be cancelled`, async () => {
      await registrations.cancel.call({ registrationId })
      await changed()
      toast.undo(t`Registration for ${title} cancelled`, register)
    })
  if (mine === null && registration !== 'open') return null
  // A seat somebody waits for would be gone: the page asks first.
  const atOnce = oneClick && waiting === 0 && (mine === null || mine.status === 'confirmed')
  if (!atOnce) {
    return (
      <ButtonLink
        to="/event/$eventId"
        params={{ eventId: id }}
        search={mine === null ? { register: 1 } : {}}
        variant="default"
        size="compact-md"
        aria-label={mine ? t`Your registration for ${title}` : t`Register for ${title}`}
      >
        {mine ? <Trans>Your registration</Trans> : <Trans>Register</Trans>}
      </ButtonLink>
    )
  }
  return (
    <div className={classes['acts']} role="group" aria-label={t`Your answer for ${title}`}>
      <Button
        size="compact-md"
        variant={mine ? 'filled' : 'default'}
        aria-pressed={mine !== null}
        disabled={busy}
        onClick={() => mine === null && void going()}
      >
        <Trans>Going</Trans>
      </Button>
      {mine && (
        <Button size="compact-md" variant="default" disabled={busy} onClick={() => void notGoing(mine.registrationId)}>
          <Trans>Not going</Trans>
        </Button>
      )}
    </div>
  )
}
