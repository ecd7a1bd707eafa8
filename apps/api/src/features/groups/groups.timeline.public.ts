export { groupsTimelineSource } from './groups.timeline.queries.ts'
