import type { Person } from '@guildhall/contract/features/people'
import type { ActorDb } from '@guildhall/db'
import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { mustTouch } from '../../../platform/records/update-record.ts'
import { archivedFault, externalIdFault, homeChapterFault, refuseClosed, sayingFields } from '../people.faults.rules.ts'
import { findPerson } from '../people.queries.ts'
import {
  addEntry,
  findEntry,
  removeEntry,
  removeExternalId,
  saveContact,
  saveExternalId,
  saveOfficeNote,
  savePrivate,
  updateEntry,
} from './people.reach.queries.ts'
import type { Channel, EntryChange } from './people.reach.queries.ts'
import { normalPhone } from '../people.rules.ts'

const { people } = data

/** The person to write to: there, neither archived nor read-only, and the caller's to change. */
async function writable(
  db: ActorDb,
  personId: string,
  right: 'editContact' | 'editSensitive' | 'editOfficeNote' | 'setDeath' | 'setMemberNo',
) {
  const person = mustFind(await findPerson(db, personId))
  // Families call: of somebody deceased, these two are still corrected.
  if (person.lifecycle !== 'deceased' || (right !== 'editOfficeNote' && right !== 'setDeath')) refuseClosed(person)
  if (!person.may[right])
    throw problem('FORBIDDEN', right === 'setMemberNo' ? (person.may.edit ? externalIdFault : {}) : deathFault(person, right))
  if (person.archivedAt) throw problem('CONFLICT', archivedFault)
}

/** Why the day of death is not the caller's to set, where the rest is. */
function deathFault({ may }: Person, right: string) {
  if (right !== 'setDeath' || !may.editSensitive) return {}
  return may.editSelf
    ? fault('deceasedOn', 'person_own_death', 'Nobody can change their own day of death.')
    : homeChapterFault('deceasedOn')
}

async function changeEntry<C extends Channel>(db: ActorDb, channel: C, named: { personId: string; entryId: string }, change: EntryChange) {
  await writable(db, named.personId, 'editContact')
  return mustTouch(await updateEntry(db, channel, named, change), () => findEntry(db, channel, named))
}

async function dropEntry(db: ActorDb, channel: Channel, named: { personId: string; entryId: string }) {
  await writable(db, named.personId, 'editContact')
  await mustTouch(await removeEntry(db, channel, named), () => findEntry(db, channel, named))
}

/** How to reach a person, and what is private about them. */
export const reach = {
  addEmail: people.addEmail.handler(({ input: { personId, address, ...email }, context }) =>
    sayingFields(() =>
      context.inTx(async (db) => {
        await writable(db, personId, 'editContact')
        return addEntry(db, 'email', context.actor.orgId, personId, { ...email, value: address })
      }),
    ),
  ),
  updateEmail: people.updateEmail.handler(({ input: { personId, emailId, address, ...change }, context }) =>
    sayingFields(() => context.inTx((db) => changeEntry(db, 'email', { personId, entryId: emailId }, { ...change, value: address }))),
  ),
  removeEmail: people.removeEmail.handler(({ input: { personId, emailId }, context }) =>
    context.inTx((db) => dropEntry(db, 'email', { personId, entryId: emailId })),
  ),
  addPhone: people.addPhone.handler(({ input: { personId, number, ...phone }, context }) =>
    sayingFields(() =>
      context.inTx(async (db) => {
        await writable(db, personId, 'editContact')
        return addEntry(db, 'phone', context.actor.orgId, personId, { ...phone, value: normalPhone(number) })
      }),
    ),
  ),
  updatePhone: people.updatePhone.handler(({ input: { personId, phoneId, number, ...change }, context }) =>
    sayingFields(() =>
      context.inTx((db) => changeEntry(db, 'phone', { personId, entryId: phoneId }, { ...change, value: number && normalPhone(number) })),
    ),
  ),
  removePhone: people.removePhone.handler(({ input: { personId, phoneId }, context }) =>
    context.inTx((db) => dropEntry(db, 'phone', { personId, entryId: phoneId })),
  ),
  updateContact: people.updateContact.handler(({ input: { personId, ...change }, context }) =>
    context.inTx(async (db) => {
      await writable(db, personId, 'editContact')
      return saveContact(db, context.actor.orgId, personId, change)
    }),
  ),
  updatePrivate: people.updatePrivate.handler(({ input: { personId, ...change }, context }) =>
    sayingFields(() =>
      context.inTx(async (db) => {
        const onlyDeath = change.deceasedOn !== undefined && change.birthDate === undefined && change.gender === undefined
        await writable(db, personId, onlyDeath ? 'setDeath' : 'editSensitive')
        return savePrivate(db, context.actor.orgId, personId, change)
      }),
    ),
  ),
  setOfficeNote: people.setOfficeNote.handler(({ input: { personId, note }, context }) =>
    context.inTx(async (db) => {
      await writable(db, personId, 'editOfficeNote')
      return saveOfficeNote(db, context.actor.orgId, personId, note)
    }),
  ),
  setExternalId: people.setExternalId.handler(({ input: { personId, system, externalId }, context }) =>
    sayingFields(() =>
      context.inTx(async (db) => {
        await writable(db, personId, 'setMemberNo')
        await saveExternalId(db, context.actor.orgId, personId, system, externalId)
        return { system, externalId }
      }),
    ),
  ),
  removeExternalId: people.removeExternalId.handler(({ input: { personId, system }, context }) =>
    context.inTx(async (db) => {
      await writable(db, personId, 'setMemberNo')
      if (!(await removeExternalId(db, personId, system))) throw problem('NOT_FOUND')
    }),
  ),
}
