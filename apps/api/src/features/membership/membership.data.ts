import type { HeldMembershipDetail, MembershipType } from '@guildhall/contract/features/membership'
import type { ActorDb } from '@guildhall/db'
import { listPage } from '../../platform/lists/list-page.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import type { Settlements } from '../../platform/settlements.ts'
import { readOne } from '../../platform/records/statement.ts'
import { draftInvoice, invoiceOf, issueInvoice, voidInvoice } from '../finance/finance.public.ts'
import {
  archiveType,
  becomePerson,
  chapterStatus,
  choosableTypesQuery,
  countTypes,
  findHeld,
  findType,
  insertHeld,
  insertType,
  isHeld,
  lifecycleOf,
  lockHeld,
  mayChoose,
  membershipQuery,
  membershipsList,
  membershipsOfPersonQuery,
  myMembershipsQuery,
  openTerm,
  personQuery,
  runMemberships,
  termToCharge,
  termsOf,
  today,
  typeNameTaken,
  typesLimit,
  typesQuery,
  updateHeld,
  updateType,
} from './membership.queries.ts'
import { faultOfPeriod, membershipAfter } from './membership.rules.ts'
import type { MembershipEvent } from './membership.rules.ts'

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

const nameFault = fault('name', 'membership_type_name_taken', 'Another membership type has this name. Choose another.')

function checkPeriod(type: Pick<MembershipType, 'period' | 'months' | 'startsMonth' | 'startsDay'>) {
  const wrong = faultOfPeriod(type)
  if (wrong) throw problem('UNPROCESSABLE_CONTENT', fault(wrong.path, wrong.reason, wrong.message))
}

export const membershipData = membership.router({
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
      return begin(db, context, { ...input, personId }, type, type.needsApproval ? 'awaiting_approval' : 'awaiting_payment')
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
    context.inTx(async (db) => {
      const held = mustFind(await lockHeld(db, membershipId))
      if (change.autoRenew !== undefined && !held.may.autoRenew) throw problem('FORBIDDEN')
      if ((change.typeId !== undefined || change.chapterId !== undefined) && !held.may.change) throw problem('FORBIDDEN')
      if (change.typeId !== undefined && change.typeId !== held.type.id) {
        const type = await typeToTake(db, change.typeId)
        if (await isHeld(db, held.person.id, type.id)) throw problem('CONFLICT', heldFault)
      }
      if (change.chapterId !== undefined) await checkChapter(db, change.chapterId)
      return updateHeld(db, membershipId, context.ifMatch, change)
    }),
  ),

  approve: membership.approve.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await move(db, input.membershipId, context, { happens: 'approved' }, { decidedBy: context.actor.accountId })
      await openAndCharge(db, context, input.membershipId)
      return mustFind(await findHeld(db, input.membershipId))
    }),
  ),
  decline: membership.decline.handler(({ input, context }) =>
    context.inTx((db) =>
      move(db, input.membershipId, context, { happens: 'declined' }, { decidedBy: context.actor.accountId, reason: input.reason }),
    ),
  ),
  withdraw: membership.withdraw.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const withdrawn = await move(db, input.membershipId, context, { happens: 'withdrawn' })
      await voidOpen(db, context.actor.orgId, input.membershipId, 'Application withdrawn')
      return withdrawn
    }),
  ),

  renew: membership.renew.handler(({ input, context }) =>
    context.inTx(async (db) => {
      mustFind(await lockHeld(db, input.membershipId))
      await openAndCharge(db, context, input.membershipId)
      return mustFind(await findHeld(db, input.membershipId))
    }),
  ),

  cancel: membership.cancel.handler(({ input, context }) =>
    context.inTx((db) => move(db, input.membershipId, context, { happens: 'cancelled' }, { reason: input.reason })),
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

  run: membership.run.handler(({ context }) =>
    context.inTx(async (db) => runMemberships(db, context.actor.orgId, await today(db)), { statementTimeoutMs: 120_000 }),
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
  return mustFind(await findHeld(db, id))
}

type Charging = { actor: { orgId: string; accountId: string }; settlements: Settlements }

/** The next term with its invoice; both are there once however often they are asked for. A free term is settled at once. */
async function openAndCharge(db: ActorDb, { actor: { orgId }, settlements }: Charging, membershipId: string) {
  const { term, amount, currency } = await openTerm(db, membershipId)
  if (amount === 0) return
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
}

/** Of an application that comes to nothing, nothing is owed any more. */
async function voidOpen(db: ActorDb, orgId: string, membershipId: string, reason: string) {
  const open = (await termsOf(db, membershipId)).find(({ status }) => status === 'open')
  const invoice = open && (await invoiceOf(db, orgId, { type: 'membership_term', id: open.id }))
  if (invoice && invoice.state !== 'void') await voidInvoice(db, orgId, invoice.id, reason)
}

type Caller = { ifMatch: number; actor: { accountId: string } }

/** What somebody does to a membership, as far as the rules let it happen and `may` says it is theirs to do. */
async function move(
  db: ActorDb,
  membershipId: string,
  context: Caller,
  event: MembershipEvent & { happens: 'approved' | 'declined' | 'withdrawn' | 'cancelled' | 'suspended' | 'resumed' },
  more: { decidedBy?: string; reason?: string } = {},
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
