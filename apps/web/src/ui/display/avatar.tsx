import classes from './avatar.module.css'

export type AvatarProps = { name: string; src?: string | null | undefined; size?: 24 | 32 | 40 | 64; square?: boolean }

const hues = 6
let letters: Intl.Segmenter | undefined

/** Decorative: the name stands beside it, so the initials are drawn and no text. The same name always has the same colour. */
export function Avatar({ name, src, size = 32, square = false }: AvatarProps) {
  const style = { '--size': `${size}px` }
  const shape = square ? classes['square'] : ''
  if (src) return <img className={`${classes['avatar']} ${shape}`} style={style} src={src} alt="" loading="lazy" />
  return (
    <span className={`${classes['avatar']} ${shape}`} style={style} data-hue={hueOf(name)} data-initials={initialsOf(name)} aria-hidden />
  )
}

/** First letters of the first and last word, by what a reader sees as a letter (an accent or an emoji is not split). */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const picked = words.length > 1 ? [words[0], words[words.length - 1]] : words
  return picked
    .map((word = '') => simpleLetter.exec(word)?.[0] ?? firstLetter(word))
    .join('')
    .toLocaleUpperCase()
}

/** What nothing can combine with needs no segmenter, which takes longer to make than a page of names to draw. */
const simpleLetter = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}](?![\p{M}\u200D])/u

function firstLetter(word: string): string {
  letters ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return letters.segment(word)[Symbol.iterator]().next().value?.segment ?? ''
}

function hueOf(name: string) {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0
  return sum % hues
}
