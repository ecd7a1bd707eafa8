import type { Person, PersonRow } from '@guildhall/contract/features/people'
import type * as z from 'zod'
import { uuid } from './fake-api.ts'

type Whole = z.infer<typeof Person>

const bern = { id: uuid(900), name: 'Bern', code: 'BE' }

/** A person of a list. */
export const personRow = (number: number, given: string, family: string, more: Partial<PersonRow> = {}): PersonRow => ({
  id: uuid(number),
  displayName: `${given} ${family}`,
  givenName: given,
  familyName: family,
  preferredName: '',
  suffix: '',
  memberNo: `M-${number}`,
  lifecycle: 'active',
  homeChapter: bern,
  joinedOn: '2020-03-12',
  gradYear: null,
  employer: '',
  jobTitle: '',
  archivedAt: null,
  pictureId: null,
  version: 1,
  createdAt: '2026-01-02T10:00:00Z',
  updatedAt: '2026-01-02T10:00:00Z',
  ...more,
})

/** A whole person whom the reader may do everything with, unless told otherwise. */
export const wholePerson = (number: number, given: string, family: string, more: Partial<Whole> = {}): Whole => ({
  ...personRow(number, given, family),
  fields: {},
  middleName: '',
  formerNames: [],
  pronouns: '',
  bio: '',
  language: null,
  doNotContact: false,
  isMinor: false,
  restorableUntil: null,
  mergedInto: null,
  emails: [{ id: uuid(number + 5000), address: `${given.toLowerCase()}@example.org`, label: '', isPrimary: true, visibleTo: 'officers' }],
  phones: [],
  externalIds: [],
  contact: null,
  private: null,
  officeNote: null,
  memberships: [
    {
      id: uuid(number + 6000),
      chapter: bern,
      kind: 'member',
      startsOn: '2020-03-12',
      endsOn: null,
      isPrimary: true,
      when: 'current',
      mayEdit: true,
      version: 1,
    },
  ],
  positions: [
    {
      id: uuid(number + 7000),
      positionId: uuid(800),
      title: 'Treasurer',
      chapter: bern,
      startsOn: '2021-01-01',
      endsOn: '2022-12-31',
      when: 'past',
      note: '',
      version: 1,
    },
  ],
  groups: [],
  tags: [],
  may: {
    edit: true,
    editSelf: false,
    seeContact: true,
    editContact: true,
    seeSensitive: false,
    editSensitive: false,
    setMemberNo: true,
    decide: true,
    setDeath: false,
    seeOfficeNote: false,
    editOfficeNote: false,
    keepNotes: false,
    archive: true,
    appoint: true,
    seeHistory: true,
  },
  ...more,
})
