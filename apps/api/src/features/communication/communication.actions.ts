import { actions } from '../../platform/procedures/procedures.ts'
import { messagePreview } from './body/communication.preview.actions.ts'
import { messagesActions } from './sending/communication.messages.actions.ts'

const { communication } = actions

export const communicationActions = communication.router({ messagePreview, messages: messagesActions })
