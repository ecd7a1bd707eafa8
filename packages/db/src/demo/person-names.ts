import { cultures, nicknames } from './name-lists.ts'
import type { Culture, CultureName } from './name-lists.ts'
import { isRelative, isTwin, originalOf } from './plan.ts'
import type { Plan } from './plan.ts'
import { random, streams } from './random.ts'
import type { Random } from './random.ts'

export type PersonName = {
  given: string
  middle: string
  family: string
  suffix: string
  preferred: string
  former: string[]
  pronouns: string
  woman: boolean
}

/** Share of the names with accents or in a script of their own. */
const markedShare = 0.1

/** Shapes of names that forms and screens tend to forget, each once in every organisation. */
const unusual: readonly Pick<PersonName, 'given' | 'family' | 'middle'>[] = [
  {
    given: 'Adolph Blaine Charles David Earl Frederick Gerald Hubert Irvin John Kenneth Lloyd Martin Nero',
    middle: 'Oliver Paul Quincy Randolph Sherman Thomas Uncas Victor William Xerxes Yancy Zeus',
    family: 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswessenschafewaren',
  },
  { given: 'Nyx', middle: '', family: '' },
  { given: "D'Brickashaw", middle: '', family: "O'Malley-N'Dour" },
  { given: 'Anne-Marie', middle: '', family: "van 't Westeinde-de Vries" },
  { given: 'محمد عبد الرحمن', middle: '', family: 'الشمّري' },
  { given: 'שרה־לאה', middle: '', family: 'בן־גוריון' },
  { given: 'Li', middle: '', family: 'O' },
  { given: 'Null', middle: '', family: 'Test' },
]

export function nameOf(plan: Plan, index: number): PersonName {
  if (isTwin(plan, index)) return twinName(plan, index, nameOf(plan, originalOf(plan, index)))
  const persona = plan.personas.get(index)
  const draw = random(plan.seed, streams.names, index)
  const woman = draw.chance(0.5)
  if (persona) {
    const { givenName: given, familyName: family } = persona.demo
    return { given, middle: '', family, suffix: '', preferred: '', former: [], pronouns: persona.pronouns, woman: persona.woman }
  }
  const country = plan.chapters[plan.homes[index] ?? 0]?.country
  const culture = draw.pick<CultureName>(country?.cultures ?? ['english'])
  const odd = index < 34 + unusual.length ? unusual[index - 34] : undefined
  const marked = draw.chance(markedShare)
  const given = odd?.given ?? givenName(draw, cultures[culture], woman, marked)
  const family =
    odd?.family ??
    (isRelative(plan, index) ? nameOf(plan, index - 1).family : familyName(draw, cultures[culture], marked && draw.chance(0.85)))
  const born = !odd && woman && draw.chance(0.08) ? familyName(draw, cultures[culture], false) : ''
  return {
    given,
    middle: odd?.middle ?? (culture === 'english' && draw.chance(0.35) ? givenName(draw, cultures.english, woman, false) : ''),
    family,
    suffix: draw.chance(0.012) ? draw.pick(['Jr.', 'III', 'PhD', 'FRGS', 'OBE']) : '',
    preferred: draw.chance(0.6) ? (nicknames[given] ?? '') : '',
    former: born === '' || born === family ? [] : [born],
    pronouns: draw.chance(0.3) ? (draw.chance(0.04) ? 'they/them' : woman ? 'she/her' : 'he/him') : '',
    woman,
  }
}

function givenName(draw: Random, culture: Culture, woman: boolean, marked: boolean): string {
  const list = marked ? culture.marked : culture.plain
  if (!marked && culture.givenParts && draw.chance(0.7)) return culture.givenParts.map((part) => draw.pick(part)).join('')
  return draw.pick(woman ? list.women : list.men)
}

function familyName(draw: Random, culture: Culture, marked: boolean): string {
  if (marked) return draw.pick(culture.marked.families)
  const one = () =>
    culture.stems && culture.endings && draw.chance(0.5)
      ? draw.pick(culture.stems) + draw.pick(culture.endings)
      : draw.pick(culture.plain.families)
  const first = one()
  if (draw.chance(culture.double ? 0.55 : 0.03)) {
    const second = one()
    if (second !== first) return `${first}${culture.double ? ' ' : '-'}${second}`
  }
  return first
}

const withoutMarks = (name: string) => name.normalize('NFKD').replace(/\p{M}/gu, '')

/** What happens to a name that is entered twice: a letter lost, accents left out, a nickname, names in the wrong boxes. */
function twinName(plan: Plan, index: number, original: PersonName): PersonName {
  const draw = random(plan.seed, streams.twin, index)
  const twin = { ...original, former: [], pronouns: '', middle: draw.chance(0.5) ? '' : original.middle }
  const { given, family } = original
  switch (draw.int(6)) {
    case 0:
      return family.length > 4 ? { ...twin, family: dropLetter(draw, family) } : twin
    case 1:
      return { ...twin, given: withoutMarks(given), family: withoutMarks(family) }
    case 2:
      return { ...twin, given: original.preferred || nicknames[given] || given, preferred: '' }
    case 3:
      return family === '' ? twin : { ...twin, given: family, family: given }
    case 4:
      return given.length > 4 ? { ...twin, given: dropLetter(draw, given) } : twin
    default:
      return twin
  }
}

function dropLetter(draw: Random, name: string): string {
  const letters = Array.from(name)
  letters.splice(draw.between(1, letters.length - 2), 1)
  return letters.join('')
}
