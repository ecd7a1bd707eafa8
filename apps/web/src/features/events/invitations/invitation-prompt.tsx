import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import type { Event } from '../events-api.ts'
import classes from '../register/register.module.css'

/** Tells somebody who is invited so; registering below accepts. */
export function InvitationPrompt({ event }: { event: Event }) {
  const { events } = useApi().data
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const declined = event.invitation?.answer === 'declined'
  const decline = async () => {
    setBusy(true)
    try {
      await events.invitations.decline.call({ eventId: event.id })
      await cache.invalidateQueries({ queryKey: events.get.key() })
      toast.success(t`Invitation declined`)
    } catch (problem) {
      toast.error(t`The invitation could not be declined`, problem)
    }
    setBusy(false)
  }
  return (
    <section className={classes['panel']} aria-label={t`Your invitation`} data-tone={declined ? undefined : 'act'}>
      <p className={classes['state']}>{declined ? t`You have declined this invitation` : t`You are invited`}</p>
      <p className={classes['hint']}>{declined ? t`You can still register.` : t`Register to accept.`}</p>
      {!declined && (
        <div className={classes['acts']}>
          <Button variant="default" loading={busy} onClick={() => void decline()}>
            <Trans>Decline</Trans>
          </Button>
        </div>
      )}
    </section>
  )
}
