const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Text as it is read: some calendars write HTML into it. Controls and the spaces around lines say nothing. */
export function plainOf(text: string): string {
  const isMarkup = /<\/?(?:br|p|a|b|i|u|ul|li|div|span|strong|em)\b/i.test(text)
  const said = isMarkup
    ? text
        .replace(/<br\s*\/?>|<\/(?:p|div|li)>/gi, '\n')
        .replace(/<[^<>]{0,2000}>/g, '')
        .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => entities[name] ?? '')
    : text
  return (
    said
      .replace(/\r\n?/g, '\n')
      // eslint-disable-next-line no-control-regex -- these are what it is about
      .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ')
      .toWellFormed()
      .normalize('NFC')
      .split('\n')
      .map((line) => line.trim())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  )
}
