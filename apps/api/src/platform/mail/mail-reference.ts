/** Which row a mail is, as others carry it back to us: in the Message-ID, in a header, and in the address that bounces go to. */
export type MailReference = { orgId: string; mailId: string }

const written = /\b([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@guildhall\b/i

/** The same for every attempt, so that two of one mail are known for one. */
export const messageIdOf = ({ orgId, mailId }: MailReference): string => `<${mailId}.${orgId}@guildhall>`

/** The header by which SendGrid's events name the mail, also those that carry no Message-ID. */
export const sendgridHeader = (messageId: string): string => JSON.stringify({ unique_args: { guildhall: messageId } })

/** The first mail of ours that a text names by its Message-ID. */
export function referenceIn(text: string): MailReference | null {
  const [, mailId, orgId] = written.exec(text) ?? []
  return mailId && orgId ? { orgId: orgId.toLowerCase(), mailId: mailId.toLowerCase() } : null
}

const digits = 25
/** Longer names leave no room for the ids: before the @ stand at most 64 characters. */
export const longestBounceName = 64 - 1 - 2 * digits

const shorten = (id: string) =>
  BigInt(`0x${id.replaceAll('-', '')}`)
    .toString(36)
    .padStart(digits, '0')

function lengthen(short: string): string | null {
  let value = 0n
  for (const digit of short) value = value * 36n + BigInt(parseInt(digit, 36))
  const hex = value.toString(16).padStart(32, '0')
  return hex.length === 32 ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : null
}

/** Where this mail comes back to: bounces@… becomes bounces+ids@…. */
export function bounceAddressOf(address: string, { orgId, mailId }: MailReference): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}+${shorten(mailId)}${shorten(orgId)}${address.slice(at)}`
}

const tagged = /\+([0-9a-z]{25})([0-9a-z]{25})@/i

/** The mail that came back to this address. */
export function referenceOfAddress(address: string): MailReference | null {
  const [, mail, org] = tagged.exec(address) ?? []
  const mailId = mail ? lengthen(mail.toLowerCase()) : null
  const orgId = org ? lengthen(org.toLowerCase()) : null
  return mailId && orgId ? { mailId, orgId } : null
}
