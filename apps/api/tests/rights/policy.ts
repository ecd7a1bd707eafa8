import { documentOf } from '@guildhall/contract/formatted-document'
import type { actionsContract, dataContract } from '@guildhall/contract'
import { areaPolicies } from './areas.ts'
import { invitationToken, may } from './line.ts'
import type { Line, PolicyOf } from './line.ts'
import { rights } from './rights.ts'

const {
  anyone,
  account,
  askAccess,
  nobodyElse,
  oneself,
  seePeople,
  writePeople,
  writeOwnPage,
  writeTags,
  writeSensitive,
  writeExternalIds,
  writeOfficeNotes,
  importPeople,
  seeImports,

  keepMappings,
  editChapters,
  manageChapters,
  appoint,
  seeGroups,
  seeRoster,
  ownComments,
  manageGroups,
  createGroups,
  joinGroups,
  manageAccounts,
  seeAccounts,
  linkAccounts,
  readAudit,
  manageFields,
  manageOrganisation,
  readMessages,
} = rights

/** One pixel, as GIF. */
const smallPicture = 'R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=='

/** The one table of who may do what. A procedure of the contract without a line here does not compile. */
export const policy: { data: PolicyOf<typeof dataContract>; actions: PolicyOf<typeof actionsContract> } = {
  data: {
    account: {
      updateLogin: may(account),
      requestAccess: may(askAccess),
      acceptInvitation: may(askAccess, { send: { token: invitationToken }, refusedWith: [409] }),
      me: may(account),
      changes: may(account),
      updatePreferences: may(account),
      accounts: {
        list: may(account, { shows: ['account'] }),
        get: may(seeAccounts, { shows: ['account'] }),
        invite: may(manageAccounts, { ids: { personId: 'blankPersonId' } }),
        inviteAgain: may(manageAccounts, { ids: { accountId: 'invitedAccountId' } }),
        revokeInvitation: may(manageAccounts, { ids: { accountId: 'invitedAccountId' } }),
        suspend: may(manageAccounts),
        activate: may(manageAccounts, { ids: { accountId: 'suspendedAccountId' } }),
        decline: may(manageAccounts, { ids: { accountId: 'waitingAccountId' } }),
        link: may(linkAccounts, { ids: { accountId: 'unlinkedAccountId', personId: 'blankPersonId' } }),
        unlink: may(manageAccounts, { refusedWith: [409] }),
      },
      roles: {
        list: may(account),
        create: may(manageAccounts),
        update: may(manageAccounts, { ids: { roleId: 'customRoleId' }, send: { name: 'Helpers' } }),
        remove: may(manageAccounts, { ids: { roleId: 'customRoleId' } }),
      },
      grants: {
        list: may(account, { shows: ['grant'] }),
        add: may(manageAccounts, { ids: { accountId: 'unlinkedAccountId' } }),
        update: may(manageAccounts, { send: { reason: 'Stands in' } }),
        end: may(manageAccounts),
      },
      audit: { list: may(account), verify: may(readAudit) },
      organisation: { get: may(account), update: may(manageOrganisation) },
    },
    home: { home: may(account) },
    people: {
      list: may(account, { shows: ['directory', 'minor'] }),
      summary: may(account),
      duplicates: may(writePeople, { send: { familyName: 'qz7directory7' }, changesNothing: true }),
      create: may(writePeople),
      get: may(seePeople, { shows: ['directory', 'contact', 'private', 'officeNote', 'externalId', 'memberTag'] }),
      overview: may(seePeople, { shows: ['directory', 'contact', 'private', 'officeNote', 'externalId', 'memberTag'] }),
      update: may(writeOwnPage, { send: { pronouns: 'they' } }),
      archive: may(writePeople),
      restore: may(writePeople, { ids: { personId: 'archivedPersonId' } }),
      neighbours: may(seePeople),
      audiences: may(account),
      history: may(seePeople),
      memberships: may(seePeople),
      addMembership: may(writePeople, { send: { chapterId: '$chapterId', kind: 'friend' } }),
      updateMembership: may(writePeople, { send: { kind: 'advisor' } }),
      removeMembership: may(writePeople),
      positions: may(seePeople),
      addEmail: may(writeOwnPage, { send: { address: 'new@example.org' } }),
      updateEmail: may(writeOwnPage, { send: { label: 'Home' } }),
      removeEmail: may(writeOwnPage),
      addPhone: may(writeOwnPage, { send: { number: '+493099887766' } }),
      updatePhone: may(writeOwnPage, { send: { label: 'Home' } }),
      removePhone: may(writeOwnPage),
      updateContact: may(writeOwnPage, { send: { city: 'Bern' } }),
      updatePrivate: may(writeSensitive, { send: { gender: 'x' } }),
      setOfficeNote: may(writeOfficeNotes, { send: { note: 'Called on Monday.' } }),
      publicName: may(oneself),
      setPublicName: may(oneself, { send: { shown: true } }),
      setExternalId: may(writeExternalIds, { send: { externalId: 'C-57' } }),
      removeExternalId: may(writeExternalIds),
      setTags: may(writePeople, { send: { tagIds: ['$otherTagId'] } }),
      tags: {
        list: may(account, { shows: ['tag', 'memberTag'] }),
        create: may(writePeople),
        update: may(writeTags, { send: { name: 'Choir', audience: 'members' } }),
        remove: may(writeTags),
      },
    },
    chapters: {
      tree: may(account, { shows: ['chapter'] }),
      list: may(account, { shows: ['chapter'] }),
      create: may(manageChapters, { send: { name: 'Lyon', code: 'FR-LYO', parentId: '$chapterId' } }),
      get: may(account, { shows: ['chapter'] }),
      growth: may(account),
      update: may(editChapters, { send: { about: 'We meet on Tuesdays.' } }),
      move: may(manageChapters, { ids: { chapterId: 'emptyChapterId', parentId: 'rootChapterId' } }),
      close: may(manageChapters, { ids: { chapterId: 'emptyChapterId' } }),
      reopen: may(manageChapters, { ids: { chapterId: 'closedChapterId' } }),
      previewPage: may(editChapters),
      members: may(account, { shows: ['directory'] }),
      officers: may(account, { shows: ['term'] }),
      positions: {
        list: may(account, { shows: ['office'] }),
        create: may(appoint, { send: { title: 'Treasurer' } }),
        update: may(appoint, { send: { title: 'Treasurer' } }),
        remove: may(appoint, { ids: { positionId: 'emptyPositionId' } }),
        appoint: may(appoint, { ids: { personId: 'blankPersonId' } }),
        updateHolder: may(appoint, { send: { note: 'Stands in' } }),
        removeHolder: may(appoint),
      },
    },
    groups: {
      list: may(account, { shows: ['group', 'openGroup', 'secretGroup'] }),
      create: may(createGroups, { send: { name: 'Archive', chapterId: '$chapterId' } }),
      get: may(seeGroups, { shows: ['group'] }),
      update: may(manageGroups, { send: { about: documentOf('Keeps the minutes.') } }),
      archive: may(manageGroups),
      restore: may(manageGroups, { ids: { groupId: 'archivedGroupId' } }),
      join: may(joinGroups, { ids: { groupId: 'openGroupId' }, refusedWith: [409] }),
      leave: may(nobodyElse, { ids: { groupId: 'joinedGroupId' }, refusedWith: [409] }),
      memberships: may(account, { shows: ['roster', 'privateRoster', 'secretGroup'] }),
      members: {
        list: may(seeGroups, { shows: ['roster'] }),
        add: may(manageGroups, { send: { personId: '$otherPersonId', status: 'invited' } }),
        update: may(manageGroups, { send: { title: 'Chair' } }),
        remove: may(manageGroups),
        approve: may(manageGroups, { ids: { memberId: 'requestId' } }),
        decline: may(manageGroups, { ids: { memberId: 'requestId' } }),
      },
    },
    comments: {
      list: may(seeGroups, { ids: { recordId: 'groupId', parentId: 'commentId' }, shows: ['comment'] }),
      get: may(seeRoster, { shows: ['comment'] }),
      create: may(seeRoster, { send: { recordType: 'group', recordId: '$groupId', body: documentOf('Well said.') } }),
      update: may(ownComments, { send: { body: documentOf('Better said.') } }),
      remove: may(ownComments),
      restore: may(ownComments, { ids: { commentId: 'deletedCommentId' } }),
      hide: may(manageGroups, { send: { reason: 'Off topic' } }),
      show: may(manageGroups, { ids: { commentId: 'hiddenCommentId' } }),
    },
    site: {
      menu: may(account),
      organisation: may(anyone),
      chapters: may(anyone),
      messages: { list: may(account, { shows: ['message'] }), update: may(readMessages, { send: { handled: true } }) },
    },
    fields: {
      list: may(account, { shows: ['openField'] }),
      create: may(manageFields),
      update: may(manageFields, { send: { label: 'Shirt' } }),
      order: may(manageFields, { send: { fieldIds: ['$fieldId'] } }),
      uses: may(manageFields),
      replaceChoice: may(manageFields, { send: { replaceBy: '$otherChoiceId' } }),
      remove: may(manageFields, { ids: { fieldId: 'emptyFieldId' } }),
    },
    recordings: {
      add: may(account, { ids: { recordingId: 'new' } }),
      list: may(account, { shows: ['account'] }),
      get: may(rights.watchRecordings, { shows: ['recording'] }),
      remove: may(rights.watchRecordings),
    },
    imports: {
      list: may(account, { shows: ['import'] }),
      get: may(seeImports, { shows: ['import'] }),
      rows: may(seeImports),
      mappings: { list: may(account, { shows: ['mapping'] }), remove: may(keepMappings) },
    },
    lists: {
      views: {
        list: may(account, { shows: ['sharedView'] }),
        create: may(account),
        update: may(nobodyElse, { send: { name: 'Alumni' } }),
        remove: may(nobodyElse),
      },
      exports: { list: may(account), get: may(nobodyElse, { shows: ['export'] }), columns: may(account) },
    },
    files: {
      list: may(account, { ids: { recordId: 'chapterId' }, shows: ['file'] }),
      update: may(editChapters, { send: { name: 'Minutes' } }),
      remove: may(editChapters),
      restore: may(editChapters, { ids: { fileId: 'removedFileId' } }),
      removePicture: may(writeOwnPage, { ids: { recordId: 'personId' } }),
    },
    ...areaPolicies,
  },
  actions: {
    people: {
      bulk: {
        preview: may(account, {
          changesNothing: true,
        }),
        run: may(account, {}),
        list: may(account),
        get: may(nobodyElse),
        cancel: may(nobodyElse, { ids: { jobId: 'runningJobId' } }),
        undo: may(nobodyElse),
      },
    },
    site: { contact: may(anyone) },
    imports: {
      upload: may(importPeople, { send: { text: 'givenName,familyName\nAnn,B\n' } }),
      configure: may(seeImports),
      check: may(seeImports),
      accept: may(seeImports, { ids: { importId: 'checkedImportId' } }),
      run: may(seeImports, { ids: { importId: 'checkedImportId' } }),
      cancel: may(seeImports, { ids: { importId: 'runningImportId' } }),
      undo: may(seeImports, { ids: { importId: 'doneImportId' } }),
      errors: may(seeImports),
    },
    lists: {
      exports: {
        create: may(rights.export, {
          send: { list: 'people', format: 'csv', columns: ['displayName'], selection: { all: {}, except: [] } },
        }),
        cancel: may(nobodyElse, { ids: { exportId: 'runningExportId' } }),
        download: may(rights.ownExport, { shows: ['export'] }),
      },
    },
    files: {
      upload: may(editChapters, { ids: { recordId: 'chapterId' }, send: { name: 'a.txt', content: 'YWJj' } }),
      download: may(account, { shows: ['file'] }),
      link: may(account, { changesNothing: true }),
      setPicture: may(writeOwnPage, { ids: { recordId: 'personId' }, send: { content: smallPicture } }),
      picture: may(seePeople),
    },
  },
}

/** The line of an operation by its place in the contract, such as data.people.list. */
export function lineOf(path: string, table: unknown = policy): Line | undefined {
  const found = path
    .split('.')
    .reduce<unknown>((part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined), table)
  return typeof found === 'object' && found !== null && 'right' in found ? (found as Line) : undefined
}
