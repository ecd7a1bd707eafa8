import { Button, TextInput } from '@mantine/core'
import type { MessageTemplate } from '@guildhall/contract/features/communication.templates'
import type { MessageContent } from '@guildhall/contract/message-blocks'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { staleVersion } from '../../../ui/form/record-form.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { MessageEditor } from '../body/message-editor.tsx'
import { MessagePreview } from '../body/message-preview.tsx'
import { blockFaults } from '../body/message-faults.ts'
import classes from './templates.module.css'

type Props = { templateId: string; onClose: () => void }

/** One template with its preview; whoever may not change it sees the preview alone. */
export function TemplateEditor({ templateId, onClose }: Props) {
  const { templates } = useApi().data.communication
  const template = useQuery(templates.get.queryOptions({ input: { templateId } }))
  if (template.isPending)
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  if (template.isError)
    return <ProblemState problem={template.error} title={t`The template could not be loaded`} retry={() => void template.refetch()} />
  const { data } = template
  const back = (
    <Button variant="default" onClick={onClose}>
      <Trans>All templates</Trans>
    </Button>
  )
  if (!data.may.edit || data.archivedAt !== null)
    return (
      <Section title={data.name} actions={back}>
        <MessagePreview content={data} />
      </Section>
    )
  return <Editing template={data} onClose={onClose} />
}

function Editing({ template, onClose }: { template: MessageTemplate; onClose: () => void }) {
  const { templates } = useApi().data.communication
  const cache = useQueryClient()
  const { id: templateId, name: before, subject, preheader, body } = template
  const [name, setName] = useState(before)
  const [content, setContent] = useState<MessageContent>({ subject, preheader, body })
  const [version, setVersion] = useState(template.version)
  const [tried, setTried] = useState(false)
  const [isChanged, setChanged] = useState(false)
  const [saving, setSaving] = useState(false)
  const [refused, setRefused] = useState<string>()
  const faults = blockFaults(content.body)
  const isNameless = name.trim() === ''
  const problems = faults.length + (isNameless ? 1 : 0)

  const save = async () => {
    setTried(true)
    setRefused(undefined)
    if (problems > 0) return
    setSaving(true)
    try {
      const saved = await templates.update.call({ templateId, name: name.trim(), ...content }, { context: { ifMatch: version } })
      setVersion(saved.version)
      setChanged(false)
      setTried(false)
      cache.setQueryData(templates.get.queryKey({ input: { templateId } }), saved)
      void cache.invalidateQueries({ queryKey: templates.list.key() })
      toast.success(t`Changes saved`)
    } catch (problem) {
      const newer = staleVersion(problem)
      if (newer === undefined) return setRefused(problemText(problem))
      setVersion(newer)
      setRefused(t`Somebody else has changed this. Save again to replace their changes with yours.`)
    } finally {
      setSaving(false)
    }
  }
  return (
    <Section
      title={before}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>All templates</Trans>
          </Button>
          <Button loading={saving} disabled={!isChanged} onClick={() => void save()}>
            <Trans>Save</Trans>
          </Button>
        </>
      }
    >
      <div className={classes['stack']}>
        {(refused !== undefined || (tried && problems > 0)) && (
          <p role="alert" className={classes['refused']}>
            {refused ?? (
              <Plural
                value={problems}
                one="# thing is missing. It is marked below; then save again."
                other="# things are missing. They are marked below; then save again."
              />
            )}
          </p>
        )}
        <TextInput
          label={t`Name`}
          value={name}
          maxLength={100}
          error={tried && isNameless ? t`Enter a name.` : undefined}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value)
            setChanged(true)
          }}
        />
        <MessageEditor
          value={content}
          place={{ chapterId: template.chapter?.id ?? null, groupId: template.group?.id ?? null }}
          showFaults={tried}
          onChange={(changed) => {
            setContent(changed)
            setChanged(true)
          }}
        />
      </div>
    </Section>
  )
}
