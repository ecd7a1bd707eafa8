import { belongingsOf } from './belonging.ts'
import type { Belonging } from './belonging.ts'
import { addressOf, emailsOf, mailboxOf, phonesOf } from './contacts.ts'
import { addYears, instantOf, isoOf, millisecondsOf } from './days.ts'
import { lifeOf } from './life.ts'
import type { Life } from './life.ts'
import { nameOf } from './person-names.ts'
import type { PersonName } from './person-names.ts'
import { isTwin, originalOf } from './plan.ts'
import { countries } from './places.ts'
import { idOf, mix, random, streams } from './random.ts'
import { demoShapes } from './sizes.ts'
import type { Sheet } from './tables.ts'
import { tags, workOf } from './work.ts'
import { accountId, personId, tagId } from './world.ts'
import type { World } from './world.ts'

const majorityAge = 18
/** Most who could have an account do; what is left out is spread evenly. */
const eligibleForAccount = 0.6

/** Adds everything about one person. Needs nobody's rows but their own, so people can be made in any order and portion. */
export function addPerson(sheet: Sheet, world: World, index: number, issuer: string): void {
  const id = personId(world, index)
  const life = lifeOf(world, index)
  const name = nameOf(world, index)
  const country = world.chapters[world.homes[index] ?? 0]?.country ?? countries.UK
  const belongings = belongingsOf(world, index, life).map((belonging, nth) => ({
    ...belonging,
    id: idOf(world.seed, streams.affiliation, index * 8 + nth, millisecondsOf(life.createdDay, life.createdSecond) + nth),
  }))
  // Applicants are entered before they are members.
  const created = instantOf(Math.min(life.createdDay, ...belongings.map(({ startDay }) => startDay)), life.createdSecond)
  const work = workOf(world, index, life)
  const draw = random(world.seed, streams.history, index)
  const lastDay = life.endDay ?? world.today - 1
  const updated = draw.chance(0.4) ? instantOf(life.createdDay + draw.int(Math.max(lastDay - life.createdDay, 1)), 50_000) : created
  const majority = addYears(life.birthDay, majorityAge)
  const twin = isTwin(world, index)
  const memberNo = life.lifecycle === 'prospect' || (twin && draw.chance(0.5)) ? null : `M-${100_000 + index}`
  sheet.add('people', [
    id, memberNo, name.given, name.middle, name.family, name.suffix, name.preferred, name.former, name.pronouns, life.lifecycle, homeChapter(world, belongings),
    life.joinedDay === null ? null : isoOf(life.joinedDay), work.gradYear, work.employer, work.jobTitle, work.bio, draw.chance(0.9) ? country.language : 'en',
    work.doNotContact, majority > world.today ? isoOf(majority) : null, created, updated,
  ]) // prettier-ignore
  emailsOf(world, world.mail, index).forEach(({ value, label, primary, visibleTo }, nth) =>
    sheet.add('person_emails', [childId(streams.email, nth), id, value, label, primary, visibleTo, created]),
  )
  phonesOf(world, index, country).forEach(({ value, label, primary, visibleTo }, nth) =>
    sheet.add('person_phones', [childId(streams.phone, nth), id, value, label, primary, visibleTo, created]),
  )
  // What the register was before: members of its first years have their number there.
  if (memberNo !== null && index % 9 === 0)
    sheet.add('person_external_ids', [childId(streams.externalId, 0), id, 'civicrm', `${index + 11}`, created])
  const address = addressOf(world, index, life)
  if (address)
    sheet.add('person_contacts', [
      id,
      address.street,
      address.city,
      address.postalCode,
      address.country,
      address.website,
      address.visibleTo,
    ])
  addPrivate(sheet, world, index, id, life, name)
  for (const tag of work.tags)
    sheet.add('person_tags', [
      id,
      tagId(
        world,
        tags.findIndex(({ name: known }) => known === tag),
      ),
      updated,
    ])
  for (const { id: affiliation, chapter, kind, startDay, endDay, primary } of belongings) {
    const at = instantOf(startDay, life.createdSecond)
    const end = endDay === null ? null : isoOf(endDay)
    sheet.add('affiliations', [
      affiliation,
      id,
      chapterId(world, chapter),
      kind,
      isoOf(startDay),
      end,
      primary,
      at,
      end === null ? at : instantOf(endDay ?? startDay, 82_800),
    ])
  }
  world.groups.placesOf(index, life).forEach((place, nth) => {
    const at = instantOf(place.startDay, 30_000 + draw.int(40_000))
    const group = world.groups.all[place.group]?.id ?? ''
    const end = place.endDay === null ? null : isoOf(place.endDay)
    sheet.add('group_members', [
      childId(streams.groupMember, nth),
      group,
      id,
      place.role,
      place.title,
      place.rank,
      place.status,
      isoOf(place.startDay),
      end,
      at,
      at,
    ])
  })
  addAccount(sheet, world, index, id, life, name, issuer)

  function childId(stream: number, nth: number): string {
    return idOf(world.seed, stream, index * 8 + nth, millisecondsOf(life.createdDay, life.createdSecond) + nth)
  }
}

const chapterId = (world: World, chapter: number) => world.chapters[chapter]?.id ?? ''

/** As the database decides it: a live affiliation before an ended one, the primary one first, then the latest. */
function homeChapter(world: World, belongings: readonly (Belonging & { id: string })[]): string | null {
  const live = (belonging: Belonging) => belonging.endDay === null || belonging.endDay >= world.today
  const [first] = belongings.toSorted(
    (a, b) =>
      Number(live(b)) - Number(live(a)) || Number(b.primary) - Number(a.primary) || b.startDay - a.startDay || (a.id < b.id ? -1 : 1),
  )
  return first ? chapterId(world, first.chapter) : null
}

function addPrivate(sheet: Sheet, world: World, index: number, id: string, life: Life, name: PersonName): void {
  const draw = random(world.seed, streams.life, index + world.people)
  const original = isTwin(world, index) ? lifeOf(world, originalOf(world, index)) : life
  const known = life.minor || life.lifecycle === 'deceased' || world.personas.has(index) || draw.chance(0.82)
  // A twin has the birthday of the original, except where that would make the dates contradict each other.
  const birthDay = life.minor || life.lifecycle === 'deceased' || original.minor ? life.birthDay : original.birthDay
  const gender = draw.chance(0.5) ? (name.woman ? 'female' : 'male') : ''
  if (known)
    sheet.add('person_private', [
      id,
      isoOf(birthDay),
      gender,
      life.lifecycle === 'deceased' && life.endDay !== null ? isoOf(life.endDay) : null,
    ])
}

function addAccount(sheet: Sheet, world: World, index: number, id: string, life: Life, name: PersonName, issuer: string): void {
  const persona = world.personas.get(index)
  const draw = random(world.seed, streams.account, index)
  const belongs = life.lifecycle === 'active' || life.lifecycle === 'alumni'
  const eligible = belongs && !life.minor && !isTwin(world, index) && mailboxOf(world, index) === 'own'
  if (!persona && (!eligible || !draw.chance(demoShapes[world.size].accounts / eligibleForAccount))) return
  const email = emailsOf(world, world.mail, index)[0]?.value ?? null
  const shown = [name.preferred || name.given, name.family].filter(Boolean).join(' ')
  const invited = !persona && draw.chance(0.08)
  const sinceDay = life.createdDay + draw.int(Math.max(Math.min(60, world.today - life.createdDay), 1))
  const since = instantOf(sinceDay, 43_200 + draw.int(20_000))
  // Most came back lately, some have not been seen for years.
  const seenDay = Math.max(sinceDay, world.today - 1 - Math.floor(draw.next() ** 3 * 900))
  const seen = invited ? null : instantOf(seenDay, 64_000 + draw.int(20_000))
  const status = invited ? 'invited' : persona?.demo.sub === 'suspended' ? 'suspended' : 'active'
  sheet.add('accounts', [
    accountId(world, index), invited ? null : issuer, invited ? null : (persona?.demo.sub ?? `member-${mix(world.seed, index).toString(36)}-${index}`),
    email, !invited, shown, id, status, persona?.demo.roles ?? [], seen, since, seen ?? since,
  ]) // prettier-ignore
}
