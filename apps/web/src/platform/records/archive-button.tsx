import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { toast } from '../activity/toast.tsx'

type Versioned = { version: number }
type Props = {
  record: { name: string; archivedAt: string | null; version: number }
  archive: (version: number) => Promise<Versioned>
  restore: (version: number) => Promise<Versioned>
}

/** Puts a record away, with Undo, or brings it back. */
export function ArchiveButton({ record: { name, archivedAt, version }, archive, restore }: Props) {
  const [isBusy, setBusy] = useState(false)
  const putAway = async () => {
    try {
      const archived = await archive(version)
      toast.undo(t`${name} archived`, () => restore(archived.version))
    } catch (problem) {
      toast.error(t`${name} could not be archived.`, problem)
    }
  }
  const bringBack = () => restore(version).catch((problem: unknown) => toast.error(t`${name} could not be restored.`, problem))
  // The second click of a double click would speak of a version that the first has overtaken.
  const act = async () => {
    setBusy(true)
    await (archivedAt ? bringBack() : putAway())
    setBusy(false)
  }
  return (
    <Button variant="default" loading={isBusy} onClick={() => void act()}>
      {archivedAt ? <Trans>Restore</Trans> : <Trans>Archive</Trans>}
    </Button>
  )
}
