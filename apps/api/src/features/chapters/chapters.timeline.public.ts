export { chaptersTimelineSource } from './chapters.timeline.queries.ts'
