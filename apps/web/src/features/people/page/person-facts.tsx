import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { RecordEditor } from '../../../platform/records/record-editor.tsx'
import { RecordFact } from '../../../platform/records/record-fact.tsx'
import type { RecordFactProps } from '../../../platform/records/record-fact.tsx'
import { LanguageName, PlainDate } from '../../../ui/display/dates.tsx'
import { FactList } from '../../../ui/form/fact-list.tsx'
import type { Person } from '../people-api.ts'
import { LifecycleBadge } from '../../../platform/records/lifecycle-badge.tsx'
import { isSettable, lifecycleOptions } from '../people-words.tsx'
import type { Change, Field } from './use-person-editor.ts'

type Props = {
  person: Person
  editor: RecordEditor<Change>
  /** Only what one needs at a glance, for the panel. */
  brief?: boolean
  /** "Changed by … 3 days ago" below a fact, when asked for. */
  provenance?: ((field: string) => ReactNode) | undefined
  /** Opens this fact for editing, or the first one. */
  startEditing?: boolean | string | undefined
}

type Row = Pick<RecordFactProps<Change, string>, 'label' | 'kind' | 'value' | 'change' | 'options' | 'validate'> & {
  field: Field
  shown: ReactNode
  brief?: boolean
  /** Someone may change it about themselves. */
  own?: boolean
}

/** Everything about a person that is one value, edited in place as far as the reader may. */
export function PersonFacts({ person, editor, brief = false, provenance, startEditing = false }: Props) {
  const { may } = person
  // An empty fact invites whoever may fill it; for everybody else it says nothing.
  const mayEdit = ({ field, own }: Pick<Row, 'field' | 'own'>) => {
    if (field === 'memberNo') return may.setMemberNo
    // A death that was entered by mistake is taken back by the status.
    if (field === 'lifecycle' && person.lifecycle === 'deceased') return may.decide
    return may.edit || (may.editSelf && own === true)
  }
  const isUseful = (row: Row) => mayEdit(row) || (row.value !== '' && row.value !== 'no')
  const rows = rowsOf(person).filter((row) => (!brief || row.brief) && isUseful(row))
  const first = rows.find(mayEdit)?.field
  return (
    <FactList>
      {rows.map(({ field, own, shown, label, kind, value, change, options, validate }) => {
        const byOffice = field === 'memberNo' && may.edit && !may.setMemberNo && t`The office assigns member numbers.`
        return (
          <RecordFact
            key={field}
            editor={editor}
            may={mayEdit({ field, ...(own && { own }) })}
            label={label}
            kind={kind}
            value={value}
            change={change}
            options={options}
            validate={validate}
            startsOpen={startEditing === true ? field === first : field === startEditing}
            hint={(value ? provenance?.(field) : undefined) ?? (byOffice || undefined)}
          >
            {shown}
          </RecordFact>
        )
      })}
    </FactList>
  )
}

/** Statuses that are decided in the home chapter. */
const endings = ['former', 'deceased'] as const

function rowsOf(person: Person): Row[] {
  const text = (
    field: 'givenName' | 'middleName' | 'familyName' | 'suffix' | 'preferredName' | 'pronouns' | 'employer' | 'jobTitle',
    label: string,
  ): Row => ({
    field,
    label,
    shown: person[field],
    value: person[field],
    change: (typed) => ({ [field]: typed }),
  })
  const year = /^\d{4}$/
  return [
    { ...text('givenName', t`Given name`), brief: true },
    text('middleName', t`Middle name`),
    { ...text('familyName', t`Family name`), brief: true },
    text('suffix', t`Suffix`),
    { ...text('preferredName', t`Preferred name`), brief: true, own: true },
    {
      field: 'formerNames',
      label: t`Former names`,
      shown: person.formerNames.join(', '),
      value: person.formerNames.join(', '),
      change: (typed) => ({
        formerNames: typed
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean),
      }),
    },
    { ...text('pronouns', t`Pronouns`), own: true },
    {
      field: 'lifecycle',
      label: t`Status`,
      shown: <LifecycleBadge lifecycle={person.lifecycle} />,
      kind: 'select',
      value: person.lifecycle,
      options: lifecycleOptions(person.may.decide ? [] : endings.filter((ending) => ending !== person.lifecycle)),
      change: (typed) => (isSettable(typed) ? { lifecycle: typed } : {}),
      brief: true,
    },
    {
      field: 'memberNo',
      label: t`Member number`,
      shown: person.memberNo,
      value: person.memberNo ?? '',
      change: (typed) => ({ memberNo: typed || null }),
      brief: true,
    },
    {
      field: 'joinedOn',
      label: t`Joined`,
      shown: person.joinedOn && <PlainDate date={person.joinedOn} />,
      kind: 'date',
      value: person.joinedOn ?? '',
      change: (typed) => ({ joinedOn: typed || null }),
      brief: true,
    },
    {
      field: 'gradYear',
      label: t`Graduation year`,
      shown: person.gradYear,
      value: person.gradYear === null ? '' : String(person.gradYear),
      change: (typed) => ({ gradYear: typed ? Number(typed) : null }),
      validate: (typed) => (typed === '' || year.test(typed) ? undefined : t`Enter a year such as 1998.`),
    },
    { ...text('jobTitle', t`Job title`), brief: true, own: true },
    { ...text('employer', t`Employer`), brief: true, own: true },
    {
      field: 'language',
      label: t`Language`,
      shown: person.language && <LanguageName tag={person.language} />,
      value: person.language ?? '',
      change: (typed) => ({ language: typed || null }),
    },
    {
      field: 'doNotContact',
      label: t`Do not contact`,
      shown: person.doNotContact ? t`Yes` : t`No`,
      kind: 'select',
      value: person.doNotContact ? 'yes' : 'no',
      options: [
        { value: 'no', label: t`No` },
        { value: 'yes', label: t`Yes` },
      ],
      change: (typed) => ({ doNotContact: typed === 'yes' }),
      brief: person.doNotContact,
    },
    {
      field: 'bio',
      label: t`About`,
      shown: person.bio,
      kind: 'textarea',
      value: person.bio,
      change: (typed) => ({ bio: typed }),
      own: true,
    },
  ]
}
