import { createHmac } from 'node:crypto'

/**
 * The token of a card's link: 160 bits from the card's id and the server's key. Since it is kept nowhere, whoever reads the database can make no
 * card, and yet the card can be shown again.
 */
export const cardToken = (key: string, { orgId, cardId }: { orgId: string; cardId: string }) =>
  createHmac('sha256', key).update(`member card\n${orgId}\n${cardId}`).digest().subarray(0, 20).toString('base64url')
