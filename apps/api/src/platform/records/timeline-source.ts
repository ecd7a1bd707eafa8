import type { TimelineKind } from '@guildhall/contract/features/timeline'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'

/** Rows of a feature that tell what happened to people: pieces of one SELECT, of which row-level security leaves what the reader may see. */
export type TimelineSource = {
  /** What its rows may tell, all of one category; `kind` says which of them a row does, where there are several. */
  kinds: readonly [TimelineKind, ...TimelineKind[]]
  kind?: RawBuilder<string>
  from: RawBuilder<unknown>
  where?: RawBuilder<SqlBool>
  /** Column with the person's id; with the column of `at` it is the beginning of an index. */
  person: RawBuilder<unknown>
  /** Tells the rows of one person and kind apart. */
  id: RawBuilder<unknown>
  /** Columns: the instant, or the calendar day where no more is known. */
  when: { at: RawBuilder<unknown> } | { day: RawBuilder<unknown> }
  /** As JSON: id and name of the record it is about, `personRef` of who did it, texts by name. */
  subject?: RawBuilder<unknown>
  actor?: RawBuilder<unknown>
  params?: RawBuilder<unknown>
}

type Span = Omit<TimelineSource, 'kinds' | 'kind' | 'when'> & {
  began: TimelineKind
  ended: TimelineKind
  startsOn: RawBuilder<unknown>
  endsOn: RawBuilder<unknown>
}

/** A dated row tells of its first and of its last day. Both in one branch: what policies cost is paid for each branch. */
export const spanSource = ({ began, ended, from, startsOn, endsOn, ...same }: Span): TimelineSource => ({
  ...same,
  kinds: [began, ended],
  kind: sql`d.kind`,
  from: sql`${from} cross join lateral (values (${sql.lit(began)}, ${startsOn}), (${sql.lit(ended)}, ${endsOn})) d (kind, day)`,
  when: { day: sql`d.day` },
})

/** `subject` of an entry: id and name of a row. */
export const subjectOf = (id: RawBuilder<unknown>, name: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`json_build_object('id', ${id}, 'name', ${name})`
