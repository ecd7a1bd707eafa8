import { fileURLToPath } from 'node:url'
import { Font } from '@react-pdf/renderer'

/**
 * What is embedded, by the scripts it is for. A document loads those that its texts need, so that a page of Latin names takes no Chinese font
 * along. Signs that none of them has are left out; they never become boxes.
 */
const fonts: readonly { name: string; weights: readonly number[]; has: RegExp }[] = [
  { name: 'noto-sans-latin', weights: [400, 700], has: /./ },
  { name: 'noto-sans-latin-ext', weights: [400, 700], has: /[\u0100-\u02ff\u1e00-\u1eff\u2020-\u20cf\u2113]/ },
  { name: 'noto-sans-vietnamese', weights: [400, 700], has: /[\u0102-\u01b0\u0300-\u0329\u1ea0-\u1ef9\u20ab]/ },
  { name: 'noto-sans-cyrillic', weights: [400, 700], has: /\p{Script=Cyrillic}/u },
  { name: 'noto-sans-cyrillic-ext', weights: [400, 700], has: /[\u0460-\u052f\u1c80-\u1c8a\u20b4\u2de0-\u2dff\ua640-\ua69f]/ },
  { name: 'noto-sans-greek', weights: [400, 700], has: /\p{Script=Greek}/u },
  { name: 'noto-sans-greek-ext', weights: [400, 700], has: /[\u1f00-\u1fff]/ },
  { name: 'noto-sans-arabic-arabic', weights: [400, 700], has: /\p{Script=Arabic}/u },
  { name: 'noto-sans-hebrew-hebrew', weights: [400, 700], has: /\p{Script=Hebrew}/u },
  {
    name: 'noto-sans-sc-chinese-simplified',
    weights: [400],
    has: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u,
  },
]

/** Registers the fonts that these texts need, and names them in the order in which signs are looked for. */
export function fontsFor(texts: Iterable<string>): string[] {
  const all = [...texts].join(' ').normalize('NFC')
  return fonts
    .filter(({ has }) => has.test(all))
    .map(({ name, weights }) => {
      const file = (weight: number) => fileURLToPath(new URL(`../../../fonts/${name}-${weight}-normal.woff`, import.meta.url))
      Font.register({ family: name, fonts: weights.map((weight) => ({ src: file(weight), fontWeight: weight })) })
      return name
    })
}
