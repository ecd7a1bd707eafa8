import type { AreaRows } from '../line.ts'

// What communication says to the tests of rights: who may call what, and what stands where.

export const communicationRights = {}

export const communicationKinds = {}

export const communicationRows: AreaRows = () => Promise.resolve({})

/** `PolicyOf<typeof communicationData>`, as soon as there is a procedure. */
export const communicationPolicy = {}

export const communicationActionsPolicy = {}
