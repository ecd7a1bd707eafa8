import type * as z from 'zod'
import type { NewPerson } from '@guildhall/contract/features/people'
import { isAffiliationKind, isSettable } from '../people-words.tsx'

export const blankPerson = {
  givenName: '',
  familyName: '',
  email: '',
  phone: '',
  affiliationKind: 'member',
  preferredName: '',
  memberNo: '',
  lifecycle: 'active',
  joinedOn: '',
  gradYear: '',
  employer: '',
  jobTitle: '',
  city: '',
}
export type Values = typeof blankPerson

/** What the form holds, as the contract wants it; what was left empty is left out. */
export function payloadOf(values: Values, chapterId: string | null, tagIds: string[]): z.input<typeof NewPerson> {
  const { givenName, familyName, preferredName, memberNo, lifecycle, joinedOn, gradYear, employer, jobTitle } = trimmed(values)
  const { email, phone, city, affiliationKind } = trimmed(values)
  return {
    ...(givenName && { givenName }),
    ...(familyName && { familyName }),
    ...(preferredName && { preferredName }),
    ...(memberNo && { memberNo }),
    ...(isSettable(lifecycle) && { lifecycle }),
    ...(joinedOn && { joinedOn }),
    ...(gradYear && { gradYear: Number(gradYear) }),
    ...(employer && { employer }),
    ...(jobTitle && { jobTitle }),
    ...(email && { emails: [{ address: email, isPrimary: true }] }),
    ...(phone && { phones: [{ number: phone, isPrimary: true }] }),
    ...(city && { contact: { city } }),
    ...(chapterId && { chapterId, ...(isAffiliationKind(affiliationKind) && { affiliationKind }) }),
    ...(tagIds.length > 0 && { tagIds }),
  }
}

/** The form's field that a place in the request belongs to. */
export function fieldOf(path: string): string {
  if (path.startsWith('emails')) return 'email'
  if (path.startsWith('phones')) return 'phone'
  return path.replace(/^contact\./, '')
}

const trimmed = (values: Values): Values => ({
  ...values,
  givenName: values.givenName.trim(),
  familyName: values.familyName.trim(),
  email: values.email.trim(),
  phone: values.phone.trim(),
  preferredName: values.preferredName.trim(),
  memberNo: values.memberNo.trim(),
  gradYear: values.gradYear.trim(),
  employer: values.employer.trim(),
  jobTitle: values.jobTitle.trim(),
  city: values.city.trim(),
})
