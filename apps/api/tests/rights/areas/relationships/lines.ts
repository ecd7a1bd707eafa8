import type { linesActions, linesData } from '@guildhall/contract/features/relationships.lines'
import { right } from '../../grid.ts'
import { may } from '../../line.ts'
import type { AreaRows, PolicyOf } from '../../line.ts'
import { rights } from '../../rights.ts'

export const linesRights = {
  /** Those without a person have no line of their own. */
  seeOwnLine: right(
    'See the own line: whom one descends from, and who descends from oneself',
    `                org
     former          x
     member          x
     leader          x
     officer         x`,
  ),
  /** What they show is as far as relationships and people are seen. */
  readLines: right(
    'Read the parent-child report: pairs, tops of lines, problems, statistics and files',
    `                org
     officer         x
     events          x
     finance         x
     communications  x
     admin           x
     owner           x`,
  ),
  seeLines: right(
    'See the lines of people: their trees, and the way between two people',
    `                west below east
     officer         x    x     -
     admin           x    x     x
     owner           x    x     x`,
  ),
}
const { seeOwnLine, readLines, seeLines } = linesRights

/** A link of the usual kind in each place. */
export const linesRows: AreaRows = async ({ run, orgId, people: { otherPersonId, blankPersonId } }) => {
  await run(
    `insert into app.relationships (org_id, type_id, from_person_id, to_person_id, starts_on)
     select $1, t.id, $2, $3, '2021-05-01' from app.relationship_types t where t.org_id = $1 and t.key = 'lineage'`,
    [orgId, otherPersonId, blankPersonId],
  )
  return {}
}

export const linesPolicy: PolicyOf<typeof linesData> = {
  tree: may(seeOwnLine),
  pairs: may(readLines),
  roots: may(readLines),
  problems: may(readLines),
  search: may(rights.account),
  path: may(seeLines, { ids: { fromId: 'otherPersonId', toId: 'blankPersonId' } }),
  statistics: may(readLines),
}

export const linesActionsPolicy: PolicyOf<typeof linesActions> = {
  file: may(readLines),
}
