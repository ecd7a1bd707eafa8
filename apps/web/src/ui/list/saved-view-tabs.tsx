import { ActionIcon, Button, Menu, Switch, TextInput, UnstyledButton } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { IconBookmarkPlus, IconDots, IconUsers } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { FormDialog } from '../dialog/form-dialog.tsx'
import classes from './saved-view-tabs.module.css'

export type SavedView = {
  id: string
  label: string
  shared?: boolean
  /** Built in: cannot be changed. */
  fixed?: boolean
  mine?: boolean
  /** What the list opens with. */
  opens?: boolean
}

export type SavedViewTabsProps = {
  views: readonly SavedView[]
  current: string
  onSelect: (id: string) => void
  /** The list shows something else than the chosen view stores. */
  changed: boolean
  onSaveAs: (name: string, shared: boolean) => Promise<unknown>
  onUpdate: (id: string) => Promise<unknown>
  onRename: (id: string, name: string) => Promise<unknown>
  onShare?: (id: string, shared: boolean) => Promise<unknown>
  onRemove: (id: string) => Promise<unknown>
  /** Makes a view the one that the list opens with, for this reader. */
  onOpenWith?: (id: string) => Promise<unknown>
  canShare: boolean
}

export const SavedViewTabs = memo(function SavedViewTabs(props: SavedViewTabsProps) {
  const { views, current, onSelect, changed, onSaveAs, onUpdate, onRename, onShare, onRemove, onOpenWith, canShare } = props
  const [naming, setNaming] = useState<SavedView | 'new' | undefined>()
  const renamed = naming === 'new' ? undefined : naming
  const chosen = views.find(({ id }) => id === current)
  return (
    <nav aria-label={t`Views`} className={classes['tabs']}>
      <ul className={classes['list']}>
        {views.map((view) => (
          <li key={view.id} className={classes['tab']} data-current={view.id === current || undefined}>
            <UnstyledButton
              className={classes['name']}
              aria-current={view.id === current ? 'true' : undefined}
              onClick={() => onSelect(view.id)}
            >
              {view.label}
              {view.shared && <IconUsers size={14} stroke={1.5} aria-label={t`shared`} />}
            </UnstyledButton>
            {view.id === current && ((!view.fixed && view.mine) || (onOpenWith && !view.opens)) && (
              <Menu position="bottom-start">
                <Menu.Target>
                  <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t`Actions for ${view.label}`}>
                    <IconDots size={14} aria-hidden />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  {onOpenWith && !view.opens && (
                    <Menu.Item onClick={() => void onOpenWith(view.id)}>
                      <Trans>Set as default</Trans>
                    </Menu.Item>
                  )}
                  {!view.fixed && view.mine && (
                    <>
                      <Menu.Item onClick={() => setNaming(view)}>
                        <Trans>Rename</Trans>
                      </Menu.Item>
                      {onShare && canShare && (
                        <Menu.Item onClick={() => void onShare(view.id, !view.shared)}>
                          {view.shared ? <Trans>Stop sharing</Trans> : <Trans>Share with everybody</Trans>}
                        </Menu.Item>
                      )}
                      <Menu.Item color="red" onClick={() => void onRemove(view.id)}>
                        <Trans>Remove view</Trans>
                      </Menu.Item>
                    </>
                  )}
                </Menu.Dropdown>
              </Menu>
            )}
          </li>
        ))}
      </ul>
      {changed && (
        <div className={classes['save']}>
          {chosen && !chosen.fixed && chosen.mine && (
            <Button variant="subtle" size="compact-md" onClick={() => void onUpdate(chosen.id)}>
              <Trans>Save</Trans>
            </Button>
          )}
          <Button
            variant="subtle"
            size="compact-md"
            leftSection={<IconBookmarkPlus size={16} stroke={1.5} aria-hidden />}
            onClick={() => setNaming('new')}
          >
            <Trans>Save as view</Trans>
          </Button>
        </div>
      )}
      <FormDialog
        opened={naming !== undefined}
        onClose={() => setNaming(undefined)}
        title={renamed ? t`Rename view` : t`Save as view`}
        values={{ name: renamed?.label ?? '', shared: false }}
        rules={{ name: (value) => (value.trim() ? null : t`Give the view a name.`) }}
        submitLabel={<Trans>Save view</Trans>}
        onSubmit={({ name, shared }) => (renamed ? onRename(renamed.id, name.trim()) : onSaveAs(name.trim(), shared))}
      >
        {(form) => (
          <>
            <TextInput label={t`Name`} autoFocus data-autofocus maxLength={100} {...form.getInputProps('name')} />
            {!renamed && canShare && (
              <Switch label={t`Everybody in the organisation sees it`} {...form.getInputProps('shared', { type: 'checkbox' })} />
            )}
          </>
        )}
      </FormDialog>
    </nav>
  )
})
