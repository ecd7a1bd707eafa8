import { data } from '../../platform/procedures/procedures.ts'

const { communication } = data

export const communicationData = communication.router({})
