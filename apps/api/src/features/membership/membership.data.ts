import type {
  HeldMembershipDetail,
  MembershipChangePreview,
  MembershipType,
  MembershipTypePreview,
} from '@guildhall/contract/features/membership'
import { daysFrom } from '@guildhall/contract/moments'
import type { ActorDb } from '@guildhall/db'
import { listPage } from '../../platform/lists/list-page.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import type { Settlements } from '../../platform/settlements.ts'
import { readOne } from '../../platform/records/statement.ts'
import { draftInvoice, issueInvoice, mailInvoices } from '../finance/finance.public.ts'
import { lifecyclesData } from './lifecycles/membership.lifecycles.data.ts'
import {
  archiveType,
  becomePerson,
  chapterStatus,
  chargePortion,
  choosableTypesQuery,
  countTypes,
  endLifecycleOverrides,
  endMemberships,
  figuresQuery,
  findHeld,
  findType,
  insertHeld,
  insertType,
  isHeld,
  isPaused,
  lifecycleOf,
  lockHeld,
  mayChoose,
  maySwitch,
  membershipQuery,
  membershipsList,
  membershipsOfPersonQuery,
  myMembershipsQuery,
  openTerm,
  outlookOf,
  personQuery,
  runPortion,
  takenBack,
  tellOfApplication,
  tellOfEnd,
  termToCharge,
  termsOf,
  today,
  renewalsOf,
  typeInUse,
  typeNameTaken,
  typesLimit,
  typesQuery,
  unpaidInvoicesOf,
  updateHeld,
  updateType,
} from './membership.queries.ts'
import { faultOfPeriod, membershipAfter } from './membership.rules.ts'
import type { MembershipEvent } from './membership.rules.ts'
import { transfersData } from './membership.transfers.data.ts'
import { runTransfers } from './membership.transfers.queries.ts'

const { membership } = data

const types = membership.types.router({
  list: membership.types.list.handler(async ({ input, context }) => ({
    items: (await context.read(typesQuery(input.archived ?? false))).map(({ item }) => item),
  })),

  create: membership.types.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const { period, months = null, startsMonth = null, startsDay = null } = input
      checkPeriod({ period, months, startsMonth, startsDay })
      if (await typeNameTaken(db, input.name, null)) throw problem('CONFLICT', nameFault)
      if ((await countTypes(db)) >= typesLimit)
        throw problem('CONFLICT', {
          reason: 'membership_types_limit',
          detail: `An organisation has at most ${typesLimit} membership types.`,
        })
      return mustFind(await findType(db, await insertType(db, context.actor, input)))
    }),
  ),

  update: membership.types.update.handler(({ input: { typeId, ...change }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findType(db, typeId))
      checkPeriod({ ...before, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) })
      if (change.name !== undefined && (await typeNameTaken(db, change.name, typeId))) throw problem('CONFLICT', nameFault)
      return updateType(db, typeId, context.ifMatch, change)
    }),
  ),

  // Done for real and taken back: what is said comes from the same rules that a change goes through.
  preview: membership.types.preview.handler(({ input: { typeId, ...change }, context }) =>
    trial<MembershipTypePreview>(context.inTx, async (db) => {
      const type = mustFind(await findType(db, typeId))
      checkPeriod({ ...type, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) })
      const before = await renewalsOf(db, typeId)
      const changed = await updateType(db, typeId, type.version, change)
      const after = await renewalsOf(db, typeId)
      return { before, after, currencies: { before: type.price.currency, after: changed.price.currency }, ...(await typeInUse(db, typeId)) }
    }),
  ),

  archive: membership.types.archive.handler(({ input, context }) =>
    context.inTx((db) => archiveType(db, input.typeId, context.ifMatch, true)),
  ),
  restore: membership.types.restore.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const type = mustFind(await findType(db, input.typeId))
      if (await typeNameTaken(db, type.name, type.id)) throw problem('CONFLICT', nameFault)
      return archiveType(db, input.typeId, context.ifMatch, false)
    }),
  ),
})

type InTx = <Found>(work: (db: ActorDb) => Promise<Found>, limits: { statementTimeoutMs: number }) => Promise<Found>
const trial = <Found>(inTx: InTx, work: (db: ActorDb) => Promise<Found>): Promise<Found> =>
  inTx((db) => takenBack(db, () => work(db)), { statementTimeoutMs: 10_000 })

const nameFault = fault('name', 'membership_type_name_taken', 'Another membership type has this name. Choose another.')

function checkPeriod(type: Pick<MembershipType, 'period' | 'months' | 'startsMonth' | 'startsDay'>) {
  const wrong = faultOfPeriod(type)
  if (wrong) throw problem('UNPROCESSABLE_CONTENT', fault(wrong.path, wrong.reason, wrong.message))
}

export const membershipData = membership.router({
  lifecycles: lifecyclesData,
  transfers: transfersData,
  types,

  list: membership.list.handler(({ input, context }) => listPage(context, membershipsList(input), input)),

  ofPerson: membership.ofPerson.handler(async ({ input, context }) => {
    const { mayAdd } = await readOne(context, personQuery(input.personId))
    return { items: (await context.read(membershipsOfPersonQuery(input.personId))).map(({ item }) => item), may: { add: mayAdd } }
  }),

  mine: membership.mine.handler(async ({ context }) => ({
    items: (await context.read(myMembershipsQuery())).map(({ item }) => item),
    types: (await context.read(choosableTypesQuery())).map(({ item }) => item),
  })),

  get: membership.get.handler(async ({ input, context }) => (await readOne(context, membershipQuery(input.membershipId))).item),

  apply: membership.apply.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const type = await typeToTake(db, input.typeId)
      if (!(await mayChoose(db, type.id)))
        throw problem('UNPROCESSABLE_CONTENT', fault('typeId', 'membership_type_closed', 'This membership type cannot be chosen.'))
      await checkChapter(db, input.chapterId)
      const personId = mustFind(await becomePerson(db))
      const isDecided = type.needsApproval || (await isPaused(db, personId))
      return begin(db, context, { ...input, personId }, type, isDecided ? 'awaiting_approval' : 'awaiting_payment')
    }),
  ),

  add: membership.add.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const person = await lifecycleOf(db, input.personId)
      if (!person) throw problem('UNPROCESSABLE_CONTENT', fault('personId', 'person_not_found', 'There is no such person.'))
      const type = await typeToTake(db, input.typeId)
      await checkChapter(db, input.chapterId)
      return begin(db, context, { ...input, answers: [] }, type, 'awaiting_payment')
    }),
  ),

  update: membership.update.handler(({ input: { membershipId, ...change }, context }) =>
    context.inTx((db) => changeHeld(db, context, membershipId, change)),
  ),

  // Done for real and taken back, as it is for types.
  preview: membership.preview.handler(({ input: { membershipId, ...change }, context }) =>
    trial<MembershipChangePreview>(context.inTx, async (db) => {
      const held = mustFind(await findHeld(db, membershipId))
      const before = await outlookOf(db, membershipId)
      const unpaid = await unpaidInvoicesOf(db, membershipId)
      await changeHeld(db, { ...context, ifMatch: held.version }, membershipId, change)
      const still = new Set((await unpaidInvoicesOf(db, membershipId)).map(({ id }) => id))
      return {
        before,
        after: await outlookOf(db, membershipId),
        invoices: unpaid.map(({ id, number, total, currency, paid }) => ({
          number,
          total: { amount: total, currency },
          paid,
          effect: still.has(id) ? 'stays' : 'void',
        })),
      }
    }),
  ),

  approve: membership.approve.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await move(db, input.membershipId, context, { happens: 'approved' }, { decidedBy: context.actor.accountId })
      await openAndCharge(db, context, input.membershipId)
      await tellOfApplication(db, context.actor.orgId, input.membershipId, 'approved')
      return mustFind(await findHeld(db, input.membershipId))
    }),
  ),
  decline: membership.decline.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const reason = { decidedBy: context.actor.accountId, reason: input.reason }
      const declined = await move(db, input.membershipId, context, { happens: 'declined' }, reason)
      await tellOfApplication(db, context.actor.orgId, input.membershipId, 'declined')
      return declined
    }),
  ),
  withdraw: membership.withdraw.handler(({ input, context }) =>
    context.inTx((db) => move(db, input.membershipId, context, { happens: 'withdrawn' })),
  ),

  renew: membership.renew.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const { leavesOn } = mustFind(await lockHeld(db, input.membershipId))
      if (leavesOn)
        throw problem('CONFLICT', {
          reason: 'membership_leaving',
          detail: 'This membership has been cancelled for a later day. Keep it first.',
        })
      await openAndCharge(db, context, input.membershipId)
      return mustFind(await findHeld(db, input.membershipId))
    }),
  ),

  cancel: membership.cancel.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const { membershipId, reason, lastDay } = input
      const ended =
        lastDay === undefined ? await move(db, membershipId, context, { happens: 'cancelled' }, { reason, leavesOn: null }) : await leave()
      await tellOfEnd(db, membershipId)
      return ended

      async function leave() {
        const held = mustFind(await lockHeld(db, membershipId))
        if (!held.may.cancel) throw problem('FORBIDDEN')
        return updateHeld(db, membershipId, context.ifMatch, { leavesOn: lastDay ?? null, autoRenew: false, reason })
      }
    }),
  ),
  keep: membership.keep.handler(({ input: { membershipId }, context }) =>
    context.inTx(async (db) => {
      const held = mustFind(await lockHeld(db, membershipId))
      if (held.leavesOn === null)
        throw problem('CONFLICT', { reason: 'membership_move', detail: 'This membership has not been cancelled for a later day.' })
      if (!held.may.keep) throw problem('FORBIDDEN')
      return updateHeld(db, membershipId, context.ifMatch, { leavesOn: null, reason: '' })
    }),
  ),
  suspend: membership.suspend.handler(({ input, context }) =>
    context.inTx((db) => move(db, input.membershipId, context, { happens: 'suspended' }, { reason: input.reason })),
  ),
  resume: membership.resume.handler(({ input, context }) =>
    context.inTx((db) => move(db, input.membershipId, context, { happens: 'resumed' })),
  ),

  override: membership.override.handler(({ input: { membershipId, override }, context }) =>
    context.inTx(async (db) => {
      const held = mustFind(await lockHeld(db, membershipId))
      if (!held.may.change) throw problem('FORBIDDEN')
      if (override && override.until < (await today(db)))
        throw problem('UNPROCESSABLE_CONTENT', fault('override.until', 'dates', 'Enter today or a later day.'))
      return updateHeld(db, membershipId, context.ifMatch, { override })
    }),
  ),

  // As much as there is time for; the rest is a job.
  figures: membership.figures.handler(({ input, context }) => readOne(context, figuresQuery(input.chapterId))),

  run: membership.run.handler(({ context }) =>
    context.inTx(
      async (db) => {
        const { orgId } = context.actor
        const on = await today(db)
        await runTransfers(db, orgId, on)
        await endMemberships(db, orgId, on)
        const { after: _, isLast, ...done } = await runPortion(db, orgId, on, null)
        await endLifecycleOverrides(db, orgId, on)
        const continues = !isLast || !(await chargePortion(db, orgId, null)).isLast
        if (continues) await context.services.jobs.send(db, 'memberships', { org: orgId, on })
        return { ...done, continues }
      },
      { statementTimeoutMs: 30_000 },
    ),
  ),
})

const heldFault = { reason: 'membership_held', detail: 'This person has a membership of this type already.' } as const

async function typeToTake(db: ActorDb, typeId: string): Promise<MembershipType> {
  const type = await findType(db, typeId)
  if (!type) throw problem('UNPROCESSABLE_CONTENT', fault('typeId', 'membership_type_closed', 'This membership type cannot be chosen.'))
  if (type.archivedAt)
    throw problem('CONFLICT', fault('typeId', 'membership_type_archived', 'This membership type is archived. Choose another.'))
  return type
}

async function checkChapter(db: ActorDb, chapterId: string | null) {
  if (chapterId === null) return
  const status = await chapterStatus(db, chapterId)
  if (status === undefined) throw problem('UNPROCESSABLE_CONTENT', fault('chapterId', 'chapter_not_found', 'There is no such chapter.'))
  if (status === 'closed') throw problem('CONFLICT', fault('chapterId', 'chapter_closed', 'This chapter is closed.'))
}

type Change = { autoRenew?: boolean | undefined; typeId?: string | undefined; chapterId?: string | null | undefined }

/** What is charged for the next term already is charged anew where the type is another one; the database voids it unless somebody has begun to pay. */
async function changeHeld(
  db: ActorDb,
  context: Charging & { ifMatch: number },
  membershipId: string,
  change: Change,
): Promise<HeldMembershipDetail> {
  const held = mustFind(await lockHeld(db, membershipId))
  const { may } = held
  if (change.autoRenew !== undefined && !may.autoRenew) throw problem('FORBIDDEN')
  if ((change.typeId !== undefined && !may.changeType) || (change.chapterId !== undefined && !may.change)) throw problem('FORBIDDEN')
  const type = change.typeId === undefined || change.typeId === held.type.id ? undefined : await typeToTake(db, change.typeId)
  if (type) {
    if (await isHeld(db, held.person.id, type.id)) throw problem('CONFLICT', heldFault)
    if (!may.change && !(await maySwitch(db, membershipId, type.id)))
      throw problem('UNPROCESSABLE_CONTENT', fault('typeId', 'membership_type_closed', 'This membership type cannot be chosen.'))
  }
  if (change.chapterId !== undefined) await checkChapter(db, change.chapterId)
  const changed = await updateHeld(db, membershipId, context.ifMatch, change)
  const isReleased = type !== undefined && held.owed !== null && changed.owed === null
  // Before its time the calendar opens it.
  const isDue = may.change || held.endsOn === null || daysFrom(held.endsOn, -(type?.renewalDays ?? 0)) <= (await today(db))
  if (!isReleased || !isDue || !renewable.includes(changed.status)) return changed
  await openAndCharge(db, context, membershipId)
  return mustFind(await findHeld(db, membershipId))
}
const renewable: readonly HeldMembershipDetail['status'][] = ['awaiting_payment', 'active', 'grace', 'lapsed']

/** Applies; where nobody has to approve it, the first term is open at once, and settled at once when it is free. */
async function begin(
  db: ActorDb,
  context: Charging,
  wanted: Omit<Parameters<typeof insertHeld>[2], 'status'>,
  type: MembershipType,
  status: 'awaiting_approval' | 'awaiting_payment',
): Promise<HeldMembershipDetail> {
  if (await isHeld(db, wanted.personId, type.id)) throw problem('CONFLICT', heldFault)
  const id = await insertHeld(db, context.actor, { ...wanted, status })
  if (status === 'awaiting_payment') await openAndCharge(db, context, id)
  await tellOfApplication(db, context.actor.orgId, id, 'received')
  return mustFind(await findHeld(db, id))
}

type Charging = { actor: { orgId: string; accountId: string }; settlements: Settlements }

/** The next term with its invoice; both are there once however often they are asked for. A free term is settled at once. */
async function openAndCharge(db: ActorDb, { actor: { orgId }, settlements }: Charging, membershipId: string) {
  const { term, amount, currency } = await openTerm(db, membershipId)
  if (amount === 0) return tellOfApplication(db, orgId, membershipId, 'welcome')
  const { personId, chapterId, shareBps, text } = mustFind(await termToCharge(db, term))
  const invoiceId = await draftInvoice(db, orgId, {
    owedBy: { personId },
    currency,
    reason: text,
    dedupeKey: `membership_term:${term}`,
    lines: [
      {
        text,
        amount,
        subject: { type: 'membership_term', id: term },
        share: chapterId !== null && shareBps > 0 ? { chapterId, bps: shareBps } : undefined,
      },
    ],
  })
  await issueInvoice(db, orgId, invoiceId, settlements)
  await mailInvoices(db, orgId, [invoiceId])
}

type Caller = { ifMatch: number; actor: { accountId: string } }

/** What somebody does to a membership, as far as the rules let it happen and `may` says it is theirs to do. */
async function move(
  db: ActorDb,
  membershipId: string,
  context: Caller,
  event: MembershipEvent & { happens: 'approved' | 'declined' | 'withdrawn' | 'cancelled' | 'suspended' | 'resumed' },
  more: { decidedBy?: string; reason?: string; leavesOn?: null } = {},
): Promise<HeldMembershipDetail> {
  const held = mustFind(await lockHeld(db, membershipId))
  const after = membershipAfter({ status: held.status, terms: await termsOf(db, membershipId) }, event, await today(db))
  if (!after)
    throw problem('CONFLICT', {
      reason: 'membership_move',
      detail: `This membership is ${held.status.replace('_', ' ')}, so it cannot be ${event.happens}.`,
    })
  const { may } = held
  const needed = {
    approved: may.decide,
    declined: may.decide,
    withdrawn: may.withdraw,
    cancelled: may.cancel,
    suspended: may.suspend,
    resumed: may.resume,
  }
  if (!needed[event.happens])
    throw problem('FORBIDDEN', {
      reason: 'membership_decided_above',
      detail: 'This is decided by another officer, or by the chapter above.',
    })
  return updateHeld(db, membershipId, context.ifMatch, { status: after.status, ...more })
}
