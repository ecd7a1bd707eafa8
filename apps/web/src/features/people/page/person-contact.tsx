import { t } from '@lingui/core/macro'
import { useApi } from '../../../platform/api/api.tsx'
import { useRecordEditor } from '../../../platform/records/record-editor.tsx'
import { RecordFact } from '../../../platform/records/record-fact.tsx'
import { FactList } from '../../../ui/form/fact-list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { ContactLines } from './contact-lines.tsx'
import { PersonLinks } from './person-links.tsx'
import classes from '../people.module.css'
import { usePeopleChanged } from '../people-api.ts'
import type { Person } from '../people-api.ts'
import { visibleToOptions } from '../people-words.tsx'
import type { WhoSees } from '../profile/use-who-sees.ts'
import { callLink, mailLink, webLink } from '../../../ui/display/contact-links.ts'

type Props = {
  person: Person
  /** Opens this one for editing: a field of the address, or `email` or `phone` for a new one. */
  startEditing?: string | undefined
  /** Says who sees what has this visibility, where that is known. */
  whoSees?: WhoSees | undefined
}

/** How to reach a person: what the reader may see of it, changed in place. */
export function PersonContactSection({ person, startEditing, whoSees }: Props) {
  const { may, contact } = person
  const editable = may.editContact || may.editSelf
  const mails = useEmailWays(person)
  const phones = usePhoneWays(person)
  const editor = useContactEditor(person)
  if (!may.seeContact && person.emails.length === 0 && person.phones.length === 0 && !contact) {
    return (
      <Section title={t`Contact`}>
        <p className={classes['dim']}>{t`Contact data is shown to officers of this person’s chapters only.`}</p>
      </Section>
    )
  }
  const place = (field: 'street' | 'postalCode' | 'city' | 'region' | 'country' | 'website', label: string) => (
    <RecordFact
      editor={editor}
      may={editable}
      label={label}
      kind={field === 'website' ? 'url' : 'text'}
      value={contact?.[field] ?? ''}
      change={(typed) => ({ [field]: typed })}
      startsOpen={field === startEditing}
    >
      {field === 'website' && contact?.website ? (
        <a href={webLink(contact.website)} rel="noreferrer noopener" target="_blank">
          {contact.website}
        </a>
      ) : undefined}
    </RecordFact>
  )
  return (
    <Section title={t`Contact`}>
      <ContactLines
        title={t`E-mail`}
        what={t`E-mail address`}
        type="email"
        startsAdding={startEditing === 'email'}
        whoSees={whoSees}
        editable={editable}
        lines={person.emails.map(({ address, ...line }) => ({ ...line, value: address }))}
        href={(value) => mailLink(value)}
        {...mails}
      />
      <ContactLines
        title={t`Telephone`}
        what={t`Telephone number`}
        type="tel"
        startsAdding={startEditing === 'phone'}
        whoSees={whoSees}
        editable={editable}
        lines={person.phones.map(({ number, ...line }) => ({ ...line, value: number }))}
        href={callLink}
        {...phones}
      />
      {(contact ?? editable) && (
        <>
          <h3 className={classes['subTitle']}>{t`Address`}</h3>
          <FactList>
            {place('street', t`Street`)}
            {place('postalCode', t`Postal code`)}
            {place('city', t`City`)}
            {place('region', t`Region`)}
            {place('country', t`Country`)}
            {place('website', t`Website`)}
            <RecordFact
              editor={editor}
              may={editable}
              label={t`Who sees it`}
              name={t`Visibility`}
              value={contact?.visibleTo ?? 'officers'}
              options={visibleToOptions()}
              change={(visibleTo) => ({ visibleTo })}
              hint={whoSees?.(contact?.visibleTo ?? 'officers')}
            />
          </FactList>
          <PersonLinks
            links={contact?.links ?? {}}
            editable={editable}
            save={(links) => editor.save({ label: t`Links`, change: { links }, before: { links: contact?.links ?? {} } })}
          />
        </>
      )}
    </Section>
  )
}

function useEmailWays(person: Person) {
  const people = useApi().data.people
  const changed = usePeopleChanged()
  const personId = person.id
  const make = async (input: Omit<Parameters<typeof people.addEmail.call>[0], 'personId'>) => {
    await people.addEmail.call({ personId, ...input })
    await changed()
  }
  return {
    add: (values: { value: string; label: string; visibleTo: 'officers' | 'members' }) =>
      make({ address: values.value.trim(), label: values.label, visibleTo: values.visibleTo }),
    update: async (
      emailId: string,
      { value, ...change }: { value?: string; label?: string; visibleTo?: 'officers' | 'members'; isPrimary?: true },
    ) => {
      await people.updateEmail.call({ personId, emailId, ...change, ...(value && { address: value.trim() }) })

      await changed()
    },
    remove: async (line: { id: string; value: string; label: string; isPrimary: boolean; visibleTo: 'officers' | 'members' }) => {
      await people.removeEmail.call({ personId, emailId: line.id })
      await changed()
      return () => make({ address: line.value, label: line.label, visibleTo: line.visibleTo, isPrimary: line.isPrimary })
    },
  }
}

function usePhoneWays(person: Person) {
  const people = useApi().data.people
  const changed = usePeopleChanged()
  const personId = person.id
  const make = async (input: Omit<Parameters<typeof people.addPhone.call>[0], 'personId'>) => {
    await people.addPhone.call({ personId, ...input })
    await changed()
  }
  return {
    add: (values: { value: string; label: string; visibleTo: 'officers' | 'members' }) =>
      make({ number: values.value.trim(), label: values.label, visibleTo: values.visibleTo }),
    update: async (
      phoneId: string,
      { value, ...change }: { value?: string; label?: string; visibleTo?: 'officers' | 'members'; isPrimary?: true },
    ) => {
      await people.updatePhone.call({ personId, phoneId, ...change, ...(value && { number: value.trim() }) })
      await changed()
    },
    remove: async (line: { id: string; value: string; label: string; isPrimary: boolean; visibleTo: 'officers' | 'members' }) => {
      await people.removePhone.call({ personId, phoneId: line.id })
      await changed()
      return () => make({ number: line.value, label: line.label, visibleTo: line.visibleTo, isPrimary: line.isPrimary })
    },
  }
}

function useContactEditor(person: Person) {
  const people = useApi().data.people
  const changed = usePeopleChanged()
  type Change = Omit<Parameters<typeof people.updateContact.call>[0], 'personId'>
  return useRecordEditor({
    name: person.displayName,
    record: person.contact ?? {},
    send: (change: Change) => people.updateContact.call({ personId: person.id, ...change }),
    onSaved: () => changed(),
  })
}
