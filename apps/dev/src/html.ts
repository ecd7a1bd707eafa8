/** Markup that is safe to send: values were escaped when it was made. */
export type Html = { readonly markup: string }

type Value = string | number | undefined | false | Html | readonly Html[]

/** A template whose values are escaped, unless they are markup themselves. */
export const html = (strings: TemplateStringsArray, ...values: Value[]): Html => ({
  markup: String.raw({ raw: strings }, ...values.map(render)),
})

function render(value: Value): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escape(String(value))
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
