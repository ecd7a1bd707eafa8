export { eventsTimelineSource } from './events.timeline.queries.ts'
