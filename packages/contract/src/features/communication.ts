/** Put together from communication.<part>.ts. */
export const communicationData = {}

export const communicationActions = {}
