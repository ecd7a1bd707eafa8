import { Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import type { LineFileFormat, LineRecord } from '@guildhall/contract/features/relationships.lines'
import { toast } from '../../../platform/activity/toast.tsx'
import { useCan } from '../../../platform/session/session.ts'
import { saveFile } from '../../../ui/save-file.ts'
import { ExportAllDialog } from './export-all-dialog.tsx'
import { useLineFile } from '../lines-api.ts'
import type { LineQuestion } from '../lines-api.ts'
import type { LineKind } from './line-kinds.ts'

/** `root` is whose line is shown; without one, files are of all pairs of the kind. */
type Props = { question: LineQuestion; kind: LineKind; root: LineRecord | undefined }

export function LinesFiles({ question, kind, root }: Props) {
  const mayReport = useCan('reports.read')
  const mayRead = useCan('relationships.read')
  const mayExport = useCan('people.export')
  const [exporting, setExporting] = useState(false)
  const make = useLineFile()
  const [busy, setBusy] = useState(false)
  const download = async (format: LineFileFormat) => {
    setBusy(true)
    try {
      saveFile(await make({ ...question, rootId: root?.id, format }), `${fileName(kind, root)}.${format}`)
    } catch (failure) {
      toast.error(t`The file could not be made`, failure)
    } finally {
      setBusy(false)
    }
  }
  const offered: readonly (readonly [LineFileFormat, string])[] = [
    ['csv', t`List of pairs (CSV)`],
    ['graphml', t`Graph (GraphML)`],
    ['json', t`JSON`],
    ...(root
      ? ([
          ['svg', t`Picture (SVG)`],
          ['pdf', t`Print (PDF)`],
        ] as const)
      : []),
  ]
  return (
    <>
      {mayReport && (
        <Menu>
          <Menu.Target>
            <Button variant="default" loading={busy} leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}>
              <Trans>Download</Trans>
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{root ? t`Line of ${root.name}` : t`All of ${kind.name}`}</Menu.Label>
            {offered.map(([format, label]) => (
              <Menu.Item key={format} onClick={() => void download(format)}>
                {label}
              </Menu.Item>
            ))}
            {kind.type && mayRead && mayExport && (
              <>
                <Menu.Divider />
                <Menu.Item onClick={() => setExporting(true)}>{t`Export all of ${kind.name}, with ended ones`}</Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {kind.type && <ExportAllDialog opened={exporting} type={kind.type} onClose={() => setExporting(false)} />}
      <Button variant="default" leftSection={<IconPrinter size={16} stroke={1.5} aria-hidden />} onClick={() => window.print()}>
        <Trans>Print</Trans>
      </Button>
    </>
  )
}

/** "lineage-ada-byron" */
const fileName = (kind: LineKind, root: LineRecord | undefined) =>
  [kind.key, root?.name]
    .filter((part) => part !== undefined)
    .join('-')
    .toLocaleLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
