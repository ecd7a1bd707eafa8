import { Button } from '@mantine/core'
import type { EventSurveyResults } from '@guildhall/contract/features/events.survey'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { Chart } from '../../../ui/charts/chart.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Stat } from '../../../ui/page/figures.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { againWords } from '../survey/survey-words.ts'
import { shareOf } from './analytics-api.ts'
import type { EventAnalytics } from './analytics-api.ts'
import classes from './analytics.module.css'

type Figures = NonNullable<EventSurveyResults['figures']>

/** What people who came said, without names. */
export function SurveyResults({ event }: { event: EventAnalytics['event'] }) {
  const { survey } = useApi().data.events
  const settings = useQuery(survey.get.queryOptions({ input: { eventId: event.id } }))
  const results = useQuery(survey.results.queryOptions({ input: { eventId: event.id } }))
  const failed = settings.error ?? results.error
  if (failed) {
    const retry = () => void Promise.all([settings.refetch(), results.refetch()])
    return (
      <Section title={t`Survey`}>
        <ProblemState problem={failed} title={t`The survey could not be loaded`} retry={retry} />
      </Section>
    )
  }
  if (!settings.data || !results.data) return null
  const { asked, answered, figures } = results.data
  if (!settings.data.enabled && answered === 0) {
    return (
      <Section title={t`Survey`}>
        <EmptyState level={3} title={t`No survey`}>
          <Trans>
            Ask people who came how it was: <AppLink href={`/event/${event.id}?section=survey`}>set up the survey</AppLink>.
          </Trans>
        </EmptyState>
      </Section>
    )
  }
  return (
    <Section title={t`Survey`} actions={figures && <Download event={event} />}>
      {figures ? (
        <Answers asked={asked} answered={answered} figures={figures} />
      ) : (
        <EmptyState level={3} title={plural(answered, { one: '# answer so far', other: '# answers so far' })}>
          <Trans>Results are shown from three answers on, so that nobody can tell who said what.</Trans>
        </EmptyState>
      )}
    </Section>
  )
}

function Download({ event }: { event: EventAnalytics['event'] }) {
  const { survey } = useApi().data.events
  const download = async () => {
    try {
      const name = event.title.replaceAll(/[\\/:*?"<>|]/g, ' ').trim() || 'survey'
      saveFile(await survey.download.call({ eventId: event.id }), `${name}.csv`)
    } catch (failure) {
      toast.error(t`The results could not be downloaded`, failure)
    }
  }
  return (
    <Button variant="default" size="compact-md" onClick={() => void download()}>
      <Trans>Export as CSV</Trans>
    </Button>
  )
}

function Answers({ asked, answered, figures }: { asked: number; answered: number; figures: Figures }) {
  const { number, percent } = useFormats()
  const words = againWords()
  const { average, ratings, again, comments, questions } = figures
  const rate = shareOf(answered, asked)
  const said = again.yes + again.maybe + again.no
  return (
    <div className={classes['stack']}>
      <div className={classes['figures']}>
        <Stat label={t`Average rating`} value={number(average)} change={t`of 5`} />
        <Stat label={t`Answers`} value={number(answered)} change={t`of ${number(asked)} people asked`} />
        {rate !== null && <Stat label={t`Response rate`} value={percent(rate)} />}
      </div>
      <div className={classes['halves']}>
        <Chart
          kind="bars"
          inOrder
          title={t`Overall rating: ${number(average)} on average`}
          summary={t`How often each rating was given; 5 is best.`}
          data={{
            heading: t`Rating`,
            series: [{ key: 'people', label: t`People` }],
            rows: ratings.map((count, nth) => ({ key: String(nth + 1), label: String(nth + 1), values: { people: count } })).toReversed(),
          }}
        />
        {said > 0 && (
          <Chart
            kind="bars"
            inOrder
            title={t`Would come again: ${number(again.yes)} of ${number(said)}`}
            summary={t`Answers to “Would you come again?”`}
            data={{
              heading: t`Answer`,
              series: [{ key: 'people', label: t`People` }],
              rows: (['yes', 'maybe', 'no'] as const).map((key) => ({ key, label: words[key], values: { people: again[key] } })),
            }}
          />
        )}
        {questions
          .filter(({ options }) => options.length > 0)
          .map((question) => (
            <Choices key={question.id} question={question} />
          ))}
      </div>
      {questions
        .filter(({ texts }) => texts.length > 0)
        .map(({ id, text, texts }) => (
          <Texts key={id} title={text} texts={texts} />
        ))}
      {comments.length > 0 && <Texts title={t`Comments`} texts={comments} />}
    </div>
  )
}

function Choices({ question }: { question: Figures['questions'][number] }) {
  const { number } = useFormats()
  const { text, kind, answered, options } = question
  const label = (value: string) => (kind !== 'flag' ? value : value === 'true' ? t`Yes` : t`No`)
  return (
    <Chart
      kind="bars"
      title={text}
      summary={t`Answers: ${number(answered)}.`}
      data={{
        heading: t`Answer`,
        series: [{ key: 'people', label: t`People` }],
        rows: options.map(({ value, count }) => ({ key: value, label: label(value), values: { people: count } })),
      }}
    />
  )
}

const mostTexts = 10

/** What was written, the same answers counted together, and the rest of a long list on request. */
function Texts({ title, texts }: { title: string; texts: readonly string[] }) {
  const { number } = useFormats()
  const [all, setAll] = useState(false)
  const same = new Map<string, number>()
  for (const text of texts) same.set(text, (same.get(text) ?? 0) + 1)
  const different = [...same].toSorted(([, a], [, b]) => b - a)
  return (
    <section aria-label={title} className={classes['written']}>
      <h3>{title}</h3>
      <ul className={classes['texts']}>
        {different.slice(0, all ? undefined : mostTexts).map(([text, count]) => (
          <li key={text}>
            {text}
            {count > 1 && <span className={classes['times']}>{plural(count, { one: '# answer', other: '# answers' })}</span>}
          </li>
        ))}
      </ul>
      {!all && different.length > mostTexts && (
        <Button variant="default" size="compact-md" onClick={() => setAll(true)}>
          {t`Show all ${number(different.length)}`}
        </Button>
      )}
    </section>
  )
}
