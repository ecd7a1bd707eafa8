export { fundraisingTimelineSources } from './fundraising.timeline.queries.ts'
