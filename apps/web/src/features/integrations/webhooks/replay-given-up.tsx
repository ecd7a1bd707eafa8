import { Button, NativeSelect } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import classes from '../account-tab.module.css'

export type ReplayGivenUpProps = { onReplay: (deadSince: string) => Promise<void> }

const dayMs = 86_400_000

/** Sends again what was given up in the last days. */
export function ReplayGivenUp({ onReplay }: ReplayGivenUpProps) {
  const [days, setDays] = useState('7')
  const [busy, setBusy] = useState(false)
  const replay = async () => {
    setBusy(true)
    await onReplay(new Date(Date.now() - Number(days) * dayMs).toISOString())
    setBusy(false)
  }
  return (
    <div className={classes['acts']} role="group" aria-label={t`Replay all given up`}>
      <NativeSelect
        aria-label={t`Given up`}
        value={days}
        data={[
          { value: '1', label: t`Given up in the last 24 hours` },
          { value: '7', label: t`Given up in the last 7 days` },
          { value: '30', label: t`Given up in the last 30 days` },
        ]}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
      <Button variant="default" loading={busy} onClick={() => void replay()}>
        <Trans>Replay all</Trans>
      </Button>
    </div>
  )
}
