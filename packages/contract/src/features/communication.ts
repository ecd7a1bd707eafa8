import { audiences } from './communication.audiences.ts'
import { deliverability } from './communication.deliverability.ts'

/** Put together from communication.<part>.ts. */
export const communicationData = { audiences, deliverability }

export const communicationActions = {}
