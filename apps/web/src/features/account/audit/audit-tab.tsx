import { forText } from '../../../platform/activity/history-words.ts'
import { Alert, Button } from '@mantine/core'
import '@mantine/core/styles/Alert.css'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import table from '../../../ui/display/small-table.module.css'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { ValueText, viaText } from '../../people/history/history-public.ts'
import { useAudit } from '../account-api.ts'
import type { AuditEntry } from '../account-api.ts'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import classes from '../account.module.css'
import { AuditFilters } from './audit-filters.tsx'
import { useAuditSearch } from './audit-search.ts'
import { actionWords, useAuditWords } from './audit-words.ts'

/** Who changed what and when. The chain of hashes shows whether anybody changed the log itself. */
export function AuditTab() {
  const search = useAuditSearch()
  const audit = useAudit(search.question)
  const { moment } = useFormats()
  const words = actionWords()
  const { noun } = useAuditWords()
  const items = audit.data?.items ?? []
  return (
    <div className={classes['stack']}>
      <AuditFilters {...search} />
      <div className={classes['row']}>
        <Verify />
      </div>
      {audit.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={10} />
        </Loading>
      )}
      {audit.isError && <ProblemState problem={audit.error} title={t`The log could not be loaded`} retry={() => void audit.refetch()} />}
      {audit.isSuccess && items.length === 0 && (
        <EmptyState title={search.narrowed ? t`No entry matches` : t`The audit log is empty`}>
          {search.narrowed ? t`Change or clear the filters.` : t`Every change to a record is listed here.`}
        </EmptyState>
      )}
      {items.length > 0 && (
        <div className={table['scroll']}>
          <table className={`${table['table']} ${table['stacked']}`} aria-label={t`Audit log`}>
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
                  <td data-label={t`Who`}>
                    <Actor entry={entry} />
                  </td>
                  <td data-label={t`Action`}>
                    {words[entry.action]} <span className={classes['minor']}>{noun(entry)}</span>
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
      <ShowMore query={audit} />
    </div>
  )
}

function About({ entry: { person, chapter, group, subject } }: { entry: AuditEntry }) {
  if (person) return <AppLink href={`/person/${person.id}`}>{person.displayName}</AppLink>
  if (chapter) return <AppLink href={`/chapter/${chapter.id}`}>{chapter.name}</AppLink>
  if (group) return <AppLink href={`/groups/${group.id}`}>{group.name}</AppLink>
  return <>{subject ?? '–'}</>
}

function Actor({ entry: { actor, actingFor, via } }: { entry: AuditEntry }) {
  const through = viaText(via)
  const name = actor ? actor.name || t`Without a name` : t`Guildhall`
  return (
    <>
      {actor?.personId ? <AppLink href={`/person/${actor.personId}`}>{name}</AppLink> : name}
      {actingFor !== null && ` ${forText(actingFor)}`}
      {through && <span className={classes['minor']}>{through}</span>}
    </>
  )
}

const shownChanges = 4
function Changes({ entry }: { entry: AuditEntry }) {
  const changes = entry.changes.filter(({ field, before, after }) => !/(^id|Id|_id)$/.test(field) && !isKey(before) && !isKey(after))
  const rest = changes.slice(shownChanges)
  return (
    <>
      <ChangeList entry={entry} changes={changes.slice(0, shownChanges)} />
      {rest.length > 0 && (
        <details className={classes['minor']}>
          <summary>
            <Plural value={rest.length} one="# more change" other="# more changes" />
          </summary>
          <ChangeList entry={entry} changes={rest} />
        </details>
      )}
    </>
  )
}

function ChangeList({ entry: { entity, action }, changes }: { entry: AuditEntry; changes: AuditEntry['changes'] }) {
  const words = useAuditWords()
  return (
    <ul className={classes['list']}>
      {changes.map(({ field, before, after }) => (
        <li key={field} className={classes['minor']}>
          {words.field(entity, field)}: {hadValue(action) && <Value entity={entity} field={field} value={before} />}
          {action === 'update' && ' → '}
          {action !== 'delete' && <Value entity={entity} field={field} value={after} />}
        </li>
      ))}
    </ul>
  )
}

const Value = ({ entity, field, value }: { entity: string; field: string; value: unknown }) =>
  useAuditWords().choice(entity, field, value) ?? <ValueText value={value} />

/** What is added, exported or imported had none before. */
const hadValue = (action: AuditEntry['action']) => action === 'update' || action === 'delete'

/** Keys of other records say nothing to a reader. */
const isKey = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)

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
