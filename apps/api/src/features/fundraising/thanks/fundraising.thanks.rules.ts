import type { Texts } from '../../../platform/texts/texts.ts'

type Draft = { thankYouSubject: string; thankYouBody: string }
/** What is filled in. */
export type Facts = { firstName: string; amount: string; campaign: string; organisation: string }

const names = { firstName: '{first_name}', amount: '{amount}', campaign: '{campaign}', organisation: '{organisation}' }

/** The draft of the organisation, or the usual one where it has none yet. */
export const draftOf = (i18n: Texts, { thankYouSubject, thankYouBody }: Draft): Draft => ({
  thankYouSubject: thankYouSubject || i18n._('Thank you, {firstName}', names),
  thankYouBody:
    thankYouBody ||
    [
      i18n._('Dear {firstName},', names),
      i18n._('Thank you for your gift of {amount} to {campaign}. We are grateful for your support.', names),
      i18n._('With best wishes,', names),
      names.organisation,
    ].join('\n\n'),
})

/** Each mark once; what is filled in is never looked through for others. */
export function filledIn(text: string, facts: Facts): string {
  const values: Record<string, string> = {
    first_name: facts.firstName,
    amount: facts.amount,
    campaign: facts.campaign,
    organisation: facts.organisation,
  }
  return text.replaceAll(/\{([a-z_]{1,40})\}/g, (mark, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? mark) : mark))
}

export const longestSubject = 150
