import { t } from '@lingui/core/macro'
import type { Field } from './fields-api.ts'

export const typeWords = (): Record<Field['type'], string> => ({
  text: t`Text`,
  number: t`Number`,
  date: t`Date`,
  flag: t`Yes or no`,
  choice: t`One choice`,
  choices: t`Several choices`,
  url: t`Web address`,
  person: t`Person`,
})

export const recordWords = (): Record<Field['recordType'], string> => ({ people: t`People`, chapters: t`Chapters`, groups: t`Groups` })

/** Who reads the values of a field, in short. */
export function audienceWord({ audience, sensitive, recordType }: Pick<Field, 'audience' | 'sensitive' | 'recordType'>): string {
  if (audience === 'everyone') return recordType === 'people' ? t`Everyone who sees the person` : t`Everyone who sees the record`
  if (audience === 'self') return sensitive ? t`The person, and officers with access to sensitive data` : t`The person, and officers`
  return sensitive ? t`Officers with access to sensitive data` : t`Officers`
}

export const yesNoWords = () => ({ true: t`Yes`, false: t`No` })
