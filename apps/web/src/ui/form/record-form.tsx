import { Alert, Button, Group } from '@mantine/core'
import '@mantine/core/styles/Alert.css'
import { useForm } from '@mantine/form'
import type { FormValidateInput, UseFormReturnType } from '@mantine/form'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import type { ReactNode, SyntheticEvent } from 'react'
import { Remedy } from '../dialog/remedy.tsx'
import { useFormDraft } from './form-drafts.ts'
import { isSenselessDate, noSuchDate } from './typed-dates.ts'
import classes from './record-form.module.css'

/** A rule for each field that answers what is wrong, or one for all of them. */
export type FormRules<Values> = FormValidateInput<Values>

/** Values are checked on leaving a field, then while it is wrong, and all of them on submit. */
export const useRecordForm = <Values extends Record<string, unknown>>(
  rules: FormRules<Values>,
  initialValues: Values,
): UseFormReturnType<Values> =>
  useForm<Values>({
    initialValues,
    validate: rules,
    validateInputOnBlur: true,
    clearInputErrorOnChange: true,
  })

export type RecordFormProps<Values extends Record<string, unknown>> = {
  form: UseFormReturnType<Values>
  /** Field errors on a thrown error (`errors: [{path, message}]`) go to their fields; its message goes to the summary. */
  onSubmit: (values: Values) => Promise<unknown>
  /** A verb and its object: "Create member". */
  submitLabel: ReactNode
  /** A second way to send the same: "Save and create another". */
  also?: { label: ReactNode; onSubmit: (values: Values) => Promise<unknown> } | undefined
  onCancel?: () => void
  /** Names the form where what was typed shall outlast leaving it unsaved: "new-person". */
  draft?: string | undefined
  /** The form's field that a place in the request belongs to, where they are not called the same. */
  fieldOf?: ((path: string) => string) | undefined
  children: ReactNode
}

/** Labels above, one column. Ctrl or Cmd with Enter submits. What was typed stays whatever happens. */
export function RecordForm<Values extends Record<string, unknown>>({
  form,
  onSubmit,
  submitLabel,
  also,
  onCancel,
  draft,
  fieldOf = (path) => path,
  children,
}: RecordFormProps<Values>) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Error | undefined>()
  const element = useRef<HTMLFormElement>(null)
  const focusFirst = () => setTimeout(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), 0)

  const { restored, forget, startAnew } = useFormDraft(form, draft)

  const save = (send: typeof onSubmit) =>
    form.onSubmit(async (values) => {
      setBusy(true)
      setFailure(undefined)
      try {
        await send(values)
        forget()
      } catch (thrown) {
        const fields = fieldErrors(thrown)
          .map(({ path, message }) => ({ path: fieldOf(path), message }))
          .filter(({ path }) => path in form.getValues())
        for (const { path, message } of fields) form.setFieldError(path, message)
        if (fields.length > 0) focusFirst()
        else setFailure(thrown instanceof Error ? thrown : new Error(String(thrown)))
      } finally {
        setBusy(false)
      }
    }, focusFirst)

  /** A date that does not exist has no value, and would be saved as if its field had been left empty. */
  const submit = (send: typeof onSubmit, event?: SyntheticEvent<HTMLFormElement>) => {
    const senseless = [...(element.current?.querySelectorAll('input') ?? [])].filter(isSenselessDate)
    if (senseless.length === 0) return save(send)(event)
    event?.preventDefault()
    for (const { dataset } of senseless) if (dataset['path']) form.setFieldError(dataset['path'], noSuchDate())
    focusFirst()
  }

  const messages = Object.entries(form.errors)
  return (
    <form
      ref={element}
      noValidate
      className={classes['form']}
      onSubmit={(event) => submit(onSubmit, event)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) element.current?.requestSubmit()
      }}
    >
      {(failure || messages.length > 1) && (
        <Alert role="alert" color="red" variant="light" title={failure?.message ?? <Trans>Some fields need another look</Trans>}>
          {messages.length > 0 && (
            <ul>
              {messages.map(([path, message]) => (
                <li key={path}>{message}</li>
              ))}
            </ul>
          )}
          <Remedy after={failure} onDone={() => element.current?.requestSubmit()} />
        </Alert>
      )}
      {restored && (
        <p className={classes['restored']} role="status">
          <Trans>This is what you typed before.</Trans>{' '}
          <Button variant="subtle" size="compact-sm" onClick={startAnew}>
            {t`Start over`}
          </Button>
        </p>
      )}
      {children}
      <Group justify="flex-end" gap="sm">
        {onCancel && (
          <Button
            variant="default"
            onClick={() => {
              forget()
              onCancel()
            }}
          >
            <Trans>Cancel</Trans>
          </Button>
        )}
        {also && (
          <Button variant="default" disabled={busy} onClick={() => submit(also.onSubmit)}>
            {also.label}
          </Button>
        )}
        <Button type="submit" loading={busy}>
          {submitLabel}
        </Button>
      </Group>
    </form>
  )
}

/** "Nickname (optional)": what is not marked is required. */
export const Optional = ({ children }: { children: ReactNode }) => (
  <>
    {children}{' '}
    <span className={classes['optional']}>
      <Trans>(optional)</Trans>
    </span>
  </>
)

/** The record's newer version where an edit of an older one was refused (412). */
export function staleVersion(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('status' in thrown) || thrown.status !== 412 || !('body' in thrown)) return undefined
  const version: unknown = valueAt(valueAt(thrown.body, 'current'), 'version')
  return typeof version === 'number' ? version : undefined
}

const valueAt = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined

function fieldErrors(thrown: unknown): { path: string; message: string }[] {
  if (typeof thrown !== 'object' || thrown === null || !('errors' in thrown) || !Array.isArray(thrown.errors)) return []
  return thrown.errors.flatMap((error: unknown) =>
    typeof error === 'object' && error !== null && 'path' in error && 'message' in error
      ? [{ path: String(error.path).replace(/^body\./, ''), message: String(error.message) }]
      : [],
  )
}
