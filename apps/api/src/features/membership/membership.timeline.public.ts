export { membershipTimelineSources } from './membership.timeline.queries.ts'
