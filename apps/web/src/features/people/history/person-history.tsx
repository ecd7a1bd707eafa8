import { NativeSelect } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { useHistoryWords } from '../../../platform/activity/history-words.ts'
import { HistoryEntries } from './history-entries.tsx'
import classes from '../people.module.css'

const pageSize = 50

/** Every change ever made to a person, newest first, by day. */
export function PersonHistory({ personId }: { personId: string }) {
  const api = useApi()
  const { onPerson } = useHistoryWords()
  const [entity, setEntity] = useState('')
  const query = useInfiniteQuery(pagedOptions(api.data.people.history, { personId, limit: pageSize, ...(entity && { entity }) }))
  return (
    <div className={classes['stack']}>
      <NativeSelect
        label={t`Show`}
        w={260}
        value={entity}
        onChange={(event) => setEntity(event.currentTarget.value)}
        data={[{ value: '', label: t`All changes` }, ...[...onPerson].map(([value, label]) => ({ value, label }))]}
      />
      <HistoryEntries query={query} />
    </div>
  )
}
