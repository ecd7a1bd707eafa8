export { notesTimelineSource } from './notes.timeline.queries.ts'
