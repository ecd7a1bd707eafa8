import type { ReactNode } from 'react'
import { Fact } from '../../ui/form/fact-list.tsx'
import type { FactEdit } from '../../ui/form/fact-editor.tsx'
import type { RecordEditor } from './record-editor.tsx'

export type RecordFactProps<Change, Value extends string> = {
  editor: RecordEditor<Change>
  label: string
  /** How the toast calls the field, where its label says too little: "Day of birth". */
  name?: string
  kind?: FactEdit['kind'] | undefined
  /** What the field holds when it is opened. */
  value: string
  options?: readonly { value: Value; label: string }[] | undefined
  /** What the text or the option changes. */
  change: (value: Value) => Change
  validate?: FactEdit['validate'] | undefined
  preview?: FactEdit['preview'] | undefined
  may: boolean
  startsOpen?: boolean
  hint?: ReactNode
  /** What is shown; without it the value, or its option's label. */
  children?: ReactNode
}

/** A field of a record, edited in place: `<RecordFact editor={editor} may={may.edit} label={t`City`} value={city} change={(city) => ({ city })} />`. */
export function RecordFact<Change, Value extends string>({
  editor,
  label,
  name = label,
  kind,
  value,
  options,
  change,
  validate,
  preview,
  may,
  startsOpen = false,
  hint,
  children,
}: RecordFactProps<Change, Value>) {
  const wordFor = (code: string) => options?.find((option) => option.value === code)?.label
  const fits = (text: string): text is Value => !options || wordFor(text) !== undefined
  const onSave = async (text: string) => {
    if (!fits(text)) return
    await editor.save({ label: name, change: change(text), before: fits(value) ? change(value) : undefined, words: wordFor })
  }
  const edit: FactEdit | undefined = may
    ? {
        kind: kind ?? (options ? 'select' : 'text'),
        value,
        onSave,
        startsOpen,
        ...(options && { options }),
        ...(validate && { validate }),
        ...(preview && { preview }),
      }
    : undefined
  return (
    <Fact label={label} edit={edit} hint={hint}>
      {children === undefined ? (wordFor(value) ?? value) : children}
    </Fact>
  )
}
