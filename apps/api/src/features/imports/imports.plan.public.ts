// What a feature needs to plan the import of its records.
export { externalIdHeader, foldText, headerOf, isRejected, labelOf, referredWords, textOf } from './planning/imports.drafts.rules.ts'
export type { Draft, Mapped } from './planning/imports.drafts.rules.ts'
export { tagsOf } from './planning/imports.tags.jobs.ts'
export { changedNode, heldOf, placeInTree } from './planning/imports.parents.rules.ts'
export {
  ambiguousCode,
  byPolicy,
  claimsOf,
  columnsOf,
  difference,
  echoOf,
  error,
  mergeFix,
  reaches,
  reachesAll,
  refuseClosed,
  refuseSecond,
  rejected,
  requireFields,
  unknown,
  warning,
} from './planning/imports.plans.rules.ts'
export type { Echo, Planned } from './planning/imports.plans.rules.ts'
export type { Effect } from './planning/imports.changes.rules.ts'
export { distinct } from './planning/imports.kinds.rules.ts'
export type { ImportPlan, Planner, Planning, Referred } from './planning/imports.kinds.rules.ts'
export { amountOf, currencyOf, readEither, readLines } from './planning/imports.money.rules.ts'
export type { Line } from './planning/imports.money.rules.ts'
export { peopleOrNames } from './planning/imports.named.jobs.ts'
export { parseDate } from './mapping/imports.dates.rules.ts'
export { recordId } from './mapping/imports.exported.rules.ts'
