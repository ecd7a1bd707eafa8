import { Radio, Stack, Switch } from '@mantine/core'
import '@mantine/core/styles/Radio.css'
import type { EventSurvey } from '@guildhall/contract/features/events.survey'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { RecordForm, useRecordForm } from '../../../ui/form/record-form.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { newKey, questionsOf, questionValuesOf } from '../edit/event-values.ts'
import type { QuestionValues } from '../edit/event-values.ts'
import { QuestionRows } from '../edit/question-rows.tsx'
import type { Event } from '../events-api.ts'

/** Whether people who came are asked how it was, and what they are asked; for those who run the event. */
export function SurveySection({ event }: { event: Event }) {
  const survey = useQuery(useApi().data.events.survey.get.queryOptions({ input: { eventId: event.id } }))
  return (
    <Section title={t`Survey`}>
      {survey.isPending && (
        <Loading label={t`Loading the survey`}>
          <SkeletonLines />
        </Loading>
      )}
      {survey.isError && (
        <ProblemState problem={survey.error} title={t`The survey could not be loaded`} retry={() => void survey.refetch()} />
      )}
      {survey.data && <SurveyForm event={event} survey={survey.data} />}
    </Section>
  )
}

type SurveyQuestionValues = Omit<QuestionValues, 'ofGuests'>
type Values = { enabled: boolean; questions: readonly SurveyQuestionValues[]; scope: 'this' | 'following' }

function faultsOf({ questions }: Values): Record<string, string> {
  const faults = questions.flatMap(({ text, kind, options }, nth): [string, string][] => [
    ...(text.trim() === '' ? [[`questions.${nth}.text`, t`Enter the question.`] satisfies [string, string]] : []),
    ...((kind === 'choice' || kind === 'choices') && options.trim() === ''
      ? [[`questions.${nth}.options`, t`Enter the options to choose from.`] satisfies [string, string]]
      : []),
  ])
  return Object.fromEntries(faults)
}

function SurveyForm({ event, survey }: { event: Event; survey: EventSurvey }) {
  const { events } = useApi().data
  const cache = useQueryClient()
  const form = useRecordForm<Values>(faultsOf, {
    enabled: survey.enabled,
    questions: questionValuesOf(survey.questions),
    scope: 'this',
  })
  const { enabled, questions, scope } = form.values
  const save = async (values: Values) => {
    const saved = await events.survey.set.call({
      ...{ eventId: event.id, enabled: values.enabled, scope: values.scope },
      questions: questionsOf(values.questions),
    })
    cache.setQueryData(events.survey.get.queryKey({ input: { eventId: event.id } }), saved)
    form.setFieldValue('questions', questionValuesOf(saved.questions))
    await cache.invalidateQueries({ queryKey: events.survey.key() })
    toast.success(t`Survey saved`)
  }
  return (
    <RecordForm form={form} onSubmit={save} submitLabel={<Trans>Save survey</Trans>}>
      <Switch
        label={t`Ask people how it was`}
        description={t`After the event, everyone checked in gets a mail. If nobody was checked in, everyone with a seat gets it. Results do not show names.`}
        checked={enabled}
        onChange={({ currentTarget }) => form.setFieldValue('enabled', currentTarget.checked)}
      />
      {enabled && (
        <>
          <p>
            <Trans>
              The survey asks for an overall rating from 1 to 5, whether people would come again, and comments. Add up to five questions of
              your own.
            </Trans>
          </p>
          <QuestionRows<SurveyQuestionValues>
            rows={questions}
            onChange={(rows) => form.setFieldValue('questions', rows)}
            errorOf={(path) => form.errors[path]}
            make={() => ({ key: newKey(), text: '', kind: 'line', required: false, options: '' })}
            most={5}
          />
          <p>
            <Trans>
              Set when the mail is sent, and add your own words, under{' '}
              <AppLink href={`/event/${event.id}?section=messages`}>Messages</AppLink>. See the results under{' '}
              <AppLink href={`/event/${event.id}/analytics`}>Analytics</AppLink>.
            </Trans>
          </p>
        </>
      )}
      {event.series && (
        <Radio.Group
          label={t`Applies to`}
          value={scope}
          onChange={(value) => form.setFieldValue('scope', value === 'following' ? 'following' : 'this')}
        >
          <Stack gap={8} mt={6}>
            <Radio value="this" label={t`Only this event`} />
            <Radio value="following" label={t`This and the following events`} />
          </Stack>
        </Radio.Group>
      )}
    </RecordForm>
  )
}
