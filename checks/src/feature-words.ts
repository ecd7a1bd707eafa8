const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const plural = (text: string) =>
  /[^aeiou]y$/.test(text) ? `${text.slice(0, -1)}ies` : /(s|x|ch|sh)$/.test(text) ? `${text}es` : `${text}s`
const camel = (text: string) => text.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase())

/** What a record is called where nobody says: that of `projects` is a project. */
export const recordOf = (area: string) => (area.endsWith('s') ? area.slice(0, -1) : undefined)

/** The forms in which a template names the area and its records: `__Records__` in a file or its path is `JobPostings`. `record` is one or more lower-case words. */
export function featureWords(area: string, record: string, means: string) {
  const records = plural(record)
  return {
    area,
    Area: capital(area),
    means,
    Means: capital(means),
    record: camel(record),
    Record: capital(camel(record)),
    records: camel(records),
    Records: capital(camel(records)),
    record_file: record.replaceAll(' ', '-'),
    record_type: record.replaceAll(' ', '_'),
    records_path: records.replaceAll(' ', '-'),
    records_table: records.replaceAll(' ', '_'),
    record_words: record,
    Record_words: capital(record),
    a_record_words: `${/^[aeiou]/.test(record) ? 'an' : 'a'} ${record}`,
    A_record_words: `${/^[aeiou]/.test(record) ? 'An' : 'A'} ${record}`,
    records_words: records,
    Records_words: capital(records),
  }
}

/** Longest names first, since one may begin with another. A name that is not known is a mistake in the template. */
export const fillIn = (template: string, words: Readonly<Record<string, string>>) => {
  const filled = Object.keys(words)
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, name) => text.replaceAll(`__${name}__`, words[name] ?? ''), template)
  const left = /__[A-Za-z]\w*?__/.exec(filled)
  if (left) throw new Error(`The template names ${left[0]}, which is nothing.`)
  return filled
}
