import { ActionIcon, Button, Menu, NativeSelect, VisuallyHidden } from '@mantine/core'
import { Plural, Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { RecordType } from '@guildhall/contract/features/fields'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { FieldDialog } from './field-dialog.tsx'
import { audienceWord, recordWords, typeWords } from './field-words.ts'
import { useAllFields, useFieldUses, useFieldsChanged } from './fields-api.ts'
import type { Field } from './fields-api.ts'
import { ReplaceChoiceDialog } from './replace-choice-dialog.tsx'
import classes from './fields.module.css'

/** Fields of each kind of record: added, changed, put in order, archived and deleted. */
export function FieldsTab() {
  const { fields: api } = useApi().data
  const changed = useFieldsChanged()
  const [recordType, setRecordType] = useState<RecordType>('people')
  const fields = useAllFields(recordType)
  const [edited, setEdited] = useState<Field | 'new' | null>(null)
  const [removed, setRemoved] = useState<Field | null>(null)
  const [replaced, setReplaced] = useState<Field | null>(null)
  if (fields.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  if (fields.isError)
    return <ProblemState problem={fields.error} title={t`The fields could not be loaded`} retry={() => void fields.refetch()} />
  const { items } = fields.data
  const move = async (from: number, by: number) => {
    const ids = items.map(({ id }) => id)
    ids.splice(from + by, 0, ...ids.splice(from, 1))
    await told(t`The order could not be saved.`, () => api.order.call({ recordType, fieldIds: ids }))
    await changed()
  }
  const archive = async (field: Field, archived: boolean) => {
    const { label } = field
    await told(archived ? t`“${label}” could not be archived.` : t`“${label}” could not be restored.`, async () => {
      const now = await api.update.call({ fieldId: field.id, archived }, { context: { ifMatch: field.version } })
      if (archived) {
        toast.undo(t`“${label}” archived`, async () => {
          await api.update.call({ fieldId: field.id, archived: false }, { context: { ifMatch: now.version } })
          await changed()
        })
      } else toast.success(t`“${label}” restored`)
    })
    await changed()
  }
  return (
    <Section title={t`Fields`} count={items.length}>
      <div className={classes['stack']}>
        <p className={classes['dim']}>
          <Trans>Add the facts that your organisation keeps. They appear on pages, in forms, lists, filters and exports.</Trans>
        </p>
        <div className={classes['head']}>
          <NativeSelect
            label={t`Kind of record`}
            data={RecordType.options.map((value) => ({ value, label: recordWords()[value] }))}
            value={recordType}
            onChange={({ currentTarget }) => setRecordType(RecordType.catch('people').parse(currentTarget.value))}
          />
          <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setEdited('new')}>
            <Trans>New field</Trans>
          </Button>
        </div>
        {items.length === 0 && <p>{t`There are no fields yet.`}</p>}
        {items.length > 0 && (
          <div className={classes['scroll']}>
            <table className={classes['table']}>
              <thead>
                <tr>
                  <th scope="col">{t`Field`}</th>
                  <th scope="col">{t`Type`}</th>
                  <th scope="col">{t`Visible to`}</th>
                  <th scope="col">{t`Used`}</th>
                  <th scope="col">
                    <VisuallyHidden>{t`Actions`}</VisuallyHidden>
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map((field, at) => (
                  <tr key={field.id}>
                    <th scope="row">
                      <span className={classes['name']}>
                        <span>
                          {field.label} {field.archivedAt && <StatusBadge>{t`Archived`}</StatusBadge>}
                        </span>
                        <span className={classes['dim']}>
                          {[field.key, field.section, field.required ? t`required` : ''].filter(Boolean).join(' · ')}
                        </span>
                      </span>
                    </th>
                    <td>{typeWords()[field.type]}</td>
                    <td>{audienceWord(field)}</td>
                    <td>
                      <Uses fieldId={field.id} />
                    </td>
                    <td>
                      <Menu position="bottom-end">
                        <Menu.Target>
                          <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${field.label}`}>
                            <IconDots size={16} aria-hidden />
                          </ActionIcon>
                        </Menu.Target>
                        <Menu.Dropdown>
                          <Menu.Item onClick={() => setEdited(field)}>{t`Edit`}</Menu.Item>
                          <Menu.Item disabled={at === 0} onClick={() => void move(at, -1)}>{t`Move up`}</Menu.Item>
                          <Menu.Item disabled={at === items.length - 1} onClick={() => void move(at, 1)}>{t`Move down`}</Menu.Item>
                          {field.choices.length > 1 && <Menu.Item onClick={() => setReplaced(field)}>{t`Replace a choice`}</Menu.Item>}
                          <Menu.Item onClick={() => void archive(field, !field.archivedAt)}>
                            {field.archivedAt ? t`Restore` : t`Archive`}
                          </Menu.Item>
                          <Menu.Item color="red" onClick={() => setRemoved(field)}>{t`Delete`}</Menu.Item>
                        </Menu.Dropdown>
                      </Menu>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
      <FieldDialog edited={edited} recordType={recordType} onClose={() => setEdited(null)} />
      <ReplaceChoiceDialog field={replaced} onClose={() => setReplaced(null)} />
      <RemoveField field={removed} onClose={() => setRemoved(null)} />
    </Section>
  )
}

async function told(failed: string, act: () => Promise<unknown>) {
  try {
    await act()
  } catch (problem) {
    toast.error(failed, problem)
  }
}

/** How many records have a value; above 10,000 nobody counts. */
function Uses({ fieldId }: { fieldId: string }) {
  const { data } = useFieldUses(fieldId)
  const { number } = useFormats()
  if (!data) return '…'
  return data.records > 10_000 ? `${number(10_000)}+` : number(data.records)
}

function RemoveField({ field, onClose }: { field: Field | null; onClose: () => void }) {
  const api = useApi()
  const changed = useFieldsChanged()
  const label = field?.label ?? ''
  return (
    <ConfirmDialog
      opened={field !== null}
      onClose={onClose}
      danger
      title={t`Delete the field “${label}”?`}
      confirmLabel={<Trans>Delete field</Trans>}
      onConfirm={async () => {
        if (!field) return
        await api.data.fields.remove.call({ fieldId: field.id, withValues: true })
        await changed()
        toast.success(t`“${label}” deleted`)
      }}
    >
      {field && <RemoveText fieldId={field.id} />}
    </ConfirmDialog>
  )
}

function RemoveText({ fieldId }: { fieldId: string }) {
  const { data } = useFieldUses(fieldId)
  const { number } = useFormats()
  if (!data) return '…'
  if (data.records > 10_000)
    return <Trans>More than {number(10_000)} values will be deleted with it and cannot be restored. Archive the field to keep them.</Trans>
  return (
    <Plural
      value={data.records}
      _0="No record has a value. A deleted field cannot be restored."
      one="# value will be deleted with it and cannot be restored. Archive the field to keep it."
      other="# values will be deleted with it and cannot be restored. Archive the field to keep them."
    />
  )
}
