import { Button, NativeSelect } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { AudienceRefusal } from '@guildhall/contract/features/communication.audiences'
import type { AudiencePart, AudienceWhy } from '@guildhall/contract/features/communication.audiences'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { PersonLink } from '../../../platform/records/record-links.tsx'
import { useRecordSources } from '../../../platform/records/record-sources.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { ComboboxPicker } from '../../../ui/form/combobox-picker.tsx'
import type { Option } from '../../../ui/filter/filter.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import type { Asked, Shown } from './audience-counts.tsx'
import { nthPart } from './audience-draft.ts'
import type { Draft, DraftPart } from './audience-draft.ts'
import { partKindWords, refusalWords } from './audience-words.ts'
import classes from './audiences.module.css'

type Props = { asked: Asked; draft: Draft; shown: Shown; onShow: (shown: Shown) => void; onClose: () => void }

/** Who is in an audience, who of them gets a mail, and why a certain person is in it or not. */
export function AudiencePeople({ asked, draft, shown, onShow, onClose }: Props) {
  const { audiences } = useApi().data.communication
  const words = refusalWords()
  const people = useInfiniteQuery(pagedOptions(audiences.people, { ...asked, limit: 50, ...(shown !== 'all' && { show: shown }) }))
  const items = people.data?.items ?? []
  return (
    <Dialog opened onClose={onClose} title={t`People in this audience`} size="lg">
      <div className={classes['builder']}>
        <PersonCheck asked={asked} draft={draft} />
        <NativeSelect
          label={t`Show`}
          value={shown}
          onChange={({ currentTarget: { value } }) =>
            onShow(value === 'reachable' ? value : (AudienceRefusal.options.find((reason) => reason === value) ?? 'all'))
          }
          data={[
            { value: 'all', label: t`Everybody` },
            { value: 'reachable', label: t`Can be written to` },
            ...AudienceRefusal.options.map((value) => ({ value, label: words[value] })),
          ]}
        />
        {people.isPending && (
          <Loading label={t`Loading people`}>
            <SkeletonLines count={6} />
          </Loading>
        )}
        {people.isError && (
          <ProblemState problem={people.error} title={t`The people could not be loaded`} retry={() => void people.refetch()} />
        )}
        {people.isSuccess && items.length === 0 && <EmptyState title={t`Nobody`} level={3} />}
        {items.length > 0 && (
          <ul className={classes['people']}>
            {items.map(({ person, chapter, email, refusal }) => (
              <li key={person.id} className={classes['person']}>
                <span className={classes['who']}>
                  <PersonLink person={person} />
                  <span className={classes['dim']}>{[chapter?.name, email].filter(Boolean).join(' · ')}</span>
                </span>
                {refusal && <StatusBadge tone="neutral">{words[refusal]}</StatusBadge>}
              </li>
            ))}
          </ul>
        )}
        {people.hasNextPage && (
          <Button variant="default" loading={people.isFetchingNextPage} onClick={() => void people.fetchNextPage()}>
            <Trans>Show more</Trans>
          </Button>
        )}
      </div>
    </Dialog>
  )
}

function PersonCheck({ asked, draft }: { asked: Asked; draft: Draft }) {
  const { audiences } = useApi().data.communication
  const { people } = useRecordSources()
  const [person, setPerson] = useState<Option | null>(null)
  const why = useQuery({
    ...audiences.why.queryOptions({ input: { ...asked, personId: person?.value ?? '' } }),
    enabled: person !== null,
    retry: false,
  })
  return (
    <div className={classes['check']}>
      <ComboboxPicker label={t`Check a person`} value={person} onChange={setPerson} search={people.search} />
      <div role="status">
        {person && why.isError && problemText(why.error)}
        {person && why.data && <Why why={why.data} draft={draft} />}
      </div>
    </div>
  )
}

function Why({ why, draft }: { why: AudienceWhy; draft: Draft }) {
  const { person, isIn, inScope, included, excluded, refusal } = why
  const name = person.displayName
  return (
    <>
      <p>
        <strong>{isIn ? t`${name} is in this audience.` : t`${name} is not in this audience.`}</strong>
      </p>
      <ul className={classes['reasons']}>
        {!inScope && <li>{t`Outside the chapter or group that the audience is for.`}</li>}
        {included.length === 0 && <li>{t`Nothing includes this person.`}</li>}
        {included.map((nth) => (
          <li key={`i${nth}`}>{t`Included by ${partText(draft.include, nth)}`}</li>
        ))}
        {excluded.map((nth) => (
          <li key={`e${nth}`}>{t`Excluded by ${partText(draft.exclude, nth)}`}</li>
        ))}
        {refusal && <li>{t`Gets no mail: ${refusalWords()[refusal]}`}</li>}
      </ul>
    </>
  )
}

/** The kind of a part and its place among those shown: "Group (3)". */
function partText(parts: readonly DraftPart[], nth: number): string {
  const found = nthPart(parts, nth)
  if (!found) return String(nth + 1)
  const kind: AudiencePart['kind'] = found.part.kind
  return `${partKindWords()[kind]} (${parts.indexOf(found) + 1})`
}
