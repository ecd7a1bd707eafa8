import { useFormats, PlainDate } from '../../ui/display/dates.tsx'
import { Label } from '../../ui/display/status-badge.tsx'
import { Link } from '@tanstack/react-router'
import { yesNoWords } from './field-words.ts'
import type { Field, FieldValue } from './fields-api.ts'

/** A value as one reads it; nothing where there is none. */
export function FieldValueText({ field, value }: { field: Field; value: FieldValue | undefined }) {
  const { number } = useFormats()
  if (value === undefined || value === '') return null
  switch (field.type) {
    case 'date':
      return typeof value === 'string' ? <PlainDate date={value} /> : null
    case 'number':
      return typeof value === 'number' ? number(value) : null
    case 'flag':
      return yesNoWords()[value === true ? 'true' : 'false']
    case 'url':
      return typeof value === 'string' && /^https?:\/\//i.test(value) ? (
        <a href={value} target="_blank" rel="noreferrer noopener">
          {value.replace(/^https?:\/\//i, '')}
        </a>
      ) : null
    case 'choice':
    case 'choices':
      return field.choices
        .filter(({ id }) => (Array.isArray(value) ? value.includes(id) : value === id))
        .map(({ id, label, color }) => (
          <Label key={id} color={color}>
            {label}
          </Label>
        ))
    case 'person':
      return typeof value === 'object' && 'displayName' in value ? (
        <Link to="/person/$personId/{-$tab}" params={{ personId: value.id }}>
          {value.displayName}
        </Link>
      ) : null
    case 'text':
      return typeof value === 'string' ? value : null
  }
}
