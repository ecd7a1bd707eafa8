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
  manageMembershipTypes: right(
    'Keep membership types, and run what the calendar does',
    `                west below east org
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
}
const { seeMemberships, manageMemberships, manageMembershipTypes } = membershipRights

export const membershipKinds = { membership: seeMemberships, membershipType: rights.account }

export const membershipRows: AreaRows = async ({ add, orgId, chapterId, canary, people }) => {
  const type = (name: string) =>
    add('membership_types', { org_id: orgId, name, period: 'rolling', months: 12, price_amount: 6000, price_currency: 'EUR' })
  const typeId = await type(canary('membershipType'))
  const otherTypeId = await type(`Other ${canary('membershipType')}`)
  const freeTypeId = await type(`Third ${canary('membershipType')}`)
  const run = { starts_on: '2020-01-01', ends_on: '2090-12-31', grace_until: '2091-01-30', paid_on: '2020-01-01' }
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
  const heldId = await held(people.personId, 'active', typeId, run)
  const settled = { status: 'settled', starts_on: run.starts_on, ends_on: run.ends_on, settled_on: run.paid_on }
  const term = { org_id: orgId, period: 'rolling', months: 12, price_amount: 6000, price_currency: 'EUR' }
  await add('membership_terms', { ...term, ...settled, membership_id: heldId, person_id: people.personId })
  const pausedId = await held(people.personId, 'suspended', otherTypeId, run)
  await add('membership_terms', { ...term, ...settled, membership_id: pausedId, person_id: people.personId })
  return {
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
export const membershipPolicy: PolicyOf<typeof membershipData> = {
  types: {
    list: may(rights.account, { shows: ['membershipType'] }),
    create: may(manageMembershipTypes),
    update: may(manageMembershipTypes, { send: { graceDays: 14 } }),
    archive: may(manageMembershipTypes),
    restore: may(manageMembershipTypes, { ids: { typeId: 'archivedTypeId' } }),
  },
  list: may(rights.account, { shows: ['membership'] }),
  ofPerson: may(rights.seePeople),
  mine: may(rights.account),
  get: may(seeMemberships, { ids: held, shows: ['membership'] }),
  apply: may(rights.account, { send: { typeId: '$freeTypeId', chapterId: null } }),
  add: may(manageMemberships, { send: { personId: '$blankPersonId', typeId: '$otherTypeId', chapterId: '$chapterId' } }),
  update: may(manageMemberships, { ids: held, send: { autoRenew: false } }),
  approve: may(manageMemberships, { ids: { membershipId: 'appliedId' } }),
  decline: may(manageMemberships, { ids: { membershipId: 'appliedId' }, send: { reason: 'No room' } }),
  withdraw: may(manageMemberships, { ids: { membershipId: 'unpaidId' } }),
  renew: may(manageMemberships, { ids: held }),
  cancel: may(manageMemberships, { ids: held, send: { reason: 'Moved away' } }),
  suspend: may(manageMemberships, { ids: held, send: { reason: 'On leave' } }),
  resume: may(manageMemberships, { ids: { membershipId: 'pausedId' } }),
  override: may(manageMemberships, {
    ids: held,
    send: { override: { status: 'active', until: '2099-12-31', reason: 'Agreed by the board' } },
  }),
  run: may(manageMembershipTypes),
}
