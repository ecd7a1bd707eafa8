// Changes of many chapters, for the job and its undo.
export { chaptersBulk } from './chapters.bulk.data.ts'
