import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ReportFieldKind, ReportSubject } from '@guildhall/contract/features/reports.subjects'
import { useApi } from '../../../platform/api/api.tsx'
import { named, useRecordSources } from '../../../platform/records/record-sources.ts'
import { useRights } from '../../../platform/session/session.ts'
import type { FilterField, Option } from '../../../ui/filter/filter.ts'
import { folded } from '../../../ui/filter/folded.ts'
import { useTagOptions } from '../../tags/tags-public.tsx'
import { fieldsOf } from '../reports-question.ts'
import { mayUseField } from '../reports-rights.ts'
import { fieldWord } from '../words/field-words.ts'
import { optionsOf } from '../words/option-words.ts'

type Source = Required<Pick<FilterField, 'search' | 'names'>>

const kept = 60_000
const shown = 20

/** How the records that fields name are found, by what they are records of. */
function useSources(): Readonly<Record<string, Source>> {
  const { data } = useApi()
  const cache = useQueryClient()
  const { chapters, groups, events } = useRecordSources()
  const { tags, tagNames } = useTagOptions()
  return useMemo(() => {
    /** Few enough to be read at once, and searched here. */
    const listed = (all: () => Promise<Option[]>): Source => ({
      search: async (q) => (await all()).filter(({ label }) => folded(label).includes(folded(q))).slice(0, shown),
      names: named(async (id) => (await all()).find(({ value }) => value === id)?.label ?? ''),
    })
    const { membership, fundraising, communication, relationships } = data
    return {
      chapter: chapters,
      group: groups,
      event: events,
      tag: { search: tags, names: tagNames },
      membershipType: listed(async () => {
        const { items } = await cache.query({ ...membership.types.list.queryOptions({ input: {} }), staleTime: kept })
        return items.map(({ id, name }) => ({ value: id, label: name }))
      }),
      fund: listed(async () => {
        const { items } = await cache.query({ ...fundraising.funds.list.queryOptions({ input: {} }), staleTime: kept })
        return items.map(({ id, name }) => ({ value: id, label: name }))
      }),
      topic: listed(async () => {
        const { items } = await cache.query({ ...communication.topics.list.queryOptions({ input: {} }), staleTime: kept })
        return items.map(({ id, name }) => ({ value: id, label: name }))
      }),
      relationshipType: listed(async () => {
        const { items } = await cache.query({ ...relationships.types.queryOptions({ input: {} }), staleTime: kept })
        return items.map(({ id, name }) => ({ value: id, label: name }))
      }),
      campaign: {
        search: async (q, signal) => {
          const { items } = await fundraising.list.call({ ...(q && { q, sort: 'match' }), limit: shown }, { signal })
          return items.map(({ id, name }) => ({ value: id, label: name }))
        },
        names: named(async (campaignId) => {
          const campaign = await cache.query({ ...fundraising.get.queryOptions({ input: { campaignId } }), staleTime: kept })
          return campaign.name
        }),
      },
    }
  }, [data, cache, chapters, groups, events, tags, tagNames])
}

const kinds: Record<ReportFieldKind, FilterField['kind']> = {
  choice: 'choice',
  record: 'record',
  chapter: 'record',
  day: 'date',
  number: 'number',
  yesNo: 'yesNo',
  text: 'text',
}

/** What a subject can be filtered by; what is about somebody's person only groups, so that no filter tells of a few. */
export function useSubjectFields(subject: ReportSubject): readonly FilterField[] {
  const sources = useSources()
  const can = useRights()
  // As one text, so that the fields stay the same until the rights change.
  const open = Object.entries(fieldsOf(subject))
    .flatMap(([id, { sensitive }]) => (!sensitive && mayUseField(subject, id, can) ? [id] : []))
    .join()
  return useMemo(
    () =>
      Object.entries(fieldsOf(subject))
        .filter(([id]) => open.split(',').includes(id))
        .map(([id, field]): FilterField => {
          const source = sources[field.kind === 'chapter' ? 'chapter' : (field.of ?? '')]
          return {
            id,
            label: fieldWord(subject, id),
            kind: kinds[field.kind],
            ...(field.kind === 'choice' && { options: optionsOf(subject, id), ops: ['in', 'notIn'] }),
            ...(source ?? {}),
          }
        }),
    [subject, sources, open],
  )
}
