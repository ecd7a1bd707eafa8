import type { Chapter } from '@guildhall/contract/features/chapters'
import { uuid } from './fake-api.ts'

const none = { member: 0, alumni: 0, advisor: 0, friend: 0, applicant: 0 }
/** A chapter at the top of the tree that its reader may not change. */
export const wholeChapter = (): Chapter => ({
  ...{ id: uuid(1), parent: null, ancestors: [], name: 'Lisbon', code: 'LIS', level: 'chapter', status: 'active', depth: 0, fields: {} },
  ...{ tags: [], about: '', city: '', contactEmail: '', website: '', timezone: '', charteredOn: null, closedOn: null, groups: 0 },
  ...{ counts: { own: none, subtree: none }, subchapters: [], descendants: 0, officers: [], vacancies: [], publicPage: false },
  ...{ publicPageOpen: false, createdAt: '2020-01-01T00:00:00Z', updatedAt: '2020-01-01T00:00:00Z', version: 1 },
  may: { edit: false, manage: false, appoint: false, addPeople: false, manageGroups: false, seeHistory: false },
})
