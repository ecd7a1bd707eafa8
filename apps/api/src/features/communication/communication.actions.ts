import { actions } from '../../platform/procedures/procedures.ts'

const { communication } = actions

export const communicationActions = communication.router({})
