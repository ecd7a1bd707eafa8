import { ActionIcon } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { fieldPrefix } from '@guildhall/contract/features/fields'
import type { FieldChange, FieldValues, RecordType } from '@guildhall/contract/features/fields'
import { useRecordEditor } from '../../platform/records/record-editor.tsx'
import type { RecordEditor } from '../../platform/records/record-editor.tsx'
import { RecordFact } from '../../platform/records/record-fact.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import type { Sent } from '../../ui/dialog/form-dialog.tsx'
import { Fact, FactList } from '../../ui/form/fact-list.tsx'
import { Section } from '../../ui/page/page.tsx'
import { FieldInput } from './field-input.tsx'
import { FieldValueText } from './field-value.tsx'
import { yesNoWords } from './field-words.ts'
import { useFields } from './fields-api.ts'
import type { Field, FieldValue } from './fields-api.ts'
import classes from './fields.module.css'

type Given = FieldChange[string]
type Kept = { fields: FieldValues; version: number }
type Props = {
  recordType: RecordType
  /** Whose fields these are: "Locker of Ann changed". */
  name: string
  record: Kept
  /** Sets these fields of the record and shows what was saved. */
  save: (fields: FieldChange, sent: Sent) => Promise<Kept>
  read: () => Promise<Kept>
  /** Whether the reader changes this field of this record. */
  may: (field: Field) => boolean
  /** The name in lists of the field that is open for input at once. */
  startEditing?: string | undefined
}

/** Fields of the organisation on the page of a record, under their headings, edited in place. */
export function FieldSections({ recordType, name, record, save, read, may, startEditing }: Props) {
  const values = record.fields
  const fields = useFields(recordType).filter((field) => may(field) || values[field.key] !== undefined)
  const editor = useRecordEditor({
    name,
    record: values,
    version: record.version,
    send: async (change: FieldChange, sent) => (await save(change, sent)).fields,
    read: async () => {
      const now = await read()
      return { record: now.fields, version: now.version }
    },
    onSaved: () => undefined,
  })
  const sections = Map.groupBy(fields, ({ section }) => section)
  return (
    <>
      {[...sections].map(([section, own]) => (
        <Section key={section} title={section || t`More facts`}>
          <FactList>
            {own.map((field) => (
              <FieldFact
                key={field.id}
                field={field}
                value={values[field.key]}
                may={may(field)}
                editor={editor}
                startsOpen={startEditing === `${fieldPrefix}${field.key}`}
              />
            ))}
          </FactList>
        </Section>
      ))}
      {editor.dialog}
    </>
  )
}

type FactProps = { editor: RecordEditor<FieldChange>; field: Field; value: FieldValue | undefined; may: boolean; startsOpen: boolean }

function FieldFact({ field, value, may, editor, startsOpen }: FactProps) {
  const [open, setOpen] = useState(startsOpen)
  const shown = <FieldValueText field={field} value={value} />
  const set = (given: Given): FieldChange => ({ [field.key]: given })
  if (field.type === 'choices' || field.type === 'person') {
    return (
      <Fact label={field.label} edit={undefined}>
        <span className={classes['fact']}>
          {value === undefined ? '–' : shown}
          {may && (
            <ActionIcon variant="subtle" color="gray" aria-label={t`Edit ${field.label}`} onClick={() => setOpen(true)}>
              <IconPencil size={14} aria-hidden />
            </ActionIcon>
          )}
        </span>
        <FormDialog<{ given: Given | undefined }, void>
          opened={open}
          onClose={() => setOpen(false)}
          title={field.label}
          rules={{}}
          values={{ given: typeof value === 'object' && 'displayName' in value ? value.id : value }}
          submitLabel={<Trans>Save</Trans>}
          onSubmit={async ({ given }) =>
            editor.save({ label: field.label, change: set(given ?? null), before: undefined, words: () => undefined })
          }
        >
          {(form) => (
            <FieldInput
              field={field}
              value={form.getValues().given}
              known={value}
              onChange={(given) => form.setFieldValue('given', given)}
            />
          )}
        </FormDialog>
      </Fact>
    )
  }
  const text = value === undefined || typeof value === 'object' ? '' : String(value)
  const blank = { value: '', label: '–' }
  const options =
    field.type === 'choice'
      ? [blank, ...field.choices.filter(({ id, retired }) => !retired || id === value).map(({ id, label }) => ({ value: id, label }))]
      : field.type === 'flag'
        ? [blank, ...Object.entries(yesNoWords()).map(([code, word]) => ({ value: code, label: word }))]
        : undefined
  const kinds = { text: 'text', url: 'url', date: 'date', number: 'text', flag: 'select', choice: 'select' } as const
  return (
    <RecordFact
      editor={editor}
      may={may}
      startsOpen={startsOpen}
      label={field.label}
      kind={kinds[field.type]}
      value={text}
      options={options}
      hint={may ? field.help || undefined : undefined}
      change={(typed: string) => set(givenOf(field, typed))}
    >
      {shown}
    </RecordFact>
  )
}

/** What was typed as the server keeps it; a number that is none is sent as it is and refused with its reason. */
function givenOf({ type }: Field, typed: string): Given {
  if (typed === '') return null
  if (type === 'flag') return typed === 'true'
  return type === 'number' && /^-?\d{1,12}([.,]\d{1,4})?$/.test(typed) ? Number(typed.replace(',', '.')) : typed
}
