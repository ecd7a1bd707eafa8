import { actions } from '../../platform/procedures/procedures.ts'
import { messagesActions } from './sending/communication.messages.actions.ts'

const { communication } = actions

export const communicationActions = communication.router({ messages: messagesActions })
