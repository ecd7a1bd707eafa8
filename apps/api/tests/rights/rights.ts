import { right } from './grid.ts'

/**
 * Every right of the product, by whoever has it and where. The words of the columns: `own` is the caller's own record, `west` the chapter (or its
 * group) that officer, member and former officer belong to, `below` a chapter under it, `east` another chapter of the organisation, `org` a question
 * about the organisation as a whole.
 */
export const rights = {
  anyone: right(
    'Open to everybody',
    `                own west below east org
     anonymous       .   x    x     x    x
     newcomer        .   x    x     x    x
     suspended       x   x    x     x    x
     guest           x   x    x     x    x
     former          x   x    x     x    x
     member          x   x    x     x    x
     leader          x   x    x     x    x
     officer         x   x    x     x    x
     safeguarding    x   x    x     x    x
     events          x   x    x     x    x
     finance         x   x    x     x    x
     communications  x   x    x     x    x
     admin           x   x    x     x    x
     owner           x   x    x     x    x`,
  ),
  account: right(
    'With an active account',
    `                own west below east org
     guest           x   x    x     x    x
     former          x   x    x     x    x
     member          x   x    x     x    x
     leader          x   x    x     x    x
     officer         x   x    x     x    x
     safeguarding    x   x    x     x    x
     events          x   x    x     x    x
     finance         x   x    x     x    x
     communications  x   x    x     x    x
     admin           x   x    x     x    x
     owner           x   x    x     x    x`,
  ),
  askAccess: right(
    'Ask for access, signed in without an account',
    `
                    org
    newcomer        x`,
  ),
  nobodyElse: right(
    'Only whose it is',
    `                own west below east org
     guest           x   -    -     -    x
     former          x   -    -     -    x
     member          x   -    -     -    x
     leader          x   -    -     -    x
     officer         x   -    -     -    x
     safeguarding    x   -    -     -    x
     events          x   -    -     -    x
     finance         x   -    -     -    x
     communications  x   -    -     -    x
     admin           x   -    -     -    x
     owner           x   -    -     -    x`,
  ),
  oneself: right(
    'Speak for oneself: be named in public',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   -    -     -
     officer         x   -    -     -`,
  ),
  seePeople: right(
    'See people in the directory',
    `                own west below east org
     former          x   x    x     x    x
     member          x   x    x     x    x
     leader          x   x    x     x    x
     officer         x   x    x     x    x
     safeguarding    .   x    x     -    x
     events          .   x    x     x    x
     finance         .   x    x     x    x
     communications  .   x    x     x    x
     admin           .   x    x     x    x
     owner           .   x    x     x    x`,
  ),
  seeOfficersTags: right(
    'See tags that are for officers',
    `                org
     officer         x
     safeguarding    x
     admin           x
     owner           x`,
  ),
  seeTags: right(
    'See tags that are for all members',
    `                org
     former          x
     member          x
     leader          x
     officer         x
     safeguarding    x
     events          x
     finance         x
     communications  x
     admin           x
     owner           x`,
  ),
  seeShownContact: right(
    'See contact data that its person shows to members',
    `                own west below east
     former          x   x    x     x
     member          x   x    x     x
     leader          x   x    x     x
     officer         x   x    x     x
     events          .   x    x     x
     finance         .   x    x     x
     communications  .   x    x     x
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  /** A group leader sees those of the group: one of West here. */
  seeContact: right(
    'See e-mail addresses, telephone numbers and postal addresses',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   x    -     -
     officer         x   x    x     -
     finance         .   x    x     x
     communications  .   x    x     x
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  seeSensitive: right(
    'See birth dates and other sensitive data',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   -    -     -
     officer         x   -    -     -
     safeguarding    .   x    x     -
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  /** What is noted for officers is theirs; this is for all who look after people somewhere, about everybody they see. */
  seeNotes: right(
    'See and write notes about others that are for the whole organisation’s officers',
    `                own west below east
     officer         -   x    x     x
     safeguarding    .   x    x     -
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  seeOfficeNotes: right(
    'See what officers note about others',
    `                own west below east
     officer         -   -    -     -
     safeguarding    .   x    x     -
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  /** Not as one's own, nor as the leader of a group. */
  seeExternalIds: right(
    'See ids that people have in other systems',
    `                own west below east
     officer         x   x    x     -
     finance         .   x    x     x
     communications  .   x    x     x
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  seeMinors: right(
    'See minors',
    `                own west below east
     safeguarding    .   x    x     -
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  writePeople: right(
    'Enter and change people, their chapters and tags',
    `                own west below east org
     officer         x   x    x     -    x
     admin           .   x    x     x    x
     owner           .   x    x     x    x`,
  ),
  writeOwnPage: right(
    'Keep one’s own page up to date and have a member card, or anybody’s as who may change people',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   -    -     -
     officer         x   x    x     -
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  writeTags: right(
    'Rename and delete tags and choose who sees them',
    `                own west below east org
     admin           .   x    x     x    x
     owner           .   x    x     x    x`,
  ),
  writeSensitive: right(
    'Change birth dates and other sensitive data',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   -    -     -
     officer         x   -    -     -
     safeguarding    .   x    x     -
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  writeOfficeNotes: right(
    'Note something about others that they do not see',
    `                own west below east
     officer         -   -    -     -
     safeguarding    .   x    x     -
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  writeExternalIds: right(
    'Assign ids that people have in other systems',
    `                own west below east
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  /** An import belongs to whoever uploaded it; who imports everywhere sees them all. */
  importPeople: right(
    'Import files',
    `                own west below east org
     officer         x   -    -     -    x
     admin           x   x    x     x    x
     owner           x   x    x     x    x`,
  ),
  seeImports: right(
    'See imports',
    `                own west below east org
     officer         x   -    -     -    x
     admin           x   x    x     x    x
     owner           x   x    x     x    x`,
  ),
  seeMappings: right(
    'See saved mappings of imports',
    `                own west below east org
     officer         x   x    x     x    x
     admin           x   x    x     x    x
     owner           x   x    x     x    x`,
  ),
  keepMappings: right(
    'Delete saved mappings of imports',
    `                own west below east org
     officer         x   -    -     -    x
     admin           x   x    x     x    x
     owner           x   x    x     x    x`,
  ),
  editChapters: right(
    'Edit a chapter’s page',
    `                own west below east org
     officer         .   x    x     -    x
     admin           .   x    x     x    x
     owner           .   x    x     x    x`,
  ),
  manageChapters: right(
    'Create, move and close chapters',
    `                own west below east org
     admin           .   x    x     x    x
     owner           .   x    x     x    x`,
  ),
  appoint: right(
    'Define offices and appoint officers',
    `                own west below east org
     officer         .   x    x     -    x
     admin           .   x    x     x    x
     owner           .   x    x     x    x`,
  ),
  seeGroups: right(
    'See groups that are open to members',
    `                own west below east org
     former          x   x    x     x    x
     member          x   x    x     x    x
     leader          x   x    x     x    x
     officer         x   x    x     x    x
     events          .   x    x     x    x
     finance         .   x    x     x    x
     communications  .   x    x     x    x
     admin           .   x    x     x    x
     owner           .   x    x     x    x`,
  ),
  seeSecretGroups: right(
    'See secret groups without being in them',
    `                own west below east org
     officer         .   x    x     -    x
     admin           .   x    x     x    x
     owner           .   x    x     x    x`,
  ),
  seeRoster: right(
    'See who is in a group',
    `                own west below east org
     former          x   x    x     x    x
     member          x   x    x     x    x
     leader          x   x    x     x    x
     officer         x   x    x     x    x
     events          .   x    x     x    x
     finance         .   x    x     x    x
     communications  .   x    x     x    x
     admin           .   x    x     x    x
     owner           .   x    x     x    x`,
  ),
  ownComments: right(
    'Change and delete a comment',
    `                own west below east org
     former          x   -    -     -    -
     member          x   -    -     -    -
     leader          x   -    -     -    -
     officer         x   -    -     -    -`,
  ),
  seePrivateRoster: right(
    'See who is in a private group without being in it',
    `                own west below east org
     officer         .   x    x     -    x
     admin           .   x    x     x    x
     owner           .   x    x     x    x`,
  ),
  /** A leader manages the group led: one of West here. */
  manageGroups: right(
    'Change groups and their members',
    `                own west below east org
     leader          .   x    -     -    -
     officer         .   x    x     -    x
     admin           .   x    x     x    x
     owner           .   x    x     x    x`,
  ),
  createGroups: right(
    'Create groups',
    `                own west below east org
     officer         .   x    x     -    -
     admin           .   x    x     x    x
     owner           .   x    x     x    x`,
  ),
  joinGroups: right(
    'Ask to join a group that one sees',
    `                own west below east
     former          .   x    x     x
     member          .   x    x     x
     leader          .   x    x     x
     officer         .   x    x     x`,
  ),
  /** Nobody changes their own rights. */
  manageAccounts: right(
    'Manage accounts, roles and grants',
    `                own west below east org
     admin           -   x    x     x    x
     owner           -   x    x     x    x`,
  ),
  seeAccounts: right(
    'See accounts',
    `                own west below east org
     guest           x   -    -     -    -
     former          x   -    -     -    -
     member          x   -    -     -    -
     leader          x   -    -     -    -
     officer         x   -    -     -    -
     safeguarding    x   -    -     -    -
     events          x   -    -     -    -
     finance         x   -    -     -    -
     communications  x   -    -     -    -
     admin           x   x    x     x    x
     owner           x   x    x     x    x`,
  ),
  linkAccounts: right(
    'Link an account to a person',
    `                own west below east org
     admin           x   x    x     x    x
     owner           x   x    x     x    x`,
  ),
  seeGrants: right(
    'See who was given which role',
    `                own west below east org
     guest           x   -    -     -    -
     former          x   -    -     -    -
     member          x   -    -     -    -
     leader          x   -    -     -    -
     officer         x   -    -     -    -
     safeguarding    x   -    -     -    -
     events          x   -    -     -    -
     finance         x   -    -     -    -
     communications  x   -    -     -    -
     admin           x   x    x     x    x
     owner           x   x    x     x    x`,
  ),
  readAudit: right(
    'Read and verify the audit log',
    `                own west below east org
     admin           x   x    x     x    x
     owner           x   x    x     x    x`,
  ),
  seeMails: right(
    'See outgoing mail, send it again and cancel it',
    `                own west below east org
     admin           .   x    x     x    x
     owner           .   x    x     x    x`,
  ),
  manageFields: right(
    'Add, change and delete fields',
    `                own west below east org
     admin           .   x    x     x    x
     owner           .   x    x     x    x`,
  ),
  manageOrganisation: right(
    'Change the organisation’s settings',
    `                org
     admin           x
     owner           x`,
  ),
  watchRecordings: right(
    'Watch and delete recorded sessions',
    `                own west below east org
     admin           .   x    x     x    x
     owner           .   x    x     x    x`,
  ),
  readMessages: right(
    'Read what came in through the contact page',
    `                own west below east org
     admin           .   x    x     x    x
     owner           .   x    x     x    x`,
  ),
  seeSharedViews: right(
    'See saved views that are shared with the organisation',
    `                west below east org
     former          x    x     x    x
     member          x    x     x    x
     leader          x    x     x    x
     officer         x    x     x    x
     events          x    x     x    x
     finance         x    x     x    x
     communications  x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  export: right(
    'Export lists',
    `                org
     officer         x
     admin           x
     owner           x`,
  ),
  ownExport: right(
    'Download an own export, while exporting is still allowed',
    `                own west below east org
     officer         x   -    -     -    x
     admin           x   -    -     -    x
     owner           x   -    -     -    x`,
  ),
  seeExportReasons: right(
    'See what others exported and why',
    `                own west below east org
     guest           x   -    -     -    -
     former          x   -    -     -    -
     member          x   -    -     -    -
     leader          x   -    -     -    -
     officer         x   -    -     -    -
     safeguarding    x   -    -     -    -
     events          x   -    -     -    -
     finance         x   -    -     -    -
     communications  x   -    -     -    -
     admin           x   x    x     x    x
     owner           x   x    x     x    x`,
  ),
}
