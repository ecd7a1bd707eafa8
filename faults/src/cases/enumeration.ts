import { randomUUID } from 'node:crypto'
import { demoPeople } from '@guildhall/db/demo'
import type { DemoPerson } from '@guildhall/db/demo'
import { call, sending } from '../calls.ts'
import type { Answer } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { rowOf, setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

/** What a guess costs at most when it is right, against when it is wrong, in milliseconds; and what the control adds. */
const tellingMs = 5
const plantedMs = 10

/**
 * The same request about something that is there and something that is not, by somebody who may not know which. `forget` undoes what limits and
 * remembers guesses, of which few are allowed in an hour.
 */
type Guess = { what: string; there: () => Promise<Answer>; notThere: () => Promise<Answer>; forget?: string }

const strangers: DemoPerson[] = ['known', 'unknown'].map((sub) => ({ sub, email: `${sub}@demo.example`, givenName: 'S', familyName: 'Tranger', about: '', roles: [] })) // prettier-ignore
const knownAddress = 'secretary@demo.example'
const unknownAddress = 'nosuchguy@demo.example'

async function guesses(stage: Stage): Promise<Guess[]> {
  const { admin, orgId } = stage
  const server = stage.servers[0]?.url ?? ''
  const [member, officer] = [await stage.as('member'), await stage.as('chapter')]
  const [known, unknown] = [await stage.as('known'), await stage.as('unknown')]
  const id = async (text: string) => (await rowOf<{ id: string }>(admin, text, [orgId])).id
  const minor = await id(
    'select id from app.people where org_id = $1 and minor_until > current_date and deleted_at is null order by id limit 1',
  )
  const secret = await id(`insert into app.groups (org_id, name, visibility) values ($1, 'Secret', 'secret') returning id`)
  const account = await id(`select id from app.accounts where org_id = $1 and email = '${knownAddress}'`)
  const { address } = await rowOf<{ address: string }>(
    admin,
    `select e.address from app.person_emails e join app.people p on p.org_id = e.org_id and p.id = e.person_id
      where e.org_id = $1 and p.minor_until > current_date and p.deleted_at is null order by e.id limit 1`,
    [orgId],
  )
  const contact = (email: string) => () =>
    call(`${server}/actions/site/contact`, sending({}, { name: 'S', email, topic: 'Membership', message: 'Am I a member?' }))
  const get = (headers: Record<string, string>, path: string) => () => call(`${server}/data/${path}`, { headers })
  const post = (headers: Record<string, string>, path: string, body: unknown) => () =>
    call(`${server}/data/${path}`, sending(headers, body))
  const searched = (text: string) => get(member, `people?limit=20&q=${encodeURIComponent(text)}`)
  const duplicates = (email: string) => post(officer, 'people/duplicates', { email })
  // Of the same length, since a search takes as long as its text is.
  const another = address.replace(/^[^@]+/, (name) => 'q'.repeat(name.length))
  return [
    { what: 'the contact page, by e-mail address', there: contact(knownAddress), notThere: contact(unknownAddress), forget: 'delete from app.contact_attempts' },
    { what: 'signing in without an account, by e-mail address', there: post(known, 'rpc/update_account_login', {}), notThere: post(unknown, 'rpc/update_account_login', {}), forget: 'delete from app.use_counts' },
    { what: 'asking for access, by e-mail address', there: post(known, 'access-requests', {}), notThere: post(unknown, 'access-requests', {}), forget: `delete from app.accounts where status = 'pending_link' and subject in ('known', 'unknown'); delete from app.contact_attempts` },
    { what: 'a child, as a member', there: get(member, `people/${minor}`), notThere: get(member, `people/${randomUUID()}`) },
    { what: 'a secret group, as a member', there: get(member, `groups/${secret}`), notThere: get(member, `groups/${randomUUID()}`) },
    { what: 'an account, as a member', there: get(member, `accounts/${account}`), notThere: get(member, `accounts/${randomUUID()}`) },
    { what: 'a search for a hidden e-mail address, as a member', there: searched(address), notThere: searched(another) },
    { what: 'a hidden e-mail address among duplicates, as an officer', there: duplicates(address), notThere: duplicates(another) },
  ] // prettier-ignore
}

type Compared = { differenceMs: number; medians: string; answers: string[] }

/** Takes turns, so that whatever else goes on makes both wait. */
async function compare(stage: Stage, { there, notThere, forget }: Guess, samples: number, { random }: Run): Promise<Compared> {
  const times = { there: new Float64Array(samples), notThere: new Float64Array(samples) }
  const answers = new Set<string>()
  const timed = async (which: 'there' | 'notThere', nth: number) => {
    const started = performance.now()
    const { status, text } = await (which === 'there' ? there : notThere)()
    times[which][nth] = performance.now() - started
    answers.add(`${status} ${text.replace(/"(requestId|reference)":"[^"]*"/g, '')}`)
  }
  for (let nth = 0; nth < samples; nth++) {
    if (forget) await stage.admin.query(forget)
    const order = random.next() < 0.5 ? (['there', 'notThere'] as const) : (['notThere', 'there'] as const)
    for (const which of order) await timed(which, nth)
  }
  const [a, b] = [median(times.there), median(times.notThere)]
  return { differenceMs: Math.abs(a - b), medians: `${a.toFixed(2)} and ${b.toFixed(2)} ms`, answers: [...answers] }
}

const median = (times: Float64Array) => times.toSorted()[Math.floor(times.length / 2)] ?? Number.NaN

async function run(ordered: Run): Promise<void> {
  const { size, check, control, log } = ordered
  const stage = await setStage({ servers: 1, workers: 0, strangers, log })
  try {
    // Whoever signs in here has the address of an account that is bound to somebody else.
    await stage.admin.query(`update app.accounts set email = 'known@demo.example' where email = $1`, [demoPeople[0]?.email])
    const all = await guesses(stage)
    for (const guess of all) {
      const { differenceMs, medians, answers } = await compare(stage, guess, size, ordered)
      check(`${guess.what}: different answers to ${size} of each`, answers.length === 1 ? (answers[0] ?? '').slice(0, 3) : answers.map((answer) => answer.slice(0, 200)), answers.length === 1 && !answers[0]?.startsWith('5') && !answers[0]?.startsWith('429')) // prettier-ignore
      check(`${guess.what}: medians`, medians, differenceMs <= tellingMs)
    }
    await stage.admin.query(`
      create function public.planted() returns trigger language plpgsql as 'begin perform pg_sleep(${plantedMs / 1000}); return new; end';
      create trigger planted before insert on app.contact_messages for each row when (new.email = '${knownAddress}') execute function public.planted()`)
    const [page] = all
    const planted = page && (await compare(stage, page, Math.min(size, 200), ordered))
    control(`a look at the address that takes ${plantedMs} ms: medians`, planted?.medians, (planted?.differenceMs ?? 0) > tellingMs)
  } finally {
    await stage.stop()
  }
}

export const enumeration: Case = {
  name: 'enumeration',
  about: 'neither what is answered nor when tells whether somebody or something is there (A11)',
  full: { kills: 0, size: 2_000 },
  run,
}
