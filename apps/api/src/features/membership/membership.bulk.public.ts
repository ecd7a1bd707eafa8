export { applyHeldChange, heldDiffers, mayChangeHeld, whyNotRenewed, revertHeldChange } from './membership.bulk.queries.ts'
export type { MembershipChange } from './membership.bulk.queries.ts'
