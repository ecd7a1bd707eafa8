import type { ConnectorKey } from '@guildhall/contract/features/integrations'
import { chatConnector } from '../chat/integrations.chat.actions.ts'
import { icalendarConnector } from '../icalendar/integrations.icalendar.actions.ts'
import type { SyncConnector } from './integrations.connector.rules.ts'
import { listmonk } from '../listmonk/integrations.listmonk.actions.ts'
import { sandbox } from '../sandbox/integrations.sandbox.actions.ts'
import { sheet } from '../sheet/integrations.sheet.actions.ts'
import { mailchimp } from '../mailchimp/integrations.mailchimp.actions.ts'

/** The connectors that have runs. */
export const syncConnectors: Partial<Record<ConnectorKey, SyncConnector>> = {
  icalendar: icalendarConnector,
  listmonk,
  mailchimp,
  sandbox,
  sheet,
}

/** Those without runs that can be asked whether they work. */
export const testers: Partial<Record<ConnectorKey, Pick<SyncConnector, 'test'>>> = { chat: chatConnector }
