// Areas made by `npm run new`, whose rights, rows and policy lines stand in areas/<area>.ts.

import type { AreaRows } from './line.ts'

/** Beside those of rights.ts. */
export const areaRights = {}

/** Kinds of canaries, beside those of canaries.ts. */
export const areaKinds = {}

/** What stands in each place, beside what stage.ts puts there. */
export const areaRows: readonly AreaRows[] = []

/** Beside those of policy.ts. */
export const areaPolicies = {}
