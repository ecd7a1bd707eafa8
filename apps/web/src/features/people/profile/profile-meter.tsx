import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { fieldPrefix } from '@guildhall/contract/features/fields'
import type { Field } from '@guildhall/contract/features/fields'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useFields } from '../../fields/fields-public.tsx'
import type { Person } from '../people-api.ts'
import classes from './own-person.module.css'
import { completenessOf } from './profile-completeness.ts'
import type { OwnField } from './profile-completeness.ts'

/** How complete one's own profile is, and the field that is worth filling in next. */
export function ProfileMeter({ person, onFill }: { person: Person; onFill: (field: OwnField) => void }) {
  const { percent } = useFormats()
  const fields = useFields('people')
  const { filled, of, next } = completenessOf(person, fields)
  if (of === 0) return null
  const share = percent(Math.round((filled / of) * 100) / 100)
  return (
    <div className={classes['meter']}>
      <Ring share={filled / of} />
      <p>{next ? <Trans>Your profile is {share} complete.</Trans> : <Trans>Your profile is complete.</Trans>}</p>
      {next && (
        <Button variant="light" size="compact-md" onClick={() => onFill(next)}>
          {invitation(next, fields)}
        </Button>
      )}
    </div>
  )
}

const radius = 14
const round = 2 * Math.PI * radius

/** The words beside it say the same. */
const Ring = ({ share }: { share: number }) => (
  <svg width="36" height="36" viewBox="0 0 36 36" aria-hidden className={classes['ring']}>
    <circle cx="18" cy="18" r={radius} />
    <circle cx="18" cy="18" r={radius} strokeDasharray={`${share * round} ${round}`} transform="rotate(-90 18 18)" />
  </svg>
)

function invitation(next: OwnField, fields: readonly Pick<Field, 'key' | 'label'>[]): string | undefined {
  const field = fields.find(({ key }) => next === `${fieldPrefix}${key}`)
  return field ? t`Add “${field.label}”` : invitations()[next]
}

const invitations = (): Record<string, string> => ({
  email: t`Add an e-mail address`,
  phone: t`Add a telephone number`,
  city: t`Add your city`,
  street: t`Add your street`,
  jobTitle: t`Add your job title`,
  birthDate: t`Add your date of birth`,
  bio: t`Write something about yourself`,
})
