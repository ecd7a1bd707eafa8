export { giveRole, insertProvisioned, removeRole, renameAccount, setSuspended } from './account.provisioning.queries.ts'
