import { ActionIcon, Button, Menu, Switch } from '@mantine/core'
import type { MessageTemplateRow } from '@guildhall/contract/features/communication.templates'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDots, IconPlus, IconTemplate } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { SearchField } from '../../../ui/filter/search-field.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonCards, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { CopyTemplateDialog, NewTemplateDialog } from './template-dialogs.tsx'
import { TemplateOutline } from './template-outline.tsx'
import classes from './templates.module.css'

const TemplateEditor = lazy(async () => ({ default: (await import('./template-editor.tsx')).TemplateEditor }))
const route = getRouteApi('/signed-in/communication/{-$tab}')

/** What messages begin with: cards with what they look like; one opens in the editor. */
export function TemplatesTab() {
  const { q = '', open } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (templateId: string | undefined) => void navigate({ search: (before) => ({ ...before, open: templateId }) })
  if (open !== undefined)
    return (
      <Suspense
        fallback={
          <Loading label={t`Loading`}>
            <SkeletonLines count={8} />
          </Loading>
        }
      >
        <TemplateEditor key={open} templateId={open} onClose={() => show(undefined)} />
      </Suspense>
    )
  return (
    <TemplateCards
      q={q}
      onSearch={(words) => void navigate({ search: (before) => ({ ...before, q: words }), replace: true })}
      onOpen={show}
    />
  )
}

function TemplateCards({ q, onSearch, onOpen }: { q: string; onSearch: (q: string | undefined) => void; onOpen: (id: string) => void }) {
  const { templates } = useApi().data.communication
  const cache = useQueryClient()
  const [archived, setArchived] = useState(false)
  const [making, setMaking] = useState(false)
  const [copied, setCopied] = useState<MessageTemplateRow | null>(null)
  const list = useInfiniteQuery(pagedOptions(templates.list, { limit: 60, archived, ...(q && { q }) }))
  const changed = () => cache.invalidateQueries({ queryKey: templates.key() })

  const archive = async ({ id: templateId, name, version }: MessageTemplateRow) => {
    try {
      const now = await templates.archive.call({ templateId }, { context: { ifMatch: version } })
      toast.undo(t`“${name}” archived`, async () => {
        await templates.restore.call({ templateId }, { context: { ifMatch: now.version } })
        await changed()
      })
    } catch (problem) {
      toast.error(t`“${name}” could not be archived.`, problem)
    }
    await changed()
  }
  const restore = async ({ id: templateId, name, version }: MessageTemplateRow) => {
    try {
      await templates.restore.call({ templateId }, { context: { ifMatch: version } })
      toast.success(t`“${name}” restored`)
    } catch (problem) {
      toast.error(t`“${name}” could not be restored.`, problem)
    }
    await changed()
  }
  return (
    <>
      <div className={classes['bar']}>
        <SearchField label={t`Search templates`} value={q} onChange={(words) => onSearch(words || undefined)} />
        <Switch label={t`Archived`} checked={archived} onChange={({ currentTarget }) => setArchived(currentTarget.checked)} />
        <Button
          className={classes['new'] ?? ''}
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
          onClick={() => setMaking(true)}
        >
          <Trans>New template</Trans>
        </Button>
      </div>
      {list.isPending ? (
        <SkeletonCards count={6} height={260} />
      ) : list.isError ? (
        <ProblemState problem={list.error} title={t`The templates could not be loaded`} retry={() => void list.refetch()} />
      ) : list.data.items.length === 0 ? (
        <EmptyState icon={<IconTemplate size={32} stroke={1.5} />} title={q ? t`No template matches` : t`No templates`}>
          <Trans>A template is what a message begins with: words, pictures and buttons that come back.</Trans>
        </EmptyState>
      ) : (
        <>
          <ul className={classes['cards']} aria-label={t`Templates`}>
            {list.data.items.map((template) => {
              const { id, name } = template
              return (
                <li key={id} className={classes['card']}>
                  <TemplateOutline outline={template.outline} />
                  <div className={classes['foot']}>
                    <div className={classes['names']}>
                      <button type="button" className={classes['name']} onClick={() => onOpen(id)}>
                        {name}
                      </button>
                      <span className={classes['dim']}>
                        {template.group?.name ?? template.chapter?.name ?? <Trans>Whole organisation</Trans>}
                      </span>
                      {template.archivedAt && <StatusBadge>{t`Archived`}</StatusBadge>}
                    </div>
                    <Menu position="bottom-end">
                      <Menu.Target>
                        <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${name}`}>
                          <IconDots size={16} aria-hidden />
                        </ActionIcon>
                      </Menu.Target>
                      <Menu.Dropdown>
                        <Menu.Item onClick={() => onOpen(id)}>{template.may.edit ? t`Edit` : t`Look at it`}</Menu.Item>
                        <Menu.Item onClick={() => setCopied(template)}>{t`Copy`}</Menu.Item>
                        {template.may.edit && !template.archivedAt && (
                          <Menu.Item onClick={() => void archive(template)}>{t`Archive`}</Menu.Item>
                        )}
                        {template.may.edit && template.archivedAt && (
                          <Menu.Item onClick={() => void restore(template)}>{t`Restore`}</Menu.Item>
                        )}
                      </Menu.Dropdown>
                    </Menu>
                  </div>
                </li>
              )
            })}
          </ul>
          <ShowMore query={list} />
        </>
      )}
      <NewTemplateDialog opened={making} onClose={() => setMaking(false)} onMade={onOpen} />
      <CopyTemplateDialog template={copied} onClose={() => setCopied(null)} onMade={onOpen} />
    </>
  )
}
