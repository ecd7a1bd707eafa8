import { ActionIcon, Button, Menu, Switch, VisuallyHidden } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Topic } from '@guildhall/contract/features/communication.topics'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useConsentsChanged } from './consent-api.ts'
import rows from '../../../ui/display/row-cards.module.css'
import table from '../../../ui/display/small-table.module.css'
import classes from './consent.module.css'
import { TopicDialog } from './topic-dialog.tsx'

/** What people subscribe to, in the order in which they see it, with how many did. */
export function TopicsTab() {
  const { topics: calls } = useApi().data.communication
  const [archived, setArchived] = useState(false)
  const [edited, setEdited] = useState<Topic | 'new' | null>(null)
  const topics = useQuery(calls.list.queryOptions({ input: archived ? { archived } : {} }))
  const changed = useConsentsChanged()
  const { number } = useFormats()
  if (topics.isPending)
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  if (topics.isError)
    return <ProblemState problem={topics.error} title={t`The topics could not be loaded`} retry={() => void topics.refetch()} />
  const { items, may } = topics.data
  const hasActions = items.some(({ mayChange }) => mayChange)
  const put = async (topic: Topic, away: boolean) => {
    const { name } = topic
    try {
      const now = await calls[away ? 'archive' : 'restore'].call({ topicId: topic.id }, { context: { ifMatch: topic.version } })
      await changed()
      if (away) toast.undo(t`“${name}” archived`, () => put(now, false))
      else toast.success(t`“${name}” restored`)
    } catch (failure) {
      toast.error(away ? t`“${name}” could not be archived` : t`“${name}” could not be restored`, failure)
    }
  }
  const move = async (at: number, by: 1 | -1) => {
    const ids = items.map(({ id }) => id)
    const [moved] = ids.splice(at, 1)
    if (moved === undefined) return
    try {
      await calls.reorder.call({ topicIds: ids.toSpliced(at + by, 0, moved) })
      await changed()
    } catch (failure) {
      toast.error(t`The order could not be saved`, failure)
    }
  }
  return (
    <Section title={t`Topics`} count={items.length}>
      <div className={classes['stack']}>
        <div className={classes['head']}>
          <p className={classes['dim']}>
            <Trans>People choose which topics they get mail about. One click in a mail ends its topic only.</Trans>
          </p>
          {may.create && (
            <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setEdited('new')}>
              <Trans>New topic</Trans>
            </Button>
          )}
        </div>
        <Switch label={t`Show archived`} checked={archived} onChange={(event) => setArchived(event.currentTarget.checked)} />
        {items.length === 0 && <p>{archived ? t`No topic is archived.` : t`There are no topics yet.`}</p>}
        {items.length > 0 && (
          <div className={table['scroll']}>
            <table className={`${table['table']} ${rows['cards']}`}>
              <thead>
                <tr>
                  <th scope="col">{t`Topic`}</th>
                  <th scope="col">{t`Who gets it`}</th>
                  <th scope="col">{t`Subscribed`}</th>
                  <th scope="col">{t`Awaiting confirmation`}</th>
                  <th scope="col">{t`Unsubscribed`}</th>
                  {hasActions && (
                    <th scope="col">
                      <VisuallyHidden>{t`Actions`}</VisuallyHidden>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>
                {items.map((topic, at) => (
                  <tr key={topic.id}>
                    <th scope="row">
                      {topic.name} {topic.kind === 'essential' && <StatusBadge tone="info">{t`Essential`}</StatusBadge>}
                      <div className={classes['dim']}>{[topic.chapter?.name, topic.description].filter(Boolean).join(' · ')}</div>
                    </th>
                    <td className={`${rows['minor']} ${rows['across']}`}>{reachOf(topic)}</td>
                    <td className={rows['minor']} data-label={t`Subscribed`}>
                      {topic.counts ? number(topic.counts.subscribed) : '–'}
                    </td>
                    <td className={`${rows['minor']} ${rows['end']}`} data-label={t`Awaiting confirmation`}>
                      {topic.counts ? number(topic.counts.pending) : '–'}
                    </td>
                    <td className={rows['minor']} data-label={t`Unsubscribed`}>
                      {topic.counts ? number(topic.counts.unsubscribed) : '–'}
                    </td>
                    {hasActions && (
                      <td className={rows['aside']}>
                        {topic.mayChange && (
                          <Menu position="bottom-end">
                            <Menu.Target>
                              <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${topic.name}`}>
                                <IconDots size={16} aria-hidden />
                              </ActionIcon>
                            </Menu.Target>
                            <Menu.Dropdown>
                              <Menu.Item onClick={() => setEdited(topic)}>
                                <Trans>Change</Trans>
                              </Menu.Item>
                              {may.createForAll && !archived && (
                                <>
                                  <Menu.Item disabled={at === 0} onClick={() => void move(at, -1)}>{t`Move up`}</Menu.Item>
                                  <Menu.Item disabled={at === items.length - 1} onClick={() => void move(at, 1)}>{t`Move down`}</Menu.Item>
                                </>
                              )}
                              <Menu.Item onClick={() => void put(topic, topic.archivedAt === null)}>
                                {topic.archivedAt === null ? <Trans>Archive</Trans> : <Trans>Restore</Trans>}
                              </Menu.Item>
                            </Menu.Dropdown>
                          </Menu>
                        )}
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
      <TopicDialog edited={edited} mayReachAll={may.createForAll} onClose={() => setEdited(null)} />
    </Section>
  )
}

function reachOf({ kind, defaultOpt, confirm, chapter }: Topic): string {
  if (kind === 'essential') return t`Everybody`
  if (defaultOpt === 'in') return chapter ? t`Everybody of the chapter, unless unsubscribed` : t`Everybody, unless unsubscribed`
  return confirm ? t`Who subscribed and confirmed` : t`Who subscribed`
}
