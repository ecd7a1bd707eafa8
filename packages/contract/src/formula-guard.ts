// A spreadsheet runs a text that begins with = + - @ as a formula, and some read the full-width forms as the same. A text can begin a cell at its
// own start, and behind what another separator setting would split at.
const inside = /[;\t\r\n](?='*[ \u00a0]*[=+\-@＝＋－＠])/g
const start = /^(?='*(?:[ \u00a0]*[=+\-@＝＋－＠]|[\t\r\n]))/
const guardedInside = /([;\t\r\n])'(?='*[ \u00a0]*[=+\-@＝＋－＠])/g
const guardedStart = /^'(?='*(?:[ \u00a0]*[=+\-@＝＋－＠]|[\t\r\n]))/

/** The text with an apostrophe before everything that a spreadsheet could take for a formula; unguardText gives back exactly what it was. */
export const guardText = (text: string): string => text.replace(inside, "$&'").replace(start, "'")

/** What guardText was given. */
export const unguardText = (text: string): string => text.replace(guardedStart, '').replace(guardedInside, '$1')

/** A telephone number in E.164 is no formula and stays as it is, so that it can be dialled and imported. */
export const isPlainPhone = (text: string): boolean => /^\+\d{3,15}$/.test(text)
