import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { NewPerson } from '@guildhall/contract/features/people'
import { useRef, useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { useHoldsEverywhere } from '../../../platform/session/session.ts'
import { toast } from '../../../platform/activity/toast.tsx'
import { ComboboxPicker } from '../../../ui/form/combobox-picker.tsx'
import type { Option } from '../../../ui/filter/filter.ts'
import { Optional, RecordForm } from '../../../ui/form/record-form.tsx'
import { RecordListPicker } from '../../../ui/form/record-list-picker.tsx'
import { Duplicates } from './duplicates.tsx'
import { blankPerson, fieldOf, payloadOf } from './new-person-values.ts'
import type { Values } from './new-person-values.ts'
import classes from '../people.module.css'
import { usePeopleChanged } from '../people-api.ts'
import { usePeopleOptions } from '../people-options.ts'
import { affiliationOptions, lifecycleOptions } from '../people-words.tsx'

export type NewPersonFormProps = {
  /** Where the reader belongs: likely where the new person does too. */
  home: { id: string; name: string } | undefined
  onClose: () => void
  onCreated: (id: string) => void
}

/** A name is enough. While it is typed, people who may be the same are offered. */
export function NewPersonForm({ home, onClose, onCreated }: NewPersonFormProps) {
  const api = useApi()
  const changed = usePeopleChanged()
  const options = usePeopleOptions()
  const [everyPerson, everySecret] = [useHoldsEverywhere('people.write'), useHoldsEverywhere('people.sensitive')]
  const isOffice = everyPerson && everySecret
  const [more, setMore] = useState(false)
  const [another, setAnother] = useState(false)
  const [chapter, setChapter] = useState<Option | null>(home ? { value: home.id, label: home.name } : null)
  const [tagIds, setTagIds] = useState<string[]>([])
  const first = useRef<HTMLInputElement>(null)
  const form = useForm<Values>({
    initialValues: blankPerson,
    validateInputOnBlur: true,
    clearInputErrorOnChange: true,
    validate: (values) => problemsOf(values, chapter?.value, tagIds),
  })

  const create = async (values: Values) => {
    try {
      const person = await api.data.people.create.call(payloadOf(values, chapter?.value, tagIds))
      toast.undo(t`${person.displayName} entered`, async () => {
        await api.data.people.archive.call({ personId: person.id })
        await changed()
      })
      void changed()
      if (!another) return onCreated(person.id)
      form.reset()
      setTagIds([])
      first.current?.focus()
    } catch (problem) {
      throw withFormFields(problem)
    }
  }
  const field = (name: keyof Values, label: string, type = 'text') => (
    <TextInput key={name} type={type} label={<Optional>{label}</Optional>} autoComplete="off" {...form.getInputProps(name)} />
  )
  return (
    <RecordForm form={form} draft="new-person" onSubmit={create} submitLabel={<Trans>Create member</Trans>} onCancel={onClose}>
      <div className={classes['pair']}>
        <TextInput ref={first} autoFocus data-autofocus label={t`Given name`} autoComplete="off" {...form.getInputProps('givenName')} />
        <TextInput label={t`Family name`} description={undefined} autoComplete="off" {...form.getInputProps('familyName')} />
        {field('email', t`E-mail`, 'email')}
        {field('phone', t`Telephone`, 'tel')}
      </div>
      <Duplicates values={form.getValues()} />
      <div className={classes['pair']}>
        <ComboboxPicker label={<Optional>{t`Chapter`}</Optional>} value={chapter} onChange={setChapter} search={options.chapters} />
        {chapter && (
          <NativeSelect
            label={t`Membership type`}
            data={affiliationOptions().map(({ value, label }) => ({ value, label }))}
            {...form.getInputProps('affiliationKind')}
          />
        )}
      </div>
      {more ? (
        <>
          <div className={classes['pair']}>
            {field('preferredName', t`Preferred name`)}
            {isOffice ? (
              field('memberNo', t`Member number`)
            ) : (
              <TextInput label={t`Member number`} description={t`The office assigns member numbers.`} readOnly value="" />
            )}
            <NativeSelect
              label={t`Status`}
              data={lifecycleOptions().map(({ value, label }) => ({ value, label }))}
              {...form.getInputProps('lifecycle')}
            />
            {field('joinedOn', t`Joined`, 'date')}
            {field('gradYear', t`Graduation year`)}
            {field('employer', t`Employer`)}
            {field('jobTitle', t`Job title`)}
            {field('city', t`City`)}
          </div>
          <div>
            <div>
              <Optional>{t`Tags`}</Optional>
            </div>
            <RecordListPicker label={t`Tags`} value={tagIds} onChange={setTagIds} search={options.tags} names={options.tagNames} />
          </div>
        </>
      ) : (
        <div>
          <Button variant="subtle" size="compact-md" onClick={() => setMore(true)}>
            <Trans>More fields</Trans>
          </Button>
        </div>
      )}
      <Checkbox label={t`Add another afterwards`} checked={another} onChange={(event) => setAnother(event.currentTarget.checked)} />
    </RecordForm>
  )
}

/** What the contract says against the values, under the names of the form's fields. */
function problemsOf(values: Values, chapterId: string | undefined, tagIds: string[]): Partial<Record<keyof Values, string>> {
  const parsed = NewPerson.safeParse(payloadOf(values, chapterId, tagIds))
  if (parsed.success) return {}
  return Object.fromEntries(
    parsed.error.issues.toReversed().flatMap(({ path, message }) => (path.length > 0 ? [[fieldOf(path.join('.')), message]] : [])),
  )
}

/** The server names `emails.0.address`; the form calls it `email`. */
function withFormFields(problem: unknown): unknown {
  if (!(problem instanceof ApiProblem) || problem.errors.length === 0) return problem
  const { title, detail, code, requestId, body } = problem
  return new ApiProblem(problem.status, {
    title,
    detail,
    code,
    requestId,
    body,
    errors: problem.errors.map((error) => ({ ...error, path: fieldOf(error.path.replace(/^body\./, '')) })),
  })
}
