// What can be imported of chapters, and which of them the rows of other imports mean.
export { chaptersImport } from './chapters.import.jobs.ts'
export { positionsImport } from './chapters.import.positions.jobs.ts'
export { chaptersByCode as chapterLookUp } from './chapters.import.queries.ts'
