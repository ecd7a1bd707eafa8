// What an import needs of chapters: their tables, which one a code means, offices and their holders.
export {
  chapterStates,
  chapterTables,
  chaptersByCode,
  chaptersInUse,
  holdersInUse,
  officeKey,
  officeStates,
  officesInUse,
  peopleBelow,
  removeUnusedOffices,
} from './chapters.import.queries.ts'
export type { ChapterState, FoundChapter, HolderState, OfficeState } from './chapters.import.queries.ts'
