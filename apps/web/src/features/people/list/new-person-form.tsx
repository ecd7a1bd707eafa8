import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { NewPerson } from '@guildhall/contract/features/people'
import { useRef, useState } from 'react'
import { faultsOf } from '../../../platform/api/form-rules.ts'
import { useApi } from '../../../platform/api/api.tsx'
import { ChapterPicker } from '../../../platform/records/record-pickers.tsx'
import { useHoldsEverywhere } from '../../../platform/session/session.ts'
import { toast } from '../../../platform/activity/toast.tsx'
import { Optional, RecordForm, useRecordForm } from '../../../ui/form/record-form.tsx'
import { RecordListPicker } from '../../../ui/form/record-list-picker.tsx'
import { Duplicates } from './duplicates.tsx'
import { blankPerson, fieldOf, payloadOf } from './new-person-values.ts'
import type { FieldChange } from '@guildhall/contract/features/fields'
import { FieldInputs, useMissingField } from '../../fields/fields-public.tsx'
import type { Values } from './new-person-values.ts'
import classes from '../people.module.css'
import { usePeopleChanged } from '../people-api.ts'
import { useTagOptions } from '../../tags/tags-public.tsx'
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
  const options = useTagOptions()
  const [everyPerson, everySecret] = [useHoldsEverywhere('people.write'), useHoldsEverywhere('people.sensitive')]
  const isOffice = everyPerson && everySecret
  const [more, setMore] = useState(false)
  const [another, setAnother] = useState(false)
  const [chapterId, setChapterId] = useState(home?.id ?? null)
  const [tagIds, setTagIds] = useState<string[]>([])
  const [own, setOwn] = useState<FieldChange>({})
  const missingIn = useMissingField('people')
  const first = useRef<HTMLInputElement>(null)
  const form = useRecordForm<Values>((values) => problemsOf(values, chapterId, tagIds), blankPerson)

  const create = async (values: Values) => {
    const missing = missingIn(own)
    if (missing) throw new Error(missing)
    const filled = Object.fromEntries(Object.entries(own).filter(([, given]) => given !== null))
    const person = await api.data.people.create.call({
      ...payloadOf(values, chapterId, tagIds),
      ...(Object.keys(filled).length > 0 && { fields: filled }),
    })
    toast.undo(t`${person.displayName} entered`, async () => {
      await api.data.people.archive.call({ personId: person.id })
      await changed()
    })
    void changed()
    if (!another) return onCreated(person.id)
    form.reset()
    setTagIds([])
    setOwn({})
    first.current?.focus()
  }
  const field = (name: keyof Values, label: string, type = 'text') => (
    <TextInput key={name} type={type} label={<Optional>{label}</Optional>} autoComplete="off" {...form.getInputProps(name)} />
  )
  return (
    <RecordForm
      form={form}
      draft="new-person"
      fieldOf={fieldOf}
      onSubmit={create}
      submitLabel={<Trans>Create member</Trans>}
      onCancel={onClose}
    >
      <div className={classes['pair']}>
        <TextInput ref={first} autoFocus data-autofocus label={t`Given name`} autoComplete="off" {...form.getInputProps('givenName')} />
        <TextInput label={t`Family name`} description={undefined} autoComplete="off" {...form.getInputProps('familyName')} />
        {field('email', t`E-mail`, 'email')}
        {field('phone', t`Telephone`, 'tel')}
      </div>
      <Duplicates values={form.getValues()} />
      <div className={classes['pair']}>
        <ChapterPicker
          label={<Optional>{t`Chapter`}</Optional>}
          value={chapterId}
          onChange={setChapterId}
          {...(home && { known: { value: home.id, label: home.name } })}
        />
        {chapterId && (
          <NativeSelect
            label={t`Affiliation`}
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
            <FieldInputs recordType="people" values={own} onChange={setOwn} />
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
          <FieldInputs recordType="people" values={own} onChange={setOwn} requiredOnly />
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
function problemsOf(values: Values, chapterId: string | null, tagIds: string[]): Partial<Record<keyof Values, string>> {
  const faults = faultsOf(NewPerson, payloadOf(values, chapterId, tagIds))
  return Object.fromEntries(Object.entries(faults).map(([path, message]) => [fieldOf(path), message]))
}
