import type { ReportSubject } from '@guildhall/contract/features/reports.subjects'
import { chapterSources } from './reports.chapters.queries.ts'
import { membershipSources } from './reports.membership.queries.ts'
import { messageSources } from './reports.messages.queries.ts'
import { moneySources } from './reports.money.queries.ts'
import { peopleSources } from './reports.people.queries.ts'
import { relationshipSources } from './reports.relationships.queries.ts'
import type { Condition, SourceField, SourceFrame, SourceMeasure, Sources, Sql } from './reports.sources.queries.ts'

const sources: Sources<ReportSubject> = {
  ...peopleSources,
  ...membershipSources,
  ...chapterSources,
  ...moneySources,
  ...messageSources,
  ...relationshipSources,
}

/** A subject whose fields and measures are asked for by names that somebody sent. */
export type AnySource = Omit<ReturnType<(typeof sources)[ReportSubject]>, 'fields' | 'measures' | 'where' | 'person'> & {
  fields: Record<string, SourceField>
  measures: Record<string, SourceMeasure>
  where: readonly Condition[]
  person?: Sql
}
export const sourceOf = (subject: ReportSubject, frame: SourceFrame): AnySource => sources[subject](frame)
