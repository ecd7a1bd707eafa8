// Areas made by `npm run new`, whose rights, rows and policy lines stand in areas/<area>.ts.

import { financeKinds, financePolicy, financeRights, financeRows } from './areas/finance.ts'
import { membershipKinds, membershipPolicy, membershipRights, membershipRows } from './areas/membership.ts'
import type { AreaRows } from './line.ts'

/** Beside those of rights.ts. */
export const areaRights = { ...financeRights, ...membershipRights }

/** Kinds of canaries, beside those of canaries.ts. */
export const areaKinds = { ...financeKinds, ...membershipKinds }

/** What stands in each place, beside what stage.ts puts there. */
export const areaRows: readonly AreaRows[] = [financeRows, membershipRows]

/** Beside those of policy.ts. */
export const areaPolicies = { finance: financePolicy, membership: membershipPolicy }
