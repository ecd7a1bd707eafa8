import { instantOf, isoOf } from './days.ts'
import { termMonths } from './offices.ts'
import { idOf, mix, streams } from './random.ts'
import type { Sheet } from './tables.ts'
import { tags } from './work.ts'
import { accountId, officeId, personId, roleId, tagId } from './world.ts'
import type { World } from './world.ts'
import { demoPeople } from './personas.ts'

const contactAddress = (name: string) =>
  `${name
    .normalize('NFKD')
    .replace(/[^A-Za-z ]/g, '')
    .trim()
    .replace(/ +/g, '-')
    .toLowerCase()}@example.org`

/** Chapters, offices, tags and groups: what is there before the first person. */
export function addFrame(sheet: Sheet, world: World): void {
  const founded = instantOf(world.foundedDay, 32_400)
  for (const chapter of world.chapters) {
    const parent = chapter.parent === null ? null : (world.chapters[chapter.parent]?.id ?? null)
    const website = chapter.depth <= 3 ? `https://www.example.org/${chapter.code.toLowerCase()}` : ''
    sheet.add('chapters', [
      chapter.id, parent, chapter.name, chapter.code, chapter.level, chapter.status, chapter.about, chapter.depth < 3 && chapter.children.length > 0 ? '' : chapter.city.name,
      contactAddress(chapter.name), website, chapter.timezone, isoOf(chapter.charteredDay), chapter.depth <= 3, chapter.createdAt, chapter.createdAt,
    ]) // prettier-ignore
  }
  for (const office of world.offices) {
    const chapter = world.chapters[office.chapter]
    if (!chapter) continue
    const role = office.role === null ? null : roleId(world, office.role)
    sheet.add('positions', [
      officeId(world, office),
      chapter.id,
      office.title,
      role,
      termMonths,
      office.seats,
      office.mandatory,
      office.memberOnly,
      chapter.createdAt,
      chapter.createdAt,
    ])
  }
  tags.forEach(({ name, color, audience = 'officers' }, nth) => sheet.add('tags', [tagId(world, nth), name, color, audience, founded]))
  for (const group of world.groups.all) {
    const created = instantOf(group.createdDay, 36_000 + (group.index % 20_000))
    const archived = group.archivedDay === null ? null : instantOf(group.archivedDay, 40_000)
    const parent = group.parent === null ? null : (world.groups.all[group.parent]?.id ?? null)
    const owner = world.chapters[group.chapter]?.id ?? null
    sheet.add('groups', [
      group.id,
      owner,
      parent,
      group.code,
      group.name,
      group.kind,
      group.description,
      JSON.stringify({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: group.description }] }] }),
      group.visibility,
      group.join,
      archived,
      created,
      archived ?? created,
    ])
  }
}

/** Who held, holds and was elected to which office; in portions, as a big tree has many. */
export function* addHolders(sheet: Sheet, world: World, portion: number): Generator<number> {
  let count = 0
  for (const { office, person, startDay, endDay, note } of world.holders()) {
    // Entered some days before the term begins, and never later than today.
    const entered = Math.min(startDay - (mix(world.seed, streams.holder, count) % 25), world.today - 1)
    const at = instantOf(entered, 36_000 + (count % 20_000))
    const id = idOf(world.seed, streams.position, 10_000_000 + count, Date.parse(at))
    sheet.add('position_holders', [id, officeId(world, office), personId(world, person), isoOf(startDay), isoOf(endDay), note, at, at])
    if (++count % portion === 0) yield portion
  }
  yield count % portion
}

/** The guest, who is an account and nothing else, and the rights that were granted by hand. */
export function addGuestAndGrants(sheet: Sheet, world: World, issuer: string): void {
  const guest = demoPeople.find(({ sub }) => sub === 'guest')
  const since = instantOf(world.today - 40, 50_000)
  if (guest) {
    const name = `${guest.givenName} ${guest.familyName}`
    sheet.add('accounts', [
      accountId(world, world.people),
      issuer,
      guest.sub,
      guest.email,
      true,
      name,
      null,
      'active',
      [],
      since,
      since,
      since,
    ])
  }
  const owner = [...world.personas].find(([, { demo }]) => demo.sub === 'owner')?.[0] ?? 0
  for (const [index, { grant, jobTitle }] of world.personas) {
    if (!grant) continue
    const startDay = world.today - 300 - (index % 90)
    const at = instantOf(startDay, 36_000)
    const id = idOf(world.seed, streams.grant, index, Date.parse(at))
    sheet.add('grants', [
      id,
      accountId(world, index),
      roleId(world, grant),
      'org',
      isoOf(startDay),
      `Appointed: ${jobTitle}`,
      accountId(world, owner),
      at,
      at,
    ])
  }
}
