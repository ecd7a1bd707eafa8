import type { Person } from '@guildhall/contract/features/people'
import type { PlainReason } from '@guildhall/contract/reasons'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import type { Refusal } from '../../platform/procedures/problem.ts'

type Fault = { code: 'CONFLICT' | 'FORBIDDEN' | 'UNPROCESSABLE_CONTENT'; path: string; reason: PlainReason; message: string }

/** Rules that the database keeps, said to the field that broke them. */
const faults: Record<string, Fault> = {
  people_org_id_member_no_key: {
    code: 'CONFLICT',
    path: 'memberNo',
    reason: 'member_no_taken',
    message: 'Someone else has this member number.',
  },
  people_check: { code: 'UNPROCESSABLE_CONTENT', path: 'familyName', reason: 'name_needed', message: 'Enter a given or a family name.' },
  person_emails_org_id_person_id_address_key_key: {
    code: 'CONFLICT',
    path: 'address',
    reason: 'email_known',
    message: 'This person has that address already.',
  },
  person_phones_org_id_person_id_digits_key: {
    code: 'CONFLICT',
    path: 'number',
    reason: 'phone_known',
    message: 'This person has that number already.',
  },
  person_external_ids_taken: {
    code: 'CONFLICT',
    path: 'externalId',
    reason: 'external_id_taken',
    message: 'Someone else has this external id.',
  },
  person_private_check: {
    code: 'UNPROCESSABLE_CONTENT',
    path: 'deceasedOn',
    reason: 'death_before_birth',
    message: 'Enter a day after the birth.',
  },
  person_private_birth_date: {
    code: 'UNPROCESSABLE_CONTENT',
    path: 'birthDate',
    reason: 'person_private_birth_date',
    message: 'A birth date cannot be in the future.',
  },
  person_private_birth_date_check: {
    code: 'UNPROCESSABLE_CONTENT',
    path: 'birthDate',
    reason: 'birth_date_too_early',
    message: 'Enter a day after 1850.',
  },
  person_own_death: {
    code: 'FORBIDDEN',
    path: 'deceasedOn',
    reason: 'person_own_death',
    message: 'Nobody can change their own day of death.',
  },
  people_member_no_office: {
    code: 'FORBIDDEN',
    path: 'memberNo',
    reason: 'people_member_no_office',
    message: 'The office assigns member numbers.',
  },
  person_home_chapter: {
    code: 'FORBIDDEN',
    path: 'deceasedOn',
    reason: 'person_home_chapter',
    message: 'This is decided in the home chapter. Ask an officer there.',
  },
  person_own_majority: {
    code: 'FORBIDDEN',
    path: 'birthDate',
    reason: 'person_own_majority',
    message: 'This would change whether you count as a minor. Ask an officer to correct your birth date.',
  },
  affiliations_org_id_person_id_starts_on_chapter_id_kind_key: {
    code: 'CONFLICT',
    path: 'chapterId',
    reason: 'affiliation_known',
    message: 'This person already has this affiliation from that day on.',
  },
  affiliations_primary: {
    code: 'CONFLICT',
    path: 'isPrimary',
    reason: 'affiliations_primary',
    message: 'Another membership has become the primary one.',
  },
  affiliations_check: { code: 'UNPROCESSABLE_CONTENT', path: 'endsOn', reason: 'dates', message: 'Enter a day on or after the start.' },
  affiliations_org_id_chapter_id_fkey: {
    code: 'UNPROCESSABLE_CONTENT',
    path: 'chapterId',
    reason: 'chapter_not_found',
    message: 'There is no such chapter.',
  },
}

/** Runs a write; a broken rule that belongs to one field becomes that field's error. Other errors pass. */
export async function sayingFields<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const constraint = error instanceof Error && 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : ''
    const broken = Object.hasOwn(faults, constraint) ? faults[constraint] : undefined
    if (!broken) throw error
    throw problem(broken.code, fault(broken.path, broken.reason, broken.message))
  }
}

export const archivedFault: Refusal = { reason: 'person_archived', detail: 'This person is archived; restore them first.' }

const erasedFault: Refusal = { reason: 'person_erased', detail: 'This person was erased.' }
export const homeChapterFault = (path: string) =>
  fault(path, 'person_home_chapter', 'This is decided in the home chapter of this person. Ask an officer there.')
export const externalIdFault = fault('externalId', 'external_id_office', 'The office assigns external ids.')
export const memberNoFault = fault('memberNo', 'people_member_no_office', 'The office assigns member numbers.')

/** The row of a read about a person; who was erased is gone, who is not there to see is not found. */
export function known<Row extends Pick<Person, 'lifecycle'>>(row: Row | undefined): Row {
  const found = mustFind(row)
  if (found.lifecycle === 'erased') throw problem('GONE', erasedFault)
  return found
}

/** Refuses a change to a record that is read-only; the database refuses it as well, whichever way it comes. */
export function refuseClosed({ lifecycle, mergedInto }: Pick<Person, 'lifecycle' | 'mergedInto'>): void {
  if (lifecycle === 'erased') throw problem('GONE', erasedFault)
  if (lifecycle === 'merged') {
    const detail = mergedInto
      ? `This record was merged into ${mergedInto.displayName}. Change that one instead.`
      : 'This record was merged into another one, so it is read-only.'
    throw problem('CONFLICT', { reason: 'person_merged', detail, params: { into: mergedInto?.displayName ?? '' } })
  }
  if (lifecycle === 'deceased')
    throw problem('CONFLICT', {
      reason: 'person_deceased',
      detail: 'This person is deceased, so the record is read-only. Change the status first if that is a mistake.',
    })
}
