import { Button, Group, Radio, Stack } from '@mantine/core'
import '@mantine/core/styles/Radio.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { SeriesScope } from '@guildhall/contract/features/events'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog/dialog.tsx'

type Props = {
  opened: boolean
  /** What was changed is for one event at a time. */
  onlyThis: boolean
  onClose: () => void
  onChoose: (scope: SeriesScope) => void
}

/** For which events of a series a change is. */
export function ScopeDialog({ opened, onlyThis, onClose, onChoose }: Props) {
  const [chosen, setChosen] = useState<string>('this')
  const scope = onlyThis ? 'this' : chosen === 'following' || chosen === 'all' ? chosen : 'this'
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Change the series?`}>
      <Radio.Group label={t`Change`} value={scope} onChange={setChosen}>
        <Stack gap="xs" mt="xs">
          <Radio value="this" label={t`Only this event`} data-autofocus />
          <Radio value="following" label={t`This and the following events`} disabled={onlyThis} />
          <Radio value="all" label={t`All events that have not begun`} disabled={onlyThis} />
        </Stack>
      </Radio.Group>
      <p>
        {onlyThis ? (
          <Trans>One event at a time moves to another day. To move the series, change its dates on the page of the event.</Trans>
        ) : (
          <Trans>Events that were changed by themselves stay as they are.</Trans>
        )}
      </p>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          <Trans>Continue editing</Trans>
        </Button>
        <Button onClick={() => onChoose(scope)}>
          <Trans>Save changes</Trans>
        </Button>
      </Group>
    </Dialog>
  )
}
