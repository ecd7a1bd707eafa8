import { audiences } from './communication.audiences.ts'

/** Put together from communication.<part>.ts. */
export const communicationData = { audiences }

export const communicationActions = {}
