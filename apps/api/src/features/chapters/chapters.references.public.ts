export { chapterField, mustSeeChapter } from './chapters.references.queries.ts'
