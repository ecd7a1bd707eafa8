import { randomUUID } from 'node:crypto'
import type { linesActions, linesData } from '@guildhall/contract/features/relationships.lines'
import type { relationshipsData } from '@guildhall/contract/features/relationships'
import { right } from '../grid.ts'
import { may } from '../line.ts'
import type { AreaRows, PolicyOf } from '../line.ts'
import { rights } from '../rights.ts'
import { linesActionsPolicy, linesPolicy, linesRights, linesRows } from './relationships/lines.ts'

export const relationshipsRights = {
  ...linesRights,
  /** Of either of the two people; of guardians only with the right to see minors as well. */
  seeRelationships: right(
    'See relationships: lineages, mentors, recruiters, households',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   -    -     -
     officer         x   x    x     -
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  seeGuardians: right(
    'See who is guardian of whom',
    `                west below east
     admin           x    x     x
     owner           x    x     x`,
  ),
  manageRelationships: right(
    'Record, verify and end relationships of others, and answer proposals',
    `                west below east
     officer         x    x     -
     admin           x    x     x
     owner           x    x     x`,
  ),
  manageRelationshipTypes: right(
    'Create, change and archive types of relationships',
    `                west below east org
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
}
const { seeRelationships, seeGuardians, manageRelationships, manageRelationshipTypes } = relationshipsRights

export const relationshipsKinds = { relationship: seeRelationships, guardianship: seeGuardians, relationshipType: rights.account }

export const relationshipsRows: AreaRows = async (place) => {
  const { add, run, orgId, chapterId, canary, people } = place
  const { personId, otherPersonId, blankPersonId } = people
  const type = (key: string, more: Record<string, unknown> = {}) =>
    add('relationship_types', {
      ...{ org_id: orgId, key: `${key}-${chapterId.slice(-12)}`, name: canary('relationshipType'), acyclic: false },
      ...{ forward_label: canary('relationshipType'), inverse_label: canary('relationshipType') },
      ...more,
    })
  const relationshipTypeId = await type('here')
  const relate = (typeId: string, from: string, to: string, more: Record<string, unknown> = {}) =>
    add('relationships', {
      ...{ org_id: orgId, type_id: typeId, from_person_id: from, to_person_id: to, note: canary('relationship') },
      ...more,
    })
  const relationshipId = await relate(relationshipTypeId, personId, otherPersonId)
  // A guardian of a child whom nobody else in the place is about.
  const childId = await add('people', { org_id: orgId, given_name: 'Kim', family_name: 'Under' })
  await add('affiliations', { org_id: orgId, person_id: childId, chapter_id: chapterId, starts_on: '2020-01-01', is_primary: true })
  await add('person_private', { org_id: orgId, person_id: childId, birth_date: '2018-05-05' })
  await run(
    `insert into app.relationships (org_id, type_id, from_person_id, to_person_id, note)
     select $1, t.id, $2, $3, $4 from app.relationship_types t where t.org_id = $1 and t.key = 'guardian'`,
    [orgId, otherPersonId, childId, canary('guardianship')],
  )
  return {
    ...(await linesRows(place)),
    ...{ relationshipTypeId, relationshipId },
    archivedRelationshipTypeId: await type('old', { archived_at: new Date() }),
    proposedRelationshipId: await relate(relationshipTypeId, otherPersonId, blankPersonId, { state: 'proposed' }),
    endedRelationshipId: await relate(relationshipTypeId, blankPersonId, personId, { state: 'ended', ends_on: '2026-01-05' }),
  }
}

/** One of somebody of the cast themselves. */
export async function ownRelationship(
  run: Parameters<AreaRows>[0]['run'],
  row: { orgId: string; personId: string; otherPersonId: string; note: string },
): Promise<string> {
  const id = randomUUID()
  await run(
    `insert into app.relationships (org_id, id, type_id, from_person_id, to_person_id, note)
     select $1, $2, t.id, $3, $4, $5 from app.relationship_types t where t.org_id = $1 and t.key = 'household'`,
    [row.orgId, id, row.otherPersonId, row.personId, row.note],
  )
  return id
}

const proposed = { ids: { relationshipId: 'proposedRelationshipId' } }
export const relationshipsPolicy: PolicyOf<typeof relationshipsData & { lines: typeof linesData }> = {
  lines: linesPolicy,
  types: may(rights.account, { shows: ['relationshipType'] }),
  createType: may(manageRelationshipTypes, { send: { key: 'patron', name: 'Patron', forwardLabel: 'Patron', inverseLabel: 'Protégé' } }),
  updateType: may(manageRelationshipTypes, { send: { name: 'Patrons' } }),
  archiveType: may(manageRelationshipTypes),
  restoreType: may(manageRelationshipTypes, { ids: { relationshipTypeId: 'archivedRelationshipTypeId' } }),
  list: may(rights.account, { shows: ['relationship', 'guardianship'] }),
  get: may(seeRelationships, { shows: ['relationship'] }),
  graph: may(rights.seePeople),
  create: may(manageRelationships, { send: { typeId: '$relationshipTypeId', fromPersonId: '$personId', toPersonId: '$blankPersonId' } }),
  update: may(manageRelationships, { send: { startsOn: '2024-10-01' } }),
  accept: may(manageRelationships, proposed),
  reject: may(manageRelationships, proposed),
  verify: may(manageRelationships),
  end: may(manageRelationships, { send: { endsOn: '2026-01-20' } }),
  reopen: may(manageRelationships, { ids: { relationshipId: 'endedRelationshipId' } }),
  family: may(rights.account),
}
export const relationshipsActionsPolicy: PolicyOf<{ lines: typeof linesActions }> = { lines: linesActionsPolicy }
