import { actions } from '../../platform/procedures/procedures.ts'
import { linesActions } from './lines/relationships.lines.actions.ts'

export const relationshipsActions = actions.relationships.router({ lines: linesActions })
