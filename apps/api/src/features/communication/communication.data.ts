import { data } from '../../platform/procedures/procedures.ts'
import { audiencesData } from './audiences/communication.audiences.data.ts'
import { deliverability } from './deliverability/communication.deliverability.data.ts'

const { communication } = data

export const communicationData = communication.router({ audiences: audiencesData, deliverability })
