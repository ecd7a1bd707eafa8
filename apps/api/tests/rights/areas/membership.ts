import type { membershipData } from '@guildhall/contract/features/membership'
import { right } from '../grid.ts'
import { may } from '../line.ts'
import type { AreaRows, PolicyOf } from '../line.ts'
import { rights } from '../rights.ts'

export const membershipRights = {
  seeMemberships: right(
    'See memberships, their terms and applications',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   -    -     -
     officer         x   x    x     -
     finance         .   x    x     x
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  manageMemberships: right(
    'Approve, renew and change memberships of others',
    `                west below east org
     officer         x    x     -    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  withdrawTransfers: right(
    'Withdraw transfers that they asked for',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   -    -     -
     officer         x   -    -     -`,
  ),
  manageMembershipTypes: right(
    'Keep membership types, and run what the calendar does',
    `                west below east org
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
}
const { seeMemberships, manageMemberships, manageMembershipTypes, withdrawTransfers } = membershipRights

export const membershipKinds = { membership: seeMemberships, membershipType: rights.account }

export const membershipRows: AreaRows = async ({ add, run, orgId, chapterId, canary, people }) => {
  const type = (name: string) =>
    add('membership_types', { org_id: orgId, name, period: 'rolling', months: 12, price_amount: 6000, price_currency: 'EUR' })
  const typeId = await type(canary('membershipType'))
  const otherTypeId = await type(`Other ${canary('membershipType')}`)
  const freeTypeId = await type(`Third ${canary('membershipType')}`)
  const dates = { starts_on: '2020-01-01', ends_on: '2090-12-31', grace_until: '2091-01-30', paid_on: '2020-01-01' }
  const held = async (person: string | undefined, status: string, of: string, more: Record<string, unknown> = {}) =>
    add('memberships', {
      org_id: orgId,
      person_id: person,
      type_id: of,
      chapter_id: chapterId,
      status,
      reason: canary('membership'),
      ...more,
    })
  const heldId = await held(people.personId, 'active', typeId, dates)
  const settled = { status: 'settled', starts_on: dates.starts_on, ends_on: dates.ends_on, settled_on: dates.paid_on }
  const term = { org_id: orgId, period: 'rolling', months: 12, price_amount: 6000, price_currency: 'EUR' }
  await add('membership_terms', { ...term, ...settled, membership_id: heldId, person_id: people.personId })
  const pausedId = await held(people.personId, 'suspended', otherTypeId, dates)
  await add('membership_terms', { ...term, ...settled, membership_id: pausedId, person_id: people.personId })
  await run(
    `insert into app.lifecycle_overrides (org_id, person_id, lifecycle, until, reason) values ($1, $2, 'alumni', '2099-12-31', $3)`,
    [orgId, people.personId, canary('membership')],
  )
  const targetChapterId = await add('chapters', {
    org_id: orgId,
    parent_id: chapterId,
    name: canary('chapter'),
    code: `t-${canary('chapter').slice(-12)}`,
  })
  return {
    targetChapterId,
    transferId: await add('transfers', {
      org_id: orgId,
      person_id: people.personId,
      from_chapter_id: chapterId,
      to_chapter_id: targetChapterId,
      moves_on: '2099-12-31',
      note: canary('membership'),
    }),
    typeId,
    otherTypeId,
    freeTypeId,
    archivedTypeId: await add('membership_types', {
      org_id: orgId,
      name: `Archived ${canary('membershipType')}`,
      period: 'lifetime',
      price_amount: 0,
      price_currency: 'EUR',
      archived_at: new Date(),
    }),
    heldId,
    pausedId,
    leavingId: await held(people.otherPersonId, 'active', otherTypeId, { ...dates, leaves_on: '2090-12-31' }),
    appliedId: await held(people.blankPersonId, 'awaiting_approval', typeId),
    // An override that is over, for the run to end.
    unpaidId: await held(people.otherPersonId, 'awaiting_payment', typeId, {
      override_status: 'active',
      override_until: '2021-01-01',
      override_reason: canary('membership'),
    }),
  }
}

const held = { membershipId: 'heldId' }
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
export const membershipPolicy: PolicyOf<typeof membershipData> = {
  types: {
    list: may(rights.account, { shows: ['membershipType'] }),
    create: may(manageMembershipTypes),
    update: may(manageMembershipTypes, { send: { graceDays: 14 } }),
    preview: may(manageMembershipTypes, { send: { graceDays: 14 }, changesNothing: true }),
    archive: may(manageMembershipTypes),
    restore: may(manageMembershipTypes, { ids: { typeId: 'archivedTypeId' } }),
  },
  lifecycles: {
    list: may(rights.account, { shows: ['membership'] }),
    end: may(manageMemberships),
  },
  transfers: {
    list: may(rights.account, { shows: ['membership'] }),
    ofPerson: may(rights.seePeople),
    request: may(manageMemberships, { send: { personId: '$blankPersonId', toChapterId: '$targetChapterId', movesOn: tomorrow, note: '' } }),
    approve: may(manageMemberships),
    reject: may(manageMemberships, { send: { reason: 'No room' } }),
    withdraw: may(withdrawTransfers),
  },
  list: may(rights.account, { shows: ['membership'] }),
  ofPerson: may(rights.seePeople),
  mine: may(rights.account),
  get: may(seeMemberships, { ids: held, shows: ['membership'] }),
  apply: may(rights.account, { send: { typeId: '$freeTypeId', chapterId: null } }),
  add: may(manageMemberships, { send: { personId: '$blankPersonId', typeId: '$otherTypeId', chapterId: '$chapterId' } }),
  update: may(manageMemberships, { ids: held, send: { autoRenew: false } }),
  preview: may(manageMemberships, { ids: held, send: { typeId: '$freeTypeId' }, changesNothing: true }),
  approve: may(manageMemberships, { ids: { membershipId: 'appliedId' } }),
  decline: may(manageMemberships, { ids: { membershipId: 'appliedId' }, send: { reason: 'No room' } }),
  withdraw: may(manageMemberships, { ids: { membershipId: 'unpaidId' } }),
  renew: may(manageMemberships, { ids: held }),
  cancel: may(manageMemberships, { ids: held, send: { reason: 'Moved away' } }),
  keep: may(manageMemberships, { ids: { membershipId: 'leavingId' } }),
  figures: may(rights.account),
  suspend: may(manageMemberships, { ids: held, send: { reason: 'On leave' } }),
  resume: may(manageMemberships, { ids: { membershipId: 'pausedId' } }),
  override: may(manageMemberships, {
    ids: held,
    send: { override: { status: 'active', until: '2099-12-31', reason: 'Agreed by the board' } },
  }),
  run: may(manageMembershipTypes),
}
