// Numbers of invoices, credit notes and receipts: a text without digits, the year, and the number last, so that no two are ever the same. The database
// writes them (app_private.number_text); this is for previews.

const form = /^[A-Z ._/#-]{0,20}\{(?:year|yy)\}[A-Z ._/#-]{1,10}\{number(?::[1-9])?\}$/
export const isNumberFormat = (format: string): boolean => form.test(format)

/** What 17 is in 2026: `{year}-{number:5}` gives 2026-00017. */
export function numberOf(format: string, year: number, place: number): string {
  const digits = Number(/\{number:([1-9])\}/.exec(format)?.[1] ?? 1)
  return format
    .replace('{year}', String(year))
    .replace('{yy}', String(year % 100).padStart(2, '0'))
    .replace(/\{number(?::[1-9])?\}/, String(place).padStart(digits, '0'))
}
