import { ActionIcon, Menu, NativeSelect, TextInput } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import classes from '../people.module.css'
import { visibleToOptions } from '../people-words.tsx'
import type { WhoSees } from '../profile/use-who-sees.ts'

export type Line = { id: string; value: string; label: string; isPrimary: boolean; visibleTo: 'officers' | 'members' }
export type LineValues = { value: string; label: string; visibleTo: 'officers' | 'members' }

export type ContactLinesProps = {
  title: string
  /** "E-mail address", in the form and in the menus. */
  what: string
  type: 'email' | 'tel'
  lines: readonly Line[]
  editable: boolean
  /** Asks for a new one from the start. */
  startsAdding?: boolean
  whoSees?: WhoSees | undefined
  href: (value: string) => string
  add: (values: LineValues) => Promise<unknown>
  update: (id: string, change: Partial<LineValues> & { isPrimary?: true }) => Promise<unknown>
  /** Removes it and answers how to bring it back. */
  remove: (line: Line) => Promise<() => Promise<unknown>>
}

/** E-mail addresses or telephone numbers: the primary one first, each with who sees it. */
export function ContactLines(props: ContactLinesProps) {
  const { title, what, type, lines, editable, startsAdding = false, whoSees, href, add, update, remove } = props
  const [edited, setEdited] = useState<Line | 'new' | undefined>(startsAdding ? 'new' : undefined)
  const known = edited === 'new' ? undefined : edited
  const attempt = async (act: () => Promise<unknown>) => {
    try {
      await act()
    } catch (problem) {
      toast.error(t`That could not be saved.`, problem)
    }
  }
  return (
    <div>
      <div className={classes['row']}>
        <h3 className={classes['subTitle']}>{title}</h3>
        {editable && (
          <ActionIcon variant="subtle" color="gray" aria-label={t`Add: ${what}`} onClick={() => setEdited('new')}>
            <IconPlus size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
      {lines.length === 0 && <p className={classes['dim']}>–</p>}
      <ul className={classes['rows']}>
        {lines.map((line) => (
          <li key={line.id} className={classes['row']}>
            <span className={classes['rowText']}>
              <a href={href(line.value)}>{line.value}</a>
              {line.label && <span className={classes['dim']}>{line.label}</span>}
              {line.isPrimary && lines.length > 1 && <StatusBadge tone="accent">{t`Primary`}</StatusBadge>}
              {line.visibleTo === 'members' && <span className={classes['dim']}>{t`members see it`}</span>}
            </span>
            {editable && (
              <Menu>
                <Menu.Target>
                  <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${line.value}`}>
                    <IconDots size={16} aria-hidden />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => setEdited(line)}>
                    <Trans>Change</Trans>
                  </Menu.Item>
                  {!line.isPrimary && (
                    <Menu.Item
                      onClick={() =>
                        void attempt(async () => {
                          await update(line.id, { isPrimary: true })
                          const former = lines.find(({ isPrimary }) => isPrimary)
                          if (former) toast.undo(t`${line.value} is primary`, () => update(former.id, { isPrimary: true }))
                        })
                      }
                    >
                      <Trans>Make primary</Trans>
                    </Menu.Item>
                  )}
                  <Menu.Item color="red" onClick={() => void attempt(async () => toast.undo(t`${line.value} removed`, await remove(line)))}>
                    <Trans>Remove</Trans>
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
          </li>
        ))}
      </ul>
      <FormDialog<LineValues, void>
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={known ? t`Change: ${what}` : t`Add: ${what}`}
        values={{ value: known?.value ?? '', label: known?.label ?? '', visibleTo: known?.visibleTo ?? 'officers' }}
        rules={{
          value: (value) =>
            value.trim()
              ? type === 'email' && !value.includes('@')
                ? t`Enter an address like name@example.org.`
                : null
              : t`Enter something here.`,
        }}
        fieldOf={(path) => (path === 'address' || path === 'number' ? 'value' : path)}
        submitLabel={<Trans>Save</Trans>}
        onSubmit={async (values) => {
          if (known) {
            const { id, value, label, visibleTo } = known
            await update(id, values)
            toast.undo(t`${values.value} saved`, () => update(id, { value, label, visibleTo }))
          } else {
            await add(values)
            toast.success(t`${values.value} added`)
          }
        }}
      >
        {(form) => (
          <>
            <TextInput type={type} label={what} autoFocus data-autofocus autoComplete="off" {...form.getInputProps('value')} />
            <TextInput label={<Optional>{t`Label`}</Optional>} placeholder={t`home, work`} {...form.getInputProps('label')} />
            <NativeSelect
              label={t`Who sees it`}
              description={whoSees?.(form.values.visibleTo)}
              data={visibleToOptions().map(({ value, label }) => ({ value, label }))}
              {...form.getInputProps('visibleTo')}
            />
          </>
        )}
      </FormDialog>
    </div>
  )
}
