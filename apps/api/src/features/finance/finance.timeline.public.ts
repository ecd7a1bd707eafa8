export { financeTimelineSources } from './finance.timeline.queries.ts'
