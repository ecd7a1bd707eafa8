export { auditItem, auditJoins } from './account.audit.queries.ts'
export { administratorKeys, administrators } from './account.administrators.queries.ts'
