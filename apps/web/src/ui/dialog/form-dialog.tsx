import type { ModalProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { RecordForm, staleVersion, useRecordForm } from '../form/record-form.tsx'
import type { FormRules, RecordFormProps } from '../form/record-form.tsx'

/** Said with the call that saves, so that nobody's later change is overwritten unseen. */
export type Sent = { context: { ifMatch: number | undefined } }

/** One form: what it begins with, what is accepted, what is done with it. */
export type FormParts<Values extends Record<string, unknown>, Result> = {
  /** What the fields hold at first. */
  values: Values
  /** The contract's schema, or a rule for each field. */
  rules: FormRules<Values>
  /** Of the record that is edited; `sent` then carries it, and the newer one once the reader has been told of it. */
  version?: number | undefined
  submitLabel: ReactNode | ((values: Values) => ReactNode)
  /** The form closes when it resolves. What it rejects with is shown, at its field where it names one, and the form stays. */
  onSubmit: (values: Values, sent: Sent) => Promise<Result>
  /** Once the form is closed: to the page of a new record, say. */
  onDone?: (result: Result) => unknown
  children: (form: UseFormReturnType<Values>) => ReactNode
} & Pick<RecordFormProps<Values>, 'draft' | 'fieldOf'>

export type FormDialogProps<Values extends Record<string, unknown>, Result> = FormParts<Values, Result> & {
  opened: boolean
  onClose: () => void
  title: string
  size?: ModalProps['size']
}

/** A dialog with one form. It begins anew whenever it opens, and cannot be closed while it is being sent. */
export function FormDialog<Values extends Record<string, unknown>, Result>({
  opened,
  title,
  size,
  ...form
}: FormDialogProps<Values, Result>) {
  const sending = useRef(false)
  // While it fades away there may be nothing left to name.
  const [shownTitle, setShownTitle] = useState(title)
  if (opened && shownTitle !== title) setShownTitle(title)
  return (
    <Dialog
      opened={opened}
      onClose={() => {
        if (!sending.current) form.onClose()
      }}
      title={shownTitle}
      {...(size !== undefined && { size })}
    >
      {opened && <FormInPlace {...form} onSending={(now) => (sending.current = now)} />}
    </Dialog>
  )
}

type FormInPlaceProps<Values extends Record<string, unknown>, Result> = FormParts<Values, Result> & {
  onClose: () => void
  onSending?: (now: boolean) => void
}

/** The same form where there is a frame around it already. */
export function FormInPlace<Values extends Record<string, unknown>, Result>({
  values,
  rules,
  version,
  draft,
  fieldOf,
  submitLabel,
  onSubmit,
  onDone,
  onClose,
  onSending,
  children,
}: FormInPlaceProps<Values, Result>) {
  const form = useRecordForm(rules, values)
  const [ifMatch, setIfMatch] = useState(version)
  const submit = async (entered: Values) => {
    onSending?.(true)
    try {
      const result = await onSubmit(entered, { context: { ifMatch } })
      onClose()
      onDone?.(result)
    } catch (problem) {
      const newer = staleVersion(problem)
      if (newer === undefined) throw problem
      setIfMatch(newer)
      throw new Error(t`Somebody else has changed this. Save again to replace their changes with yours.`, { cause: problem })
    } finally {
      onSending?.(false)
    }
  }
  return (
    <RecordForm
      form={form}
      draft={draft}
      fieldOf={fieldOf}
      submitLabel={typeof submitLabel === 'function' ? submitLabel(form.values) : submitLabel}
      onCancel={onClose}
      onSubmit={submit}
    >
      {children(form)}
    </RecordForm>
  )
}
