import { randomInt } from 'node:crypto'

// Without letters and digits that are mistaken for each other when read out.
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A number to quote when asking again, such as K7MA-2QXB. */
export function newReference(): string {
  const letters = Array.from({ length: 8 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}
