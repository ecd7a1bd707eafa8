export { commentsTimelineSource } from './comments.timeline.queries.ts'
