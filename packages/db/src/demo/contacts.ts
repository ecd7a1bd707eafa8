import type { Life } from './life.ts'
import { nameOf } from './person-names.ts'
import { isRelative, isTwin, originalOf } from './plan.ts'
import type { Plan } from './plan.ts'
import type { Country } from './places.ts'
import { random, streams } from './random.ts'
import type { Random } from './random.ts'

export type Contact = { value: string; label: string; primary: boolean; visibleTo: 'officers' | 'members' }
export type Address = {
  street: string
  city: string
  postalCode: string
  country: string
  website: string
  visibleTo: 'officers' | 'members'
}

/** Free of every person: an address that nobody shares by accident. Numbers are only needed where names repeat. */
export type MailNames = { ordinalOf(index: number): number }

const oftenSeen = 10_000

/** In a small organisation only namesakes get a number; in a big one everyone does, so that nothing has to be remembered. */
export function mailNames(plan: Plan): MailNames {
  if (plan.people > oftenSeen) return { ordinalOf: (index) => index + 1 }
  const seen = new Map<string, number>()
  const ordinals = new Int32Array(plan.people)
  for (let index = 0; index < plan.people; index++) {
    const name = localPart(plan, index)
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    ordinals[index] = before
  }
  return { ordinalOf: (index) => ordinals[index] ?? 0 }
}

type Mailbox = 'none' | 'own' | number

/** Whose address someone uses: nobody's, their own, or that of the person with this number. */
export function mailboxOf(plan: Plan, index: number): Mailbox {
  if (plan.personas.has(index)) return 'own'
  const draw = random(plan.seed, streams.email, index)
  if (isRelative(plan, index)) return index - 1
  if (index + 1 < plan.people && isRelative(plan, index + 1)) return 'own'
  if (isTwin(plan, index) && draw.chance(0.4) && mailboxOf(plan, originalOf(plan, index)) === 'own') return originalOf(plan, index)
  return draw.chance(0.155) ? 'none' : 'own'
}

export function emailsOf(plan: Plan, mail: MailNames, index: number): Contact[] {
  const box = mailboxOf(plan, index)
  if (box === 'none') return []
  const draw = random(plan.seed, streams.contacts, index)
  const visibleTo = draw.chance(0.3) ? 'members' : 'officers'
  if (box !== 'own') return [{ value: ownAddress(plan, mail, box), label: 'Shared', primary: true, visibleTo }]
  const first: Contact = { value: ownAddress(plan, mail, index), label: draw.chance(0.5) ? 'Home' : '', primary: true, visibleTo }
  if (plan.personas.has(index) || !draw.chance(0.09)) return [first]
  return [first, { value: `work.${first.value}`, label: 'Work', primary: false, visibleTo: 'officers' }]
}

function ownAddress(plan: Plan, mail: MailNames, index: number): string {
  const persona = plan.personas.get(index)
  if (persona) return persona.demo.email
  const ordinal = mail.ordinalOf(index)
  const host = random(plan.seed, streams.email, index + plan.people).chance(0.5) ? 'example.org' : 'example.com'
  return `${localPart(plan, index)}${ordinal === 0 ? '' : ordinal}@${host}`
}

function localPart(plan: Plan, index: number): string {
  const { given, family } = nameOf(plan, index)
  const ascii = (name: string) =>
    name
      .toLowerCase()
      .replace(/[øœæßłđðþ]/g, (letter) => letters[letter] ?? letter)
      .normalize('NFKD')
      .replace(/[^a-z]/g, '')
  const [first, last] = [ascii(given).slice(0, 24), ascii(family).slice(0, 24)]
  return first && last ? `${first}.${last}` : first || last || 'member'
}

const letters: Readonly<Record<string, string>> = { ø: 'o', œ: 'oe', æ: 'ae', ß: 'ss', ł: 'l', đ: 'd', ð: 'd', þ: 'th' }

/** For countries that keep no numbers free for fiction: those of Britain that nobody has. */
const elsewhere = ['+44 7700 900###']

export function phonesOf(plan: Plan, index: number, country: Country): Contact[] {
  const draw = random(plan.seed, streams.phone, index)
  const own = country.phones.length > 0
  if (!draw.chance(own ? 0.74 : 0.4)) return []
  const source =
    isTwin(plan, index) && draw.chance(0.4)
      ? random(plan.seed, streams.phone, originalOf(plan, index) + plan.people)
      : random(plan.seed, streams.phone, index + plan.people)
  const visibleTo = draw.chance(0.15) ? 'members' : 'officers'
  const patterns = own ? country.phones : elsewhere
  const value = e164(source, patterns)
  const second = draw.chance(0.1) ? e164(draw, patterns) : value
  const first: Contact = { value, label: draw.chance(0.6) ? 'Mobile' : 'Home', primary: true, visibleTo }
  return second === value ? [first] : [first, { value: second, label: 'Work', primary: false, visibleTo: 'officers' }]
}

const e164 = (draw: Random, patterns: readonly string[]) => fill(draw, draw.pick(patterns)).replaceAll(' ', '')

const capitals = Array.from('ABCDEFGHJKLMNPRSTUVWXY')

const fill = (draw: Random, pattern: string) =>
  pattern.replace(/[#@]/g, (sign) => (sign === '#' ? String(draw.int(10)) : draw.pick(capitals)))

export function addressOf(plan: Plan, index: number, life: Life): Address | undefined {
  // Relatives live together.
  const resident = isRelative(plan, index) ? index - 1 : index
  const draw = random(plan.seed, streams.contacts, resident + plan.people)
  if (life.lifecycle === 'prospect' || !draw.chance(0.68)) return undefined
  const chapter = plan.chapters[plan.homes[resident] ?? 0]
  if (!chapter) return undefined
  return {
    street: `${draw.pick(chapter.country.streets)} ${draw.between(1, 140)}`,
    city: chapter.city.name,
    postalCode: fill(draw, chapter.country.postal),
    country: chapter.country.name,
    website: draw.chance(0.04) ? `https://www.example.org/~member${index + 1}` : '',
    visibleTo: draw.chance(0.1) ? 'members' : 'officers',
  }
}
