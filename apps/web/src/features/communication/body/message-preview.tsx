import { SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { MessageContent } from '@guildhall/contract/message-blocks'
import { isMergeField, mergeFindings } from '@guildhall/contract/merge-fields'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { PersonPicker } from '../../../platform/records/record-pickers.tsx'
import { styleNonce } from '../../../platform/style-nonce.ts'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { finishedPart } from './message-faults.ts'
import { fieldWords, findingWords } from './message-words.ts'
import { framedHtml, trustedForFrame } from './preview-frame.ts'
import classes from './message-editor.module.css'

const pause = 600

/** The message as one person gets it, a moment after it was changed. */
export function MessagePreview({ content }: { content: MessageContent }) {
  const { communication } = useApi().actions
  const [personId, setPersonId] = useState<string | null>(null)
  const [medium, setMedium] = useState('desktop')
  const [dark, setDark] = useState(false)
  const { subject, preheader, body } = content
  const finished = useMemo(() => ({ subject, preheader, body: finishedPart(body) }), [subject, preheader, body])
  const [asked] = useDebouncedValue(finished, pause)
  const preview = useQuery({
    queryKey: [...communication.messagePreview.key(), personId, asked],
    queryFn: ({ signal }) => communication.messagePreview.call({ ...asked, personId }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const findings = useMemo(() => mergeFindings(content), [content])
  const { data } = preview
  const words = fieldWords()
  const missing = (data?.missing ?? []).map((name) => (isMergeField(name) ? words[name] : name)).join(', ')
  const gone = data ? data.gone.pictures.length + data.gone.events.length : 0
  return (
    <section className={classes['preview']} aria-label={t`Preview`}>
      <div className={classes['controls']}>
        <SegmentedControl
          aria-label={t`Shown on`}
          value={medium}
          onChange={setMedium}
          data={[
            { value: 'desktop', label: t`Desktop` },
            { value: 'phone', label: t`Phone` },
            { value: 'text', label: t`Plain text` },
          ]}
        />
        <SegmentedControl
          aria-label={t`Colours`}
          value={dark ? 'dark' : 'light'}
          disabled={medium === 'text'}
          onChange={(value) => setDark(value === 'dark')}
          data={[
            { value: 'light', label: t`Light` },
            { value: 'dark', label: t`Dark` },
          ]}
        />
      </div>
      <PersonPicker
        label={t`As this person gets it`}
        value={personId}
        clearable
        known={data?.person && data.person.id === personId ? { value: data.person.id, label: data.person.displayName } : null}
        onChange={setPersonId}
      />
      {findings.length > 0 && (
        <ul className={classes['findings']} aria-label={t`Merge fields to look at`}>
          {findings.map((finding) => {
            const said = findingWords(finding)
            return <li key={said}>{said}</li>
          })}
        </ul>
      )}
      {missing !== '' && (
        <p className={classes['note']}>
          <Trans>Stays empty for this person: {missing}</Trans>
        </p>
      )}
      {gone > 0 && (
        <p className={classes['note']}>
          <Plural
            value={gone}
            one="# picture or event is gone, or not yours to see. It is left out."
            other="# pictures or events are gone, or not yours to see. They are left out."
          />
        </p>
      )}
      {preview.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={8} />
        </Loading>
      )}
      {preview.isError && (
        <ProblemState problem={preview.error} title={t`The preview could not be made`} retry={() => void preview.refetch()} />
      )}
      {data && !preview.isError && (
        <>
          <p className={classes['subject']}>{data.subject === '' ? <Trans>(no subject)</Trans> : data.subject}</p>
          {medium === 'text' ? (
            <pre className={classes['plain']} tabIndex={0} role="region" aria-label={t`Plain text`}>
              {data.text}
            </pre>
          ) : (
            <Frame html={data.html} dark={dark} isPhone={medium === 'phone'} />
          )}
        </>
      )}
    </section>
  )
}

/** Nothing in it runs, submits, opens or leads anywhere: a sandbox without any permission. */
function Frame({ html, dark, isPhone }: { html: string; dark: boolean; isPhone: boolean }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    if (frame.current) frame.current.srcdoc = trustedForFrame(framedHtml(html, { nonce: styleNonce(), dark }))
  }, [html, dark])
  return <iframe ref={frame} sandbox="" title={t`The message`} className={isPhone ? classes['phone'] : classes['desktop']} />
}
