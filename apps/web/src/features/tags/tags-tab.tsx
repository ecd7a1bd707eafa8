import { ActionIcon, Button, Menu, VisuallyHidden } from '@mantine/core'
import type { Tag } from '@guildhall/contract/features/tags'
import { Trans } from '@lingui/react/macro'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useMe } from '../../platform/session/session.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { Label } from '../../ui/display/status-badge.tsx'
import { TagDialog, audienceWords } from './tag-dialog.tsx'
import { usesOf } from './tag-options.ts'
import { useTagsChanged } from './tags-api.ts'
import classes from './tags.module.css'

/** Every tag with who sees it and how many carry it. Officers add tags; who may change people everywhere changes and deletes them. */
export function TagsTab() {
  const api = useApi()
  const { data: me } = useMe()
  const tags = useQuery(api.data.tags.list.queryOptions())
  const [edited, setEdited] = useState<Tag | 'new' | null>(null)
  const [removed, setRemoved] = useState<Tag | null>(null)
  if (tags.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  if (tags.isError) return <ProblemState problem={tags.error} title={t`The tags could not be loaded`} retry={() => void tags.refetch()} />
  const { items } = tags.data
  const mayChange = me?.permissions.some(({ permission, everywhere }) => permission === 'people.write' && everywhere) ?? false
  return (
    <Section title={t`Tags`} count={items.length}>
      <div className={classes['stack']}>
        <div className={classes['head']}>
          <p className={classes['dim']}>
            <Trans>
              Members see tags for all members and who carries them. Tags for officers only are hidden from everybody else, even on their
              own page.
            </Trans>
          </p>
          <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setEdited('new')}>
            <Trans>New tag</Trans>
          </Button>
        </div>
        {items.length === 0 && <p>{t`There are no tags yet.`}</p>}
        {items.length > 0 && (
          <div className={classes['scroll']}>
            <table className={classes['table']}>
              <thead>
                <tr>
                  <th scope="col">{t`Tag`}</th>
                  <th scope="col">{t`Visible to`}</th>
                  <th scope="col">{t`Used by`}</th>
                  {mayChange && (
                    <th scope="col">
                      <VisuallyHidden>{t`Actions`}</VisuallyHidden>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>
                {items.map((tag) => (
                  <tr key={tag.id}>
                    <th scope="row">
                      <Label color={tag.color}>{tag.name}</Label>
                    </th>
                    <td>{audienceWords()[tag.audience]}</td>
                    <td>
                      <Uses tag={tag} />
                    </td>
                    {mayChange && (
                      <td>
                        <Menu position="bottom-end">
                          <Menu.Target>
                            <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${tag.name}`}>
                              <IconDots size={16} aria-hidden />
                            </ActionIcon>
                          </Menu.Target>
                          <Menu.Dropdown>
                            <Menu.Item onClick={() => setEdited(tag)}>
                              <Trans>Change</Trans>
                            </Menu.Item>
                            <Menu.Item color="red" onClick={() => setRemoved(tag)}>
                              <Trans>Delete</Trans>
                            </Menu.Item>
                          </Menu.Dropdown>
                        </Menu>
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
      <TagDialog edited={edited} onClose={() => setEdited(null)} />
      <RemoveTag tag={removed} onClose={() => setRemoved(null)} />
    </Section>
  )
}

function RemoveTag({ tag, onClose }: { tag: Tag | null; onClose: () => void }) {
  const api = useApi()
  const changed = useTagsChanged()
  const name = tag?.name ?? ''
  return (
    <ConfirmDialog
      opened={tag !== null}
      onClose={onClose}
      danger
      title={t`Delete the tag “${name}”?`}
      confirmLabel={<Trans>Delete tag</Trans>}
      onConfirm={async () => {
        if (!tag) return
        await api.data.tags.remove.call({ tagId: tag.id })
        await changed()
        toast.success(t`“${name}” deleted`)
      }}
    >
      {tag && removalText(tag)}
    </ConfirmDialog>
  )
}

/** How many records of each type carry a tag; those with a list that can be filtered by it lead there. */
function Uses({ tag }: { tag: Tag }) {
  const { number } = useFormats()
  const { person = 0, group = 0, chapter = 0 } = tag.uses
  const search = { filter: { and: [{ or: [{ field: 'tag', op: 'in' as const, value: [tag.id] }] }] } }
  return (
    <span className={classes['wrap']}>
      {person > 0 && (
        <Link to="/members" search={search}>
          {plural(person, { one: '# person', other: '# people' })}
        </Link>
      )}
      {group > 0 && (
        <Link to="/groups" search={search}>
          {plural(group, { one: '# group', other: '# groups' })}
        </Link>
      )}
      {chapter > 0 && <span>{plural(chapter, { one: '# chapter', other: '# chapters' })}</span>}
      {usesOf(tag.uses) === 0 && number(0)}
    </span>
  )
}

function removalText({ uses }: Tag): string {
  const count = usesOf(uses)
  return count === 0
    ? t`Nothing has this tag. A deleted tag cannot be restored.`
    : plural(count, {
        one: 'It will be removed from # record. A deleted tag cannot be restored.',
        other: 'It will be removed from # records. A deleted tag cannot be restored.',
      })
}
