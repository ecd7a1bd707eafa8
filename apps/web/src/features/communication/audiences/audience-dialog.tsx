import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Audience, AudienceDefinition, AudienceScope } from '@guildhall/contract/features/communication.audiences'
import { useQueryClient } from '@tanstack/react-query'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ChapterPicker, GroupPicker } from '../../../platform/records/record-pickers.tsx'
import { useHoldsEverywhere, useMe } from '../../../platform/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { AudienceBuilder } from './audience-builder.tsx'

type Reach = 'organisation' | 'chapter' | 'group'
type Values = {
  name: string
  description: string
  reach: Reach
  chapterId: string | null
  groupId: string | null
  definition: AudienceDefinition
}
/** One that is changed, or a new one that begins with some people. */
export type EditedAudience = { change: Audience } | { start: AudienceDefinition }
type Props = { edited: EditedAudience | undefined; onClose: () => void }

const scopeOf = ({ reach, chapterId, groupId }: Values): AudienceScope => ({
  chapterId: reach === 'chapter' ? chapterId : null,
  groupId: reach === 'group' ? groupId : null,
})
const nobody: AudienceDefinition = { include: [], exclude: [] }

/** Creates or changes a saved audience. */
export function AudienceDialog({ edited, onClose }: Props) {
  const { audiences } = useApi().data.communication
  const cache = useQueryClient()
  const usual = useUsualPlace()
  const audience = edited && 'change' in edited ? edited.change : undefined
  const place = audience ? placeOf(audience.scope) : usual
  return (
    <FormDialog<Values, Audience>
      opened={edited !== undefined}
      onClose={onClose}
      size="xl"
      title={audience ? t`Change audience` : t`New audience`}
      version={audience?.version}
      values={{
        name: audience?.name ?? '',
        description: audience?.description ?? '',
        definition: audience?.definition ?? (edited && 'start' in edited ? edited.start : nobody),
        ...place,
      }}
      rules={{
        name: (name) => (name.trim() === '' ? t`Enter a name.` : null),
        chapterId: (chapterId, { reach }) => (reach === 'chapter' && !chapterId ? t`Choose a chapter.` : null),
        groupId: (groupId, { reach }) => (reach === 'group' && !groupId ? t`Choose a group.` : null),
      }}
      fieldOf={(path) => (path.startsWith('definition') ? 'definition' : path)}
      submitLabel={audience ? <Trans>Save audience</Trans> : <Trans>Create audience</Trans>}
      onSubmit={async (values, sent) => {
        const facts = { name: values.name.trim(), description: values.description, definition: values.definition }
        const saved = audience
          ? await audiences.update.call({ audienceId: audience.id, ...facts }, sent)
          : await audiences.create.call({ ...facts, ...scopeOf(values) })
        await cache.invalidateQueries({ queryKey: audiences.key() })
        toast.success(audience ? t`“${saved.name}” changed` : t`“${saved.name}” created`)
        return saved
      }}
    >
      {(form) => (
        <>
          <TextInput label={t`Name`} maxLength={100} data-autofocus {...form.getInputProps('name')} />
          <Textarea label={t`Description`} maxLength={1000} autosize minRows={1} {...form.getInputProps('description')} />
          {!audience && <ReachFields values={form.values} set={(change) => form.setValues(change)} errors={form.errors} />}
          <AudienceBuilder
            value={form.values.definition}
            onChange={(definition) => form.setFieldValue('definition', definition)}
            scope={scopeOf(form.values)}
          />
          {form.errors['definition'] && <p role="alert">{form.errors['definition']}</p>}
        </>
      )}
    </FormDialog>
  )
}

type ReachProps = { values: Values; set: (change: Partial<Values>) => void; errors: Record<string, React.ReactNode> }

/** Whom it reaches at most; it cannot be changed later. */
function ReachFields({ values, set, errors }: ReachProps) {
  const everywhere = useHoldsEverywhere('messages.write')
  const { reach, chapterId, groupId } = values
  return (
    <>
      <NativeSelect
        label={t`For`}
        description={t`The audience never reaches anybody else.`}
        value={reach}
        onChange={({ currentTarget: { value } }) => set({ reach: value === 'chapter' || value === 'group' ? value : 'organisation' })}
        data={[
          ...(everywhere ? [{ value: 'organisation', label: t`Whole organisation` }] : []),
          { value: 'chapter', label: t`Chapter with the chapters below` },
          { value: 'group', label: t`Members of a group` },
        ]}
      />
      {reach === 'chapter' && (
        <ChapterPicker label={t`Chapter`} value={chapterId} onChange={(id) => set({ chapterId: id })} error={errors['chapterId']} />
      )}
      {reach === 'group' && (
        <GroupPicker label={t`Group`} value={groupId} onChange={(id) => set({ groupId: id })} error={errors['groupId']} />
      )}
    </>
  )
}

type Place = Pick<Values, 'reach' | 'chapterId' | 'groupId'>
const placeOf = ({ chapterId, groupId }: Audience['scope']): Place => ({
  reach: groupId ? 'group' : chapterId ? 'chapter' : 'organisation',
  chapterId,
  groupId,
})

/** Where the caller writes: the organisation, else their home chapter or the first one, else their group. */
function useUsualPlace(): Place {
  const { data: me } = useMe()
  const held = me?.permissions.find(({ permission }) => permission === 'messages.write')
  if (!held || held.everywhere) return { reach: 'organisation', chapterId: null, groupId: null }
  const home = me?.person?.homeChapter?.id
  const chapterId = held.chapters.find((id) => id === home) ?? held.chapters[0] ?? null
  return { reach: chapterId ? 'chapter' : 'group', chapterId, groupId: chapterId ? null : (held.groups[0] ?? null) }
}
