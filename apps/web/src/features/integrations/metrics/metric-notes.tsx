import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { MetricAnnotation, MetricAnswer } from '@guildhall/contract/features/integrations.metrics'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { useMetricsChanged } from './metric-api.ts'
import { metricEventWords } from './metric-words-public.ts'
import classes from './metrics.module.css'

/** What happened in the range, by the numbers that stand in the drawing. */
export const MetricNotes = ({ metric: { annotations, connection, mayAnnotate } }: { metric: MetricAnswer }) => (
  <Section title={t`Notes`} count={annotations.length}>
    <ol className={classes['rows']} aria-label={t`Notes`}>
      {annotations.map((note, index) => (
        <NoteRow key={note.id} note={note} number={index + 1} connectionId={connection.id} may={mayAnnotate && note.event === null} />
      ))}
    </ol>
  </Section>
)

function NoteRow({ note, number, connectionId, may }: { note: MetricAnnotation; number: number; connectionId: string; may: boolean }) {
  const { metrics } = useApi().data.integrations
  const changed = useMetricsChanged()
  const { id: annotationId, at, text, event, by } = note
  const remove = async () => {
    try {
      await metrics.removeAnnotation.call({ connectionId, annotationId })
      await changed()
      toast.undo(t`Note removed`, async () => {
        await metrics.annotate.call({ connectionId, at, text: text ?? '' })
        await changed()
      })
    } catch (problem) {
      toast.error(t`The note could not be removed`, problem)
    }
  }
  return (
    <li className={classes['row']}>
      <span>
        <span className={classes['number']}>{number}</span>
        {event === null ? text : metricEventWords()[event]}{' '}
        <span className={classes['dim']}>
          {by && `${by} · `}
          <RelativeTime at={at} />
        </span>
      </span>
      {may && (
        <Button variant="subtle" color="gray" size="compact-sm" aria-label={t`Remove note: ${text ?? ''}`} onClick={() => void remove()}>
          <Trans>Remove</Trans>
        </Button>
      )}
    </li>
  )
}
