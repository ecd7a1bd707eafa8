import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { saveFile } from '../../ui/save-file.ts'
import { toast } from '../activity/toast.tsx'

type Props = {
  /** Of the file: "R-2026-00042.pdf". */
  name: string
  load: () => Promise<File>
  /** What it is called for those who hear the page, where several stand together. */
  label?: string
  compact?: boolean
}

/** A document of the server, into the reader's downloads. */
export function PaperButton({ name, load, label, compact = false }: Props) {
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      saveFile(await load(), name)
    } catch (failure) {
      toast.error(t`The document could not be downloaded`, failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="default"
      size={compact ? 'compact-sm' : 'sm'}
      leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
      aria-label={label}
      loading={busy}
      onClick={() => void download()}
    >
      {compact ? <Trans>PDF</Trans> : <Trans>Download PDF</Trans>}
    </Button>
  )
}
