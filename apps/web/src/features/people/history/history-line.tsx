import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { useFormats } from '../../../ui/display/dates.tsx'
import { forText, useHistoryWords } from '../../../platform/activity/history-words.ts'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { ValueText } from './history-values.tsx'
import { entryTitle, viaText } from './history-words.ts'
import classes from '../people.module.css'
import type { HistoryEntry } from '../people-api.ts'

/** One change: what, by whom, and every value before and after. */
export function HistoryLine({ entry, relative = false }: { entry: HistoryEntry; relative?: boolean }) {
  const { actor, actingFor, at, action } = entry
  const { moment, time } = useFormats()
  const { nouns, onPerson, field: fieldWord, value: valueWord } = useHistoryWords()
  // At a glance, that something was added or removed says enough.
  const changes = relative && action !== 'update' ? [] : entry.changes.filter(({ field }) => !/(^id|_id|Id)$/.test(field))
  const via = viaText(entry.via)
  return (
    <div className={classes['entry']}>
      <div className={classes['entryHead']}>
        <strong>{entryTitle(entry, new Map([...nouns, ...onPerson]))}</strong>
        <span className={classes['dim']}>
          {actor?.personId ? (
            <Link to="/person/$personId/{-$tab}" params={{ personId: actor.personId }}>
              {actor.name}
            </Link>
          ) : (
            (actor?.name ?? t`the system`)
          )}
          {actingFor !== null && ` ${forText(actingFor)}`}
          {via && `, ${via}`}
          {', '}
          {relative ? (
            <RelativeTime at={at} />
          ) : (
            <time dateTime={at} title={moment(at)}>
              {time(at)}
            </time>
          )}
        </span>
      </div>
      {changes.length > 0 && (
        <dl className={classes['change']}>
          {changes.map(({ field, before, after }) => (
            <div key={field} style={{ display: 'contents' }}>
              <dt>{fieldWord(field)}</dt>
              <dd>
                {action !== 'create' && (
                  <>
                    <del>{valueWord(entry.entity, field, before) ?? <ValueText value={before} />}</del>
                    {action !== 'delete' && (
                      <>
                        {' '}
                        <span aria-label={t`became`} role="img">
                          →
                        </span>{' '}
                      </>
                    )}
                  </>
                )}
                {action !== 'delete' && <ins>{valueWord(entry.entity, field, after) ?? <ValueText value={after} />}</ins>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

/** Below a fact: who set it and when. */
export const Source = ({ entry }: { entry: HistoryEntry | undefined }) =>
  entry ? (
    <>
      {entry.actor?.name ?? <Trans>The system</Trans>}
      {entry.actingFor !== null && ` ${forText(entry.actingFor)}`}
      {viaText(entry.via) && `, ${viaText(entry.via)}`}, <RelativeTime at={entry.at} />
    </>
  ) : (
    <Trans>Not changed since the person was entered</Trans>
  )
