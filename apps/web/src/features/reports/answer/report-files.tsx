import { Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReportQuestion } from '@guildhall/contract/features/reports'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { saveFile } from '../../../ui/save-file.ts'

type Props = { question: ReportQuestion; title: string; runId: string | undefined }
type Format = 'csv' | 'xlsx' | 'pdf'

/** The report as a file with its filters, scope and time, or on paper. */
export function ReportFiles({ question, title, runId }: Props) {
  const { reports } = useApi().actions
  const [busy, setBusy] = useState(false)
  const download = (format: Format) => {
    setBusy(true)
    reports.file
      .call({ question, format, name: title.slice(0, 120), ...(runId && { runId }) })
      .then((file) => saveFile(file, file.name && file.name !== 'blob' ? file.name : `${title}.${format}`))
      .catch((problem: unknown) => toast.error(t`The file could not be made.`, problem))
      .finally(() => setBusy(false))
  }
  const words: Record<Format, string> = { csv: t`CSV, for any program`, xlsx: t`Excel workbook (XLSX)`, pdf: t`PDF, for reading` }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" loading={busy} leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}>
            <Trans>Download</Trans>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => download('csv')}>{words.csv}</Menu.Item>
          <Menu.Item onClick={() => download('xlsx')}>{words.xlsx}</Menu.Item>
          <Menu.Item onClick={() => download('pdf')}>{words.pdf}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button variant="default" leftSection={<IconPrinter size={16} stroke={1.5} aria-hidden />} onClick={() => window.print()}>
        <Trans>Print</Trans>
      </Button>
    </>
  )
}
