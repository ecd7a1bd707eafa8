import { Alert, Button } from '@mantine/core'
import '@mantine/core/styles/Alert.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { IconArrowLeft } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { failureText } from '../../platform/api/reason-text.ts'
import { noSuchRecord } from '../../platform/api/no-such-record.ts'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { ApiProblem } from '../../platform/api/problem.ts'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { ImportColumns } from './import-columns.tsx'
import { ImportOutcome } from './import-outcome.tsx'
import { ImportProgress } from './import-progress.tsx'
import { isBusy, useImport } from './imports-api.ts'
import type { Import } from './imports-api.ts'
import { ImportStatusBadge } from './imports-list.tsx'
import { kindWords } from './imports-words.ts'
import classes from './imports.module.css'

type Props = { importId: string; onOpen: (importId: string | undefined) => void }

/** One import on its way: columns, check, run, result. Each step is shown as far as the file has come. */
export function ImportView({ importId, onOpen }: Props) {
  const query = useImport(importId)
  const { data, error } = query
  useRefreshAfter(data)
  if (error instanceof ApiProblem && error.status === 404) throw noSuchRecord()
  return (
    <div className={classes['stack']}>
      <div>
        <Button variant="subtle" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={() => onOpen(undefined)}>
          <Trans>All imports</Trans>
        </Button>
      </div>
      {query.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={10} />
        </Loading>
      )}
      {error && !data && <ProblemState problem={error} title={t`This import could not be loaded`} retry={() => void query.refetch()} />}
      {data && <Steps item={data} onOpen={onOpen} />}
    </div>
  )
}

function Steps({ item, onOpen }: { item: Import; onOpen: Props['onOpen'] }) {
  const at = item.status === 'uploaded' ? 0 : item.status === 'checking' || item.status === 'checked' ? 1 : 2
  const names = [t`Columns`, t`Check`, t`Import`]
  return (
    <>
      <div className={classes['tight']}>
        <div className={classes['row']}>
          <h2>{item.fileName}</h2>
          <span className={classes['minor']}>{kindWords()[item.kind]}</span>
          <ImportStatusBadge status={item.status} />
        </div>
        <ol className={classes['steps']} aria-label={t`Steps`}>
          {names.map((name, index) => (
            <li key={name} aria-current={index === at ? 'step' : undefined}>
              {index + 1}. {name}
            </li>
          ))}
        </ol>
      </div>
      {item.sameFile.length > 0 && !over.has(item.status) && (
        <Alert color="blue" title={t`This file was uploaded before`}>
          <ul className={classes['findings']}>
            {item.sameFile.map((former) => (
              <li key={former.id}>
                <Button variant="transparent" size="compact-sm" onClick={() => onOpen(former.id)}>
                  {former.fileName}
                </Button>{' '}
                <ImportStatusBadge status={former.status} /> <RelativeTime at={former.createdAt} />
              </li>
            ))}
          </ul>
          <Trans>Importing it again changes only what is different now.</Trans>
        </Alert>
      )}
      {item.error && (
        <Alert role="alert" color="red" title={t`This could not be finished`}>
          {failureText(item.error)}
        </Alert>
      )}
      {isBusy(item) ? (
        <ImportProgress item={item} />
      ) : item.status === 'uploaded' ? (
        <ImportColumns item={item} />
      ) : (
        <ImportOutcome item={item} />
      )}
    </>
  )
}

/** Nothing more is imported from the file. */
const over: ReadonlySet<Import['status']> = new Set(['done', 'undone', 'partly_undone'])

/** What an import wrote is on no list that was read before it. */
function useRefreshAfter(item: Import | undefined) {
  const cache = useQueryClient()
  const before = useRef(item?.status)
  useEffect(() => {
    const was = before.current
    before.current = item?.status
    if ((was === 'running' || was === 'undoing') && item && !isBusy(item)) void cache.invalidateQueries()
  }, [cache, item])
}
