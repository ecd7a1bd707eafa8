import { Button, NativeSelect } from '@mantine/core'
import { MessageBody } from '@guildhall/contract/message-body'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { named } from '../../../platform/records/record-sources.ts'
import { RecordPicker } from '../../../ui/form/record-picker.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { MessagePreview } from '../body/message-preview.tsx'
import { useTopicNames } from '../emails/messages-api.ts'
import classes from './automations.module.css'

type Field<Value> = { value?: Value; error?: unknown }
type Props = {
  /** Of the automation; null is the whole organisation. */
  chapterId: string | null
  template: Field<string | null> & { onChange: (id: string | null) => void }
  topic: Field<string> & { onChange: (value: string) => void }
}

/** What a mail step sends and what it is about, with the mail as somebody would get it. */
export function MailFields({ chapterId, template, topic }: Props) {
  const [isShown, setShown] = useState(false)
  const templates = useTemplateSource()
  const topics = useTopicNames().filter(({ chapter }) => chapter === null || chapterId !== null)
  const topicId = topic.value ?? ''
  const isKnown = topicId === '' || topics.some(({ id }) => id === topicId)
  return (
    <>
      <RecordPicker
        label={t`Template`}
        description={
          <Trans>
            Changes of the template count from the next mail on. Add and edit templates in{' '}
            <Link to="/communication/{-$tab}" params={{ tab: 'templates' }}>
              Templates
            </Link>
            .
          </Trans>
        }
        placeholder={t`Choose a template`}
        {...templates}
        {...errorOf(template)}
        value={template.value ?? null}
        onChange={template.onChange}
      />
      <NativeSelect
        label={t`Topic`}
        description={t`People who unsubscribed from it are left out; an essential topic reaches everybody.`}
        data={[
          { value: '', label: t`Choose a topic` },
          ...topics.map(({ id, name }) => ({ value: id, label: name })),
          ...(isKnown ? [] : [{ value: topicId, label: t`Not available here` }]),
        ]}
        {...errorOf(topic)}
        value={topicId}
        onChange={({ currentTarget }) => topic.onChange(currentTarget.value)}
      />
      {template.value && (
        <>
          <Button
            variant="default"
            size="compact-md"
            style={{ justifySelf: 'start', alignSelf: 'start' }}
            aria-expanded={isShown}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? <Trans>Hide the preview</Trans> : <Trans>Preview</Trans>}
          </Button>
          {isShown && <TemplatePreview key={template.value} templateId={template.value} />}
        </>
      )}
    </>
  )
}

const errorOf = ({ error }: Field<unknown>) => (typeof error === 'string' ? { error } : {})

function TemplatePreview({ templateId }: { templateId: string }) {
  const { templates } = useApi().data.communication
  const template = useQuery(templates.get.queryOptions({ input: { templateId } }))
  if (template.isPending)
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  if (template.isError)
    return <ProblemState problem={template.error} title={t`The template could not be loaded`} retry={() => void template.refetch()} />
  const { subject, preheader, body } = template.data
  return (
    <div className={classes['preview']}>
      <MessagePreview content={{ subject, preheader, body: MessageBody.parse(body) }} />
    </div>
  )
}

const shown = 20
/** Templates by typing, and what one is called. */
function useTemplateSource() {
  const { templates } = useApi().data.communication
  const cache = useQueryClient()
  return useMemo(
    () => ({
      search: async (q: string, signal: AbortSignal) => {
        const { items } = await templates.list.call({ ...(q && { q }), limit: shown }, { signal })
        return items.map(({ id, name, chapter, group }) => ({ value: id, label: name, hint: chapter?.name ?? group?.name }))
      },
      names: named(async (templateId) => (await cache.query(templates.get.queryOptions({ input: { templateId } }))).name),
    }),
    [templates, cache],
  )
}
