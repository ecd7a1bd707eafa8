import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { call, refuse, sending, until } from '../calls.ts'
import type { Answer } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { rowOf, setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

const Registration = z.object({ id: z.string(), status: z.string() })
const Existing = z.object({ reason: z.literal('registration_exists'), current: Registration })
const Refusal = z.object({ reason: z.string() })
const Event = z.object({ id: z.string(), version: z.number() })
const Differences = z.object({ differences: z.number(), counts: z.object({ taken: z.number(), waiting: z.number() }) })

/** Somebody who wants a seat, and what they were told last. */
type Visitor = {
  sub: string
  headers: Record<string, string>
  cancels: boolean
  returns: boolean
  heard: { id: string; status: string } | null
  /** When they began to ask for what they have now, and when they were told. */
  began: number
  told: number
}
type Rush = {
  stage: Stage
  ordered: Run
  eventId: string
  office: Record<string, string>
  visitors: Visitor[]
  seats: number
  tally: { answered: number; cut: number; turnedAway: Record<string, number>; wrong: string[] }
}

/** Members with an account each. */
async function foundMembers({ admin, orgId }: Stage, size: number, name: string): Promise<void> {
  await admin.query(
    `with made as (
       insert into app.people (org_id, given_name, family_name) select $1, $3, n::text from generate_series(1, $2::int) n returning id, family_name
     )
     insert into app.accounts (org_id, issuer, subject, status, person_id, name)
       select $1, (select a.issuer from app.accounts a where a.org_id = $1 and a.subject = 'owner'), $3 || '-' || m.family_name, 'active', m.id, 'Ann' from made m`,
    [orgId, size, name],
  )
}

async function prepare(stage: Stage, ordered: Run, size: number, name: string): Promise<Rush> {
  const { random } = ordered
  await foundMembers(stage, size, name)
  const visitors: Visitor[] = []
  for (let nth = 1; nth <= size; nth++) {
    const sub = `${name}-${nth}`
    const cancels = random.next() < 0.4
    const plan = { cancels, returns: cancels && random.next() < 0.5, heard: null, began: 0, told: 0 }
    visitors.push({ sub, headers: await stage.as(sub), ...plan })
  }
  const office = await stage.as('owner')
  const seats = Math.max(2, Math.floor(size / 20))
  const facts = { title: name, startsAt: '2090-07-01T16:00:00Z', venueName: 'Park', visibility: 'public', capacity: seats }
  const url = `${stage.servers[0]?.url ?? ''}/data/events`
  const made = await call(url, sending(office, facts))
  refuse(made, 201)
  const event = Event.parse(made.body)
  refuse(await call(`${url}/${event.id}/publish`, sending(office, {}, { 'if-match': `"${event.version}"` })), 200)
  const tally = { answered: 0, cut: 0, turnedAway: {}, wrong: [] }
  return { stage, ordered, eventId: event.id, office, visitors, seats, tally }
}

/** Asks one server and then the other, until one answers. Whoever is turned away because there is too much to do is told to come again, and does. */
async function ask({ stage, ordered, tally }: Rush, first: number, path: string, init: RequestInit, expected: readonly number[]): Promise<Answer> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const answer = await call(`${stage.servers[(first + attempt) % 2]?.url ?? ''}${path}`, init)
    const { status, headers, text } = answer
    if (status === 0) {
      // A connection that a kill cut, or a process that is not there, is no answer.
      tally.cut += 1
      await sleep(ordered.random.between(100, 1_000))
    } else if (status === 503 && headers.get('retry-after')) {
      const { reason } = Refusal.parse(answer.body)
      tally.turnedAway[reason] = (tally.turnedAway[reason] ?? 0) + 1
      await sleep(ordered.random.between(500, 5_000))
    } else {
      tally.answered += 1
      if (!expected.includes(status)) tally.wrong.push(`${path} ${status} ${text.slice(0, 200)}`)
      return answer
    }
  }
  throw new Error(`${path} was never answered`)
} // prettier-ignore

async function register(rush: Rush, visitor: Visitor, nth: number): Promise<void> {
  visitor.began = performance.now()
  const answer = await ask(rush, nth, `/data/events/${rush.eventId}/registrations`, sending(visitor.headers, {}), [201, 409])
  visitor.told = performance.now()
  // Whose answer a kill cut off is told when asking again.
  if (answer.status === 201) visitor.heard = Registration.parse(answer.body)
  else if (answer.status === 409) visitor.heard = Existing.parse(answer.body).current
}

async function visit(rush: Rush, visitor: Visitor, nth: number): Promise<void> {
  await register(rush, visitor, nth)
  if (!visitor.cancels || !visitor.heard) return
  await sleep(rush.ordered.random.between(0, 500))
  await ask(rush, nth + 1, `/data/registrations/${visitor.heard.id}/cancel`, sending(visitor.headers, {}), [200])
  visitor.heard = null
  if (visitor.returns) await register(rush, visitor, nth)
}

/** Sets the capacity; undefined where more seats are taken by now. */
async function setCapacity(rush: Rush, capacity: number): Promise<number | undefined> {
  const path = `/data/events/${rush.eventId}`
  for (let tries = 0; tries < 100; tries++) {
    const { version } = Event.parse((await ask(rush, tries, path, { headers: rush.office }, [200])).body)
    const init = { ...sending(rush.office, { capacity }, { 'if-match': `"${version}"` }), method: 'PATCH' }
    // 412 where the change went through although its answer was cut off.
    const { status, text } = await ask(rush, tries, path, init, [200, 409, 412])
    if (status === 200) return capacity
    if (text.includes('event_capacity_taken')) return undefined
  }
  throw new Error('the capacity was never set')
}

/** Everybody at once, while processes are killed and the capacity is lowered and raised. */
async function rushIn(rush: Rush): Promise<{ killed: number; changed: number; refused: number }> {
  const { stage, ordered, visitors, seats, tally } = rush
  const { kills, random, log } = ordered
  let isOver = false
  await setCapacity(rush, Math.ceil(seats / 2))
  const everybody = Promise.all(visitors.map((visitor, nth) => visit(rush, visitor, nth))).finally(() => (isOver = true))
  let killed = 0
  const killing = async () => {
    for (let nth = 1; nth <= kills; nth++) {
      const enough = Math.floor((visitors.length * nth) / (kills + 1))
      await until('some answers', 600, () => Promise.resolve(tally.answered >= enough || isOver), 5)
      if (isOver) return
      const server = stage.servers[nth % 2]
      log(`kill after ${tally.answered} answers`)
      await server?.kill()
      killed += 1
      await sleep(random.between(0, 300))
      await server?.start()
    }
  }
  let capacity = Math.ceil(seats / 2)
  const done = { changed: 0, refused: 0 }
  const changing = async () => {
    while (!isOver) {
      // Seldom granted: seats that come free are offered at once to those who wait.
      const lowered = await setCapacity(rush, random.between(1, capacity))
      if (lowered === undefined) done.refused += 1
      else done.changed += 1
      capacity = Math.min(seats, (lowered ?? capacity) + random.between(1, Math.max(1, Math.floor(seats / 8))))
      await setCapacity(rush, capacity)
      done.changed += 1
      await sleep(random.between(0, 300))
    }
  }
  await Promise.all([everybody, killing(), changing()])
  return { killed, ...done }
}

type Found = { taken: number; most: number; people: number; live: number; offeredLast: number; waitingFirst: number; places: number }
const outcomeOf = ({ stage: { admin, orgId }, eventId }: Rush) =>
  rowOf<Found>(
    admin,
    `select (count(*) filter (where app.takes_seat(r.status)))::int as taken, count(distinct r.person_id)::int as people, count(*)::int as live,
       (select coalesce(max(l.taken), 0) from app.event_ledger l where l.org_id = $1 and l.event_id = $2) as most,
       coalesce(max(r.waiting_place) filter (where r.status = 'offered'), 0) as "offeredLast",
       coalesce(min(r.waiting_place) filter (where r.status = 'waitlisted'), 2147483647) as "waitingFirst",
       count(distinct r.waiting_place)::int - count(r.waiting_place)::int as places
     from app.registrations r where r.org_id = $1 and r.event_id = $2 and r.status not in ('cancelled', 'rejected')`,
    [orgId, eventId],
  )

/** What people were told and what is there; and whoever was told before somebody else began to ask waits before them. */
async function brokenPromises({ stage: { admin, orgId }, eventId, visitors }: Rush): Promise<string[]> {
  const { rows } = await admin.query<{ sub: string; id: string; status: string; place: number | null }>(
    `select a.subject as sub, r.id, r.status, r.waiting_place as place from app.registrations r join app.accounts a on a.org_id = r.org_id and a.person_id = r.person_id
     where r.org_id = $1 and r.event_id = $2 and r.status not in ('cancelled', 'rejected')`,
    [orgId, eventId],
  )
  const there = new Map(rows.map((row) => [row.sub, row]))
  const broken: string[] = []
  for (const { sub, heard } of visitors) {
    const found = there.get(sub)
    const isKept =
      heard === null ? !found : found?.id === heard.id && (found.status === heard.status || (heard.status === 'waitlisted' && found.status === 'offered'))
    if (!isKept) broken.push(`${sub} heard ${heard?.status ?? 'cancelled'}, and is ${found?.status ?? 'nowhere'}`)
  } // prettier-ignore
  const waiting = visitors.flatMap(({ sub, began, told }) => {
    const place = there.get(sub)?.place
    return typeof place === 'number' ? [{ sub, began, told, place }] : []
  })
  const asTold = waiting.toSorted((a, b) => a.told - b.told)
  let [nth, last] = [0, 0]
  for (const { sub, began, place } of waiting.toSorted((a, b) => a.began - b.began)) {
    for (let before = asTold[nth]; before && before.told < began; before = asTold[++nth]) last = Math.max(last, before.place)
    if (place <= last) broken.push(`${sub} has place ${place}, but came after ${last}`)
  }
  return broken
}

async function run(ordered: Run): Promise<void> {
  const { size, check, control, log } = ordered
  const stage = await setStage({ workers: 0, people: 50, log })
  try {
    const rush = await prepare(stage, ordered, size, 'rush')
    const { seats, tally } = rush
    const started = performance.now()
    const done = await rushIn(rush)
    const seconds = Math.round((performance.now() - started) / 1_000)
    await setCapacity(rush, seats)
    const found = await outcomeOf(rush)
    const wanted = Math.min(seats, found.live)
    check(`${size} at once for ${seats} seats in ${seconds} s, ${done.killed} kills, capacity changed ${done.changed} times, refused ${done.refused}: seats taken`, found, found.taken === wanted && found.most <= seats && (done.killed > 0 || ordered.kills === 0)) // prettier-ignore
    check('nobody is there twice', found.live - found.people, found.live === found.people)
    check('seats went to those who waited longest, each place once', [found.offeredLast, found.waitingFirst], found.offeredLast < found.waitingFirst && found.places === 0) // prettier-ignore
    const broken = await brokenPromises(rush)
    check('what people were told holds, and whoever came first waits first: exceptions', broken.slice(0, 5), broken.length === 0)
    const { wrong, ...counted } = tally
    check(
      'answers that are neither what was asked for nor the wish to come again',
      { ...counted, wrong: wrong.slice(0, 5) },
      wrong.length === 0,
    )
    const balanced = await ask(rush, 0, `/data/events/${rush.eventId}/capacity?limit=1`, { headers: rush.office }, [200])
    const { differences, counts } = Differences.parse(balanced.body)
    check('registrations, counts and ledger say the same', { differences, counts }, differences === 0 && counts.taken === found.taken)

    // Counted first and registered then: nobody holds the seats in between.
    await stage.admin.query(
      `do $$ declare source text; guard text; begin
         foreach guard in array array['app_private.hold_event(uuid,uuid)|for update;', 'app_private.book_moves(app_private.seat_move[])|e.capacity < n.taken + seats'] loop
           source := pg_get_functiondef(split_part(guard, '|', 1)::regprocedure);
           if strpos(source, split_part(guard, '|', 2)) = 0 then raise exception 'the guard is written otherwise by now'; end if;
           execute replace(source, split_part(guard, '|', 2), case when guard like '%update;' then ';' else 'false' end);
         end loop;
       end $$`,
    )
    const naive = await prepare(stage, ordered, Math.min(size, 100), 'naive')
    await Promise.all(naive.visitors.map((visitor, nth) => register(naive, visitor, nth)))
    const over = await outcomeOf(naive)
    control(`counting first and registering then, ${naive.visitors.length} at once for ${naive.seats} seats: taken`, over.taken, over.taken > naive.seats) // prettier-ignore
  } finally {
    await stage.stop()
  }
}

export const seats: Case = {
  name: 'seats',
  about: 'an event never gives away more seats than it has, whatever is killed, cancelled or lowered meanwhile (F3)',
  full: { kills: 10, size: 2_000 },
  short: { kills: 1, size: 40 },
  run,
}
