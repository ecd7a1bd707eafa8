export { auditItem, auditJoins } from './account.audit.queries.ts'
