export { peopleTimelineSources } from './people.timeline.queries.ts'
