// Areas made by `npm run new`, whose rights, rows and policy lines stand in areas/<area>.ts.

import { financeKinds, financePolicy, financeRights, financeRows } from './areas/finance.ts'
import { membershipKinds, membershipPolicy, membershipRights, membershipRows } from './areas/membership.ts'
import { paymentsActionsPolicy, paymentsKinds, paymentsPolicy, paymentsRights, paymentsRows } from './areas/payments.ts'
import type { AreaRows } from './line.ts'

/** Beside those of rights.ts. */
export const areaRights = { ...financeRights, ...membershipRights, ...paymentsRights }

/** Kinds of canaries, beside those of canaries.ts. */
export const areaKinds = { ...financeKinds, ...membershipKinds, ...paymentsKinds }

/** What stands in each place, beside what stage.ts puts there. */
export const areaRows: readonly AreaRows[] = [financeRows, membershipRows, paymentsRows]

/** Beside those of policy.ts. */
export const areaPolicies = { finance: financePolicy, membership: membershipPolicy, payments: paymentsPolicy }

/** The same of the actions API. */
export const areaActions = { payments: paymentsActionsPolicy }
