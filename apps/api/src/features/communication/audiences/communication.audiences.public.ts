export { audienceSql, mayReach } from './communication.audiences.selection.queries.ts'
