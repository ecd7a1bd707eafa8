import { NativeSelect } from '@mantine/core'
import { DateOrder, ImportEncoding, Separator } from '@guildhall/contract/features/imports'
import { plural, t } from '@lingui/core/macro'
import { toast } from '../../platform/activity/toast.tsx'
import { Section } from '../../ui/page/page.tsx'
import { useImportActs } from './imports-api.ts'
import type { Import } from './imports-api.ts'
import { dateOrderWords } from './imports-words.ts'
import classes from './imports.module.css'

function sheetLabel(name: string, rows: number | null, hidden: boolean): string {
  const counted = rows === null ? name : t`${name} (${plural(rows, { one: '# row', other: '# rows' })})`
  return hidden ? t`${counted}, hidden` : counted
}

/** How the file is read. All of it was detected; this is for when that went wrong. */
export function ImportReading({ item }: { item: Import }) {
  const { configure } = useImportActs()
  const { format } = item
  const change = async (part: Partial<Omit<Import['format'], 'type'>>) => {
    try {
      await configure.mutateAsync({ id: item.id, version: item.version, format: part })
    } catch (failure) {
      toast.error(t`The file cannot be read that way.`, failure)
    }
  }
  const separators: Record<Import['format']['separator'], string> = { ',': t`Comma`, ';': t`Semicolon`, '\t': t`Tab`, '|': t`Bar` }
  const orders = dateOrderWords()
  return (
    <Section title={t`How the file is read`}>
      <div className={classes['fields']}>
        {item.sheets && item.sheets.length > 1 && (
          <NativeSelect
            label={t`Sheet`}
            value={format.sheet ?? ''}
            data={item.sheets.map(({ name, rows, hidden }) => ({ value: name, label: sheetLabel(name, rows, hidden) }))}
            onChange={(event) => void change({ sheet: event.currentTarget.value })}
          />
        )}
        {format.type === 'csv' && (
          <>
            <NativeSelect
              label={t`Encoding`}
              value={format.encoding}
              data={ImportEncoding.options}
              onChange={(event) => void change({ encoding: ImportEncoding.parse(event.currentTarget.value) })}
            />
            <NativeSelect
              label={t`Columns are separated by`}
              value={format.separator}
              data={Separator.options.map((value) => ({ value, label: separators[value] }))}
              onChange={(event) => void change({ separator: Separator.parse(event.currentTarget.value) })}
            />
          </>
        )}
        <NativeSelect
          label={t`Header row`}
          value={String(format.headerRow)}
          data={[
            { value: '0', label: t`No header row` },
            ...Array.from({ length: 10 }, (_, index) => ({ value: String(index + 1), label: t`In row ${index + 1}` })),
          ]}
          onChange={(event) => void change({ headerRow: Number(event.currentTarget.value) })}
        />
        <NativeSelect
          label={t`Dates are written`}
          value={format.dateOrder ?? ''}
          data={[
            ...(format.dateOrder ? [] : [{ value: '', label: t`Choose …` }]),
            ...DateOrder.options.map((value) => ({ value, label: orders[value] })),
          ]}
          onChange={(event) => event.currentTarget.value && void change({ dateOrder: DateOrder.parse(event.currentTarget.value) })}
        />
        {(format.garbled ?? item.findings.some(({ code }) => code === 'garbled_letters')) && (
          <NativeSelect
            label={t`Garbled letters`}
            value={format.garbled ?? ''}
            data={[
              ...(format.garbled ? [] : [{ value: '', label: t`Reject rows` }]),
              { value: 'repair', label: t`Repair` },
              { value: 'keep', label: t`Keep as they are` },
            ]}
            onChange={(event) =>
              event.currentTarget.value && void change({ garbled: event.currentTarget.value === 'repair' ? 'repair' : 'keep' })
            }
          />
        )}
      </div>
    </Section>
  )
}
