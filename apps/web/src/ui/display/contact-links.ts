/* eslint-disable no-restricted-syntax -- this is the one place that makes such links */
/**
 * A link that writes to one address. Everything is encoded but the @ and what addresses are made of every day, so that no address, however
 * it got into the database, adds a recipient or a text of its own to the mail.
 */
export function mailLink(address: string, subject?: string): string {
  const to = encodeURIComponent(address.toWellFormed()).replaceAll('%40', '@').replaceAll('%2B', '+')
  return `mailto:${to}${subject === undefined ? '' : `?subject=${encodeURIComponent(subject.toWellFormed())}`}`
}

/** A link that begins a mail whose recipient is still to be chosen. */
export const newMailLink = (subject: string, body: string): string =>
  `mailto:?subject=${encodeURIComponent(subject.toWellFormed())}&body=${encodeURIComponent(body.toWellFormed())}`

/** A link that calls one number: digits, and the plus in front. Codes with * and # are commands to the telephone, and an extension is dialled by hand. */
export const callLink = (number: string): string =>
  `tel:${/^\s*\+/.test(number) ? '+' : ''}${number.replace(/[a-z#*;,].*$/is, '').replace(/[^0-9]/g, '')}`

/** An address of the web as people gave it, or nothing where it leads elsewhere: to a script, a file, another program. */
export function webLink(address: string): string | undefined {
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : undefined
}
