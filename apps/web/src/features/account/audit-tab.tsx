import { Alert, Button, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Alert.css'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useApi } from '../../platform/api.tsx'
import { AppLink } from '../../platform/app-link.tsx'
import { useHistoryWords } from '../../platform/history-words.ts'
import { ProblemState } from '../../platform/problem-state.tsx'
import { toast } from '../../platform/toast.tsx'
import { useFormats } from '../../ui/dates.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loading, SkeletonLines } from '../../ui/skeletons.tsx'
import { ValueText } from '../people/history/history-public.ts'
import { useAudit } from './account-api.ts'
import type { AuditEntry, AuditQuestion } from './account-api.ts'
import classes from './account.module.css'

const actions = ['create', 'update', 'delete', 'export', 'import', 'undo', 'sign_in'] as const

/** Who changed what and when. The chain of hashes shows whether anybody changed the log itself. */
export function AuditTab() {
  const [question, setQuestion] = useState<AuditQuestion>({ entity: '', action: undefined, from: '', until: '' })
  const audit = useAudit(question)
  const { moment } = useFormats()
  const words = actionWords()
  const { nouns } = useHistoryWords()
  const nounOf = (entity: string) => nouns.get(entity) ?? entity.replaceAll('_', ' ')
  const items = audit.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <div className={classes['stack']}>
      <div className={classes['row']}>
        <NativeSelect
          label={t`What`}
          value={question.entity}
          data={[{ value: '', label: t`Everything` }, ...[...nouns].map(([value, label]) => ({ value, label }))]}
          onChange={(event) => setQuestion({ ...question, entity: event.currentTarget.value })}
        />
        <NativeSelect
          label={t`Action`}
          value={question.action ?? ''}
          data={[{ value: '', label: t`Every action` }, ...actions.map((value) => ({ value, label: words[value] }))]}
          onChange={(event) => setQuestion({ ...question, action: actions.find((action) => action === event.currentTarget.value) })}
        />
        <TextInput
          type="date"
          label={t`From`}
          value={question.from}
          onChange={(event) => setQuestion({ ...question, from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={t`Until`}
          value={question.until}
          onChange={(event) => setQuestion({ ...question, until: event.currentTarget.value })}
        />
        <Verify />
      </div>
      {audit.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={10} />
        </Loading>
      )}
      {audit.isError && <ProblemState problem={audit.error} title={t`The log could not be loaded`} retry={() => void audit.refetch()} />}
      {audit.isSuccess && items.length === 0 && <EmptyState title={t`Nothing in the log`}>{t`No entry matches these choices.`}</EmptyState>}
      {items.length > 0 && (
        <div className={classes['scroll']}>
          <table className={`${classes['table']} ${classes['stacked']}`} aria-label={t`Audit log`}>
            <thead>
              <tr>
                <th scope="col">{t`When`}</th>
                <th scope="col">{t`Who`}</th>
                <th scope="col">{t`Action`}</th>
                <th scope="col">{t`About`}</th>
                <th scope="col">{t`Changes`}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((entry) => (
                <tr key={entry.seq}>
                  <th scope="row">{moment(entry.at)}</th>
                  <td data-label={t`Who`}>{entry.actor?.name ?? t`Guildhall`}</td>
                  <td data-label={t`Action`}>
                    {words[entry.action]} <span className={classes['minor']}>{nounOf(entry.entity)}</span>
                  </td>
                  <td data-label={t`About`}>
                    <About entry={entry} />
                  </td>
                  <td className={classes['words']}>
                    <Changes entry={entry} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {audit.hasNextPage && (
        <Button variant="subtle" loading={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </div>
  )
}

function About({ entry: { person, chapter, group, subject } }: { entry: AuditEntry }) {
  if (person) return <AppLink href={`/person/${person.id}`}>{person.displayName}</AppLink>
  if (chapter) return <AppLink href={`/chapter/${chapter.id}`}>{chapter.name}</AppLink>
  if (group) return <AppLink href={`/groups/${group.id}`}>{group.name}</AppLink>
  return <>{subject ?? '–'}</>
}

const shownChanges = 4
function Changes({ entry }: { entry: AuditEntry }) {
  const words = useHistoryWords()
  const shown = entry.changes.filter(({ field }) => !/(^id$|Id$|_id$)/.test(field)).slice(0, shownChanges)
  return (
    <ul className={classes['list']}>
      {shown.map(({ field, before, after }) => (
        <li key={field}>
          <span className={classes['minor']}>
            {words.field(field)}:{' '}
            {entry.action !== 'create' && (
              <>
                <ValueText value={before} /> →{' '}
              </>
            )}
            <ValueText value={after} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Verify() {
  const { verify } = useApi().data.account.audit
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<{ checked: number; firstBroken: number | null } | null>(null)
  const run = async () => {
    setBusy(true)
    try {
      setResult(await verify.call())
    } catch (failure) {
      toast.error(t`The log could not be verified.`, failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button variant="default" loading={busy} leftSection={<IconShieldCheck size={16} aria-hidden />} onClick={() => void run()}>
        <Trans>Verify the log</Trans>
      </Button>
      {result && (
        <Alert role="status" color={result.firstBroken === null ? 'green' : 'red'}>
          {result.firstBroken === null ? (
            <Plural value={result.checked} one="The one entry is as it was written." other="All # entries are as they were written." />
          ) : (
            <Trans>Entry {result.firstBroken} was changed after it was written.</Trans>
          )}
        </Alert>
      )}
    </>
  )
}

const actionWords = (): Record<(typeof actions)[number], string> => ({
  create: t`Added`,
  update: t`Changed`,
  delete: t`Removed`,
  export: t`Exported`,
  import: t`Imported`,
  undo: t`Undone`,
  sign_in: t`Signed in`,
})
