import { tree, type Tree } from './repository.ts'

/** Phrases that read like a translation, with what an English writer would put. They came back before, so a machine looks for them. */
const unusual: [phrase: RegExp, instead: string][] = [
  [/\b(?:meanwhile|in the meantime)\b/, 'leave it out, or say who did what'],
  [/\b(?:whoever|whatever)\b/, '"anyone who", "people who", "everything that"'],
  [/\b(?:take|takes|taken|took|taking) (?:\w+ )?back\b/, '"revoke" or "undo"'],
  [/\b(?:take|takes|taken|taking) (?:\S+ )?off\b/, '"remove" or "unlink"'],
  [/\bturn(?:s|ed)? (?:it )?round\b/, '"reverse"'],
  [/\b(?:cannot lie|lies|lie) (?:before|after|there|in the)\b/, '"is before", "is in"'],
  [/\bwants? to be\b/, '"must be" or "should be"'],
  [/\b(?:is|are) (?:known by|taken for|called so|so already)\b/, '"match by", "maps to", "already"'],
  [/\b(?:belongs? there as|belonging to it)\b/, '"membership type", "subgroups"'],
  [/\b(?:only those in it|best first|all that names it|that name none|the file has none)\b/, 'a noun phrase for what it is'],
  [/\b(?:with something to say|nothing to say about)\b/, '"with messages"'],
  [/\b(?:let in|to be let in)\b/, '"approve" or "awaiting approval"'],
  [/\b1 \w+s (?:wait|are)\b/, 'a plural that agrees with its number'],
]

/** Texts for people: the web's own, those of the API and of its description, and the manual. Comments and tests are for developers. */
export function words({ files, read }: Pick<Tree, 'files' | 'read'> = tree()) {
  return files.filter(isForPeople).flatMap((file) =>
    texts(file, read(file)).flatMap(([line, text]) =>
      unusual.flatMap(([phrase, instead]) => {
        const [found] = phrase.exec(text.toLowerCase()) ?? []
        return found ? [`${file}:${line}: write ${instead} instead of "${found}"`] : []
      }),
    ),
  )
}

const isForPeople = (file: string) =>
  /^apps\/(web|api)\/src\/locales\/en\.po$/.test(file) ||
  /^(?:docs\/users\/.+\.md|openapi\/.+\.json)$/.test(file) ||
  (/^apps\/api\/src\/.+\.ts$/.test(file) && !/(?:\.|-)test(?:ing)?\.ts$/.test(file))

function texts(file: string, content: string): [number, string][] {
  const numbered = content.split('\n').map((text, index): [number, string] => [index + 1, text])
  if (file.endsWith('.po')) return numbered.filter(([, text]) => text.startsWith('msgid'))
  if (!file.endsWith('.ts')) return numbered
  return numbered
    .filter(([, text]) => !/^\s*(?:\/\/|\/?\*)/.test(text))
    .map(([line, text]) => [line, text.replace(/\/\*\*.*?\*\/| \/\/ .*/g, '')])
}
