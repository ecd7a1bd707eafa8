// Areas made by `npm run new`, whose rights, rows and policy lines stand in areas/<area>.ts.

import { financeActionsPolicy, financeKinds, financePolicy, financeRights, financeRows } from './areas/finance.ts'
import { membershipKinds, membershipPolicy, membershipRights, membershipRows } from './areas/membership.ts'
import { paymentsActionsPolicy, paymentsKinds, paymentsPolicy, paymentsRights, paymentsRows } from './areas/payments.ts'
import {
  communicationActionsPolicy,
  communicationKinds,
  communicationPolicy,
  communicationRights,
  communicationRows,
} from './areas/communication.ts'
import type { AreaRows } from './line.ts'
import { eventsActionsPolicy, eventsKinds, eventsPolicy, eventsRights, eventsRows } from './areas/events.ts'
import { fundraisingActionsPolicy, fundraisingKinds, fundraisingPolicy, fundraisingRights, fundraisingRows } from './areas/fundraising.ts'
import {
  integrationsActionsPolicy,
  integrationsKinds,
  integrationsPolicy,
  integrationsRights,
  integrationsRows,
} from './areas/integrations.ts'
import { reportsActionsPolicy, reportsKinds, reportsPolicy, reportsRights, reportsRows } from './areas/reports.ts'
import {
  relationshipsActionsPolicy,
  relationshipsKinds,
  relationshipsPolicy,
  relationshipsRights,
  relationshipsRows,
} from './areas/relationships.ts'

/** Beside those of rights.ts. */
export const areaRights = {
  ...financeRights,
  ...membershipRights,
  ...paymentsRights,
  ...eventsRights,
  ...communicationRights,
  ...fundraisingRights,
  ...relationshipsRights,
  ...reportsRights,
  ...integrationsRights,
}

/** Kinds of canaries, beside those of canaries.ts. */
export const areaKinds = {
  ...financeKinds,
  ...membershipKinds,
  ...paymentsKinds,
  ...eventsKinds,
  ...communicationKinds,
  ...fundraisingKinds,
  ...relationshipsKinds,
  ...reportsKinds,
  ...integrationsKinds,
}

/** What stands in each place, beside what stage.ts puts there. */
export const areaRows: readonly AreaRows[] = [
  financeRows,
  membershipRows,
  paymentsRows,
  eventsRows,
  communicationRows,
  fundraisingRows,
  relationshipsRows,
  reportsRows,
  integrationsRows,
]

/** Beside those of policy.ts. */
export const areaPolicies = {
  finance: financePolicy,
  membership: membershipPolicy,
  payments: paymentsPolicy,
  events: eventsPolicy,
  communication: communicationPolicy,
  fundraising: fundraisingPolicy,
  relationships: relationshipsPolicy,
  reports: reportsPolicy,
  integrations: integrationsPolicy,
}

/** The same of the actions API. */
export const areaActions = {
  events: eventsActionsPolicy,
  finance: financeActionsPolicy,
  payments: paymentsActionsPolicy,
  communication: communicationActionsPolicy,
  fundraising: fundraisingActionsPolicy,
  relationships: relationshipsActionsPolicy,
  reports: reportsActionsPolicy,
  integrations: integrationsActionsPolicy,
}
