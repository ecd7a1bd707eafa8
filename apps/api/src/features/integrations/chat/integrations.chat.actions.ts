import type { Services } from '../../../platform/services.ts'
import { textsFor } from '../../../platform/texts/texts.ts'
import { open, secretPlace } from '../connections/integrations.secrets.rules.ts'
import { ask } from '../connectors/integrations.connector.actions.ts'
import { connectorError } from '../connectors/integrations.connector.rules.ts'
import type { SyncConnector } from '../connectors/integrations.connector.rules.ts'
import { chatMessage, giftShown, namesShown } from './integrations.chat.queries.ts'
import type { StoredChatMessage } from './integrations.chat.queries.ts'
import { chatText } from './integrations.chat.rules.ts'
import type { ChatNews } from './integrations.chat.rules.ts'

/** Deliveries of webhooks that are messages to a chat. */
export const isForChat = (type: string): boolean => type.startsWith('chat.')

export type ChatRequest = { url: string; headers: Record<string, string>; body: string }

/** A message as the chat takes it; null where its address cannot be read. */
export async function chatRequest(
  { config, database }: Pick<Services, 'config' | 'database'>,
  lane: { orgId: string; endpointId: string },
  deliveryId: string,
): Promise<ChatRequest | null> {
  const message = await database.withoutActor((db) => chatMessage(db, lane, deliveryId))
  if (!message || message.address === null) return null
  const { connectionId, address, locale } = message
  const url = open(config.INTEGRATIONS_KEY, Buffer.from(address, 'base64'), secretPlace(connectionId, 'address'))
  if (url === null) return null
  return messageTo(url, chatText(textsFor(undefined, locale), await newsOf(database, message), new URL(config.PUBLIC_URL).origin))
}

/** Names and amounts are told as what the owner of the connection sees: who connects a chat learns by it nothing that the product does not show them. */
async function newsOf(
  database: Services['database'],
  { kind, count, chapter, event, gift, reader, ids }: StoredChatMessage,
): Promise<ChatNews> {
  const [first] = ids
  const seen =
    reader &&
    (await database.asActor(reader, async (db) => ({
      names: kind === 'chat.member' ? await namesShown(db, ids) : [],
      gift: kind === 'chat.gift' && first !== undefined ? await giftShown(db, first) : undefined,
    })))
  return { kind, count, chapter, event, names: seen?.names ?? [], gift: gift && { amount: null, donor: null, ...gift, ...seen?.gift } }
}

const messageTo = (url: string, text: string): ChatRequest => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ text }),
})

/** A message that says that there will be more. */
export const chatConnector: Pick<SyncConnector, 'test'> = {
  async test(reach) {
    const address = reach.secrets['address']
    if (address === undefined) throw connectorError('refused')
    const { url, headers, body } = messageTo(address, 'Guildhall is connected. News will appear here.')
    const { status } = await ask(reach, url, { method: 'POST', headers, body })
    return [{ name: 'status', value: String(status) }]
  },
}
