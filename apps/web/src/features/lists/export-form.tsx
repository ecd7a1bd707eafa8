import { Anchor, Radio, Stack, Text, Textarea } from '@mantine/core'
import '@mantine/core/styles/Radio.css'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { exportReasonAbove, pdfColumnLimit, pdfRowLimit, xlsxRowLimit } from '@guildhall/contract/features/lists'
import type { NewExport } from '@guildhall/contract/features/lists'
import { useApi } from '../../platform/api/api.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { Optional, RecordForm, useRecordForm } from '../../ui/form/record-form.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { downloadExport, followExport } from './follow-export.ts'
import classes from './export-form.module.css'
import { useExportColumns } from './lists-api.ts'

export type ExportFormProps = {
  list: NewExport['list']
  selection: NewExport['selection']
  sort?: string | undefined
  groupId?: string | undefined
  /** Columns of the view, in its order; those the export does not know are left out. */
  columns: readonly string[]
  total: number
  totalIsExact: boolean
  onClose: () => void
}

type Values = { format: NewExport['format']; columns: 'view' | 'all'; reason: string }

export function ExportForm({ list, selection, sort, groupId, columns, total, totalIsExact, onClose }: ExportFormProps) {
  const api = useApi()
  const { number } = useFormats()
  const exportable = useExportColumns(list)
  const needsReason = total > exportReasonAbove || !totalIsExact
  const tooLong = total > xlsxRowLimit
  const tooLongToPrint = total > pdfRowLimit || !totalIsExact
  const form = useRecordForm<Values>(
    { reason: (value) => (needsReason && !value.trim() ? t`Say what the export is for.` : null) },
    { format: 'csv', columns: 'view', reason: '' },
  )
  const start = async ({ format, columns: which, reason }: Values) => {
    const all = (await exportable()).map(({ key }) => key)
    const ofView = columns.filter((key) => all.includes(key))
    const wanted = which === 'view' && ofView.length > 0 ? ofView : all
    const chosen = format === 'pdf' ? wanted.slice(0, pdfColumnLimit) : wanted
    const made = await api.actions.lists.exports.create.call({
      list,
      format,
      columns: chosen,
      selection,
      ...(sort && { sort }),
      ...(groupId && { groupId }),
      ...(reason.trim() && { reason: reason.trim() }),
    })
    onClose()
    void followExport(api, made)
  }
  const rows = totalIsExact ? plural(total, { one: '# row', other: '# rows' }) : t`more than ${number(total)} rows`
  return (
    <RecordForm form={form} onSubmit={start} submitLabel={<Trans>Export {rows}</Trans>} onCancel={onClose}>
      <Radio.Group label={t`File`} {...form.getInputProps('format')}>
        <Stack gap={8} mt={6}>
          <Radio value="csv" label={t`CSV, for any program`} autoFocus data-autofocus />
          <Radio
            value="xlsx"
            label={t`Excel workbook (XLSX)`}
            disabled={tooLong}
            description={tooLong ? t`Holds at most ${number(xlsxRowLimit)} rows; choose CSV.` : undefined}
          />
          <Radio
            value="pdf"
            label={t`PDF, for reading and printing`}
            disabled={tooLongToPrint}
            description={
              tooLongToPrint ? t`Holds at most ${number(pdfRowLimit)} rows; choose CSV.` : t`With the first ${pdfColumnLimit} columns.`
            }
          />
        </Stack>
      </Radio.Group>
      <Radio.Group label={t`Columns`} {...form.getInputProps('columns')}>
        <Stack gap={8} mt={6}>
          <Radio value="view" label={t`Those of this view, in its order`} />
          <Radio value="all" label={t`All there are`} />
        </Stack>
      </Radio.Group>
      <Textarea
        label={needsReason ? t`What is it for?` : <Optional>{t`What is it for?`}</Optional>}
        description={needsReason ? t`Asked above ${number(exportReasonAbove)} rows, and kept in the audit log.` : t`Kept in the audit log.`}
        autosize
        minRows={2}
        maxLength={500}
        {...form.getInputProps('reason')}
      />
      <Earlier list={list} />
    </RecordForm>
  )
}

/** Files of the last days, for whoever lost the download. */
function Earlier({ list }: { list: NewExport['list'] }) {
  const api = useApi()
  const { data } = useQuery(api.data.lists.exports.list.queryOptions())
  const ready = data?.items.filter((item) => item.list === list && item.downloadable).slice(0, 3) ?? []
  if (ready.length === 0) return null
  return (
    <div>
      <Text size="sm" c="dimmed">
        <Trans>Earlier files of yours</Trans>
      </Text>
      <ul className={classes['earlier']}>
        {ready.map((item) => {
          const kind = item.format.toUpperCase()
          return (
            <li key={item.id}>
              <Anchor component="button" type="button" size="sm" onClick={() => void downloadExport(api, item)}>
                {kind}, {plural(item.rows ?? 0, { one: '# row', other: '# rows' })}
              </Anchor>
              <RelativeTime at={item.createdAt} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}
