import { Group, Input, Radio, Stack, Textarea } from '@mantine/core'
import '@mantine/core/styles/Radio.css'
import type { EventSurvey, SurveyAgain } from '@guildhall/contract/features/events.survey'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import type { Event } from '../events-api.ts'
import { QuestionFields } from '../register/question-fields.tsx'
import { answerFaults, answersOf } from '../register/register-values.ts'
import type { Answers } from '../register/register-values.ts'
import { againWords } from './survey-words.ts'

type Values = { rating: string; again: SurveyAgain | ''; comment: string; answers: Answers }
type Props = { event: Event; survey: EventSurvey; opened: boolean; onClose: () => void }

const ratings = ['1', '2', '3', '4', '5'] as const
const chosenAgain = (value: string): SurveyAgain | '' => (value === 'yes' || value === 'maybe' || value === 'no' ? value : '')

/** A rating, whether the reader would come again, a comment, and what the organisers ask in addition. */
export function SurveyDialog({ event, survey, opened, onClose }: Props) {
  const { events } = useApi().data
  const cache = useQueryClient()
  const given = survey.mine?.answer
  const words = againWords()
  const rated: Record<(typeof ratings)[number], string> = { 1: t`1, worst`, 2: '2', 3: '3', 4: '4', 5: t`5, best` }
  return (
    <FormDialog<Values, EventSurvey>
      opened={opened}
      onClose={onClose}
      title={t`How was ${event.title}?`}
      draft={`survey ${event.id}`}
      values={{
        rating: given ? String(given.rating) : '',
        again: given?.again ?? '',
        comment: given?.comment ?? '',
        answers: Object.fromEntries(given?.answers.map(({ questionId, value }) => [questionId, value]) ?? []),
      }}
      rules={({ rating, answers }) => ({
        ...(rating === '' && { rating: t`Choose a rating.` }),
        ...answerFaults(survey.questions, answers),
      })}
      fieldOf={(path) => path.split('.')[0] ?? path}
      submitLabel={<Trans>Send answer</Trans>}
      onSubmit={async ({ rating, again, comment, answers }) => {
        const saved = await events.survey.answer.call({
          ...{ eventId: event.id, rating: Number(rating), again: again === '' ? null : again, comment: comment.trim() },
          answers: answersOf(survey.questions, answers),
        })
        cache.setQueryData(events.survey.get.queryKey({ input: { eventId: event.id } }), saved)
        toast.success(t`Answer saved`)
        return saved
      }}
    >
      {(form) => (
        <>
          <Radio.Group label={t`Overall rating`} {...form.getInputProps('rating')}>
            <Group gap="md" mt={6}>
              {ratings.map((value) => (
                <Radio key={value} value={value} label={rated[value]} />
              ))}
            </Group>
          </Radio.Group>
          <Radio.Group
            label={<Optional>{t`Would you come again?`}</Optional>}
            value={form.values.again}
            onChange={(value) => form.setFieldValue('again', chosenAgain(value))}
          >
            <Stack gap={8} mt={6}>
              {(['yes', 'maybe', 'no'] as const).map((value) => (
                <Radio key={value} value={value} label={words[value]} />
              ))}
            </Stack>
          </Radio.Group>
          <QuestionFields
            questions={survey.questions}
            answers={form.values.answers}
            faultOf={(id) => form.errors[`answers.${id}`]}
            onChange={(answers) => form.setFieldValue('answers', answers)}
          />
          {form.errors['answers'] && <Input.Error role="alert">{form.errors['answers']}</Input.Error>}
          <Textarea
            label={<Optional>{t`Comments`}</Optional>}
            description={t`Organisers see answers without names, and only once at least three people have answered.`}
            autosize
            minRows={3}
            maxRows={10}
            maxLength={2000}
            {...form.getInputProps('comment')}
          />
        </>
      )}
    </FormDialog>
  )
}
