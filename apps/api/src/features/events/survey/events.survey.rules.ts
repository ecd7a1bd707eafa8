import type { EventSurveyResults } from '@guildhall/contract/features/events.survey'
import type { Texts } from '../../../platform/texts/texts.ts'

const day = 86_400_000
/** A survey is open for 60 days from the end of the event; app_private.survey_open says the same. */
export const surveyClosesAt = ({ endsAt }: { endsAt: string }): number => Date.parse(endsAt) + 60 * day

type Line = readonly [question: string, answer: string, count: number | null]
/** A line for each figure and for each text, so that nobody sees which answers belong together. */
export function resultLines(i18n: Texts, { asked, answered, figures }: EventSurveyResults): Line[] {
  const counts: Line[] = [
    [i18n._('People asked'), '', asked],
    [i18n._('People who answered'), '', answered],
  ]
  if (!figures) return counts
  const { average, ratings, again, comments, questions } = figures
  const [rating, come] = [i18n._('Overall rating'), i18n._('Would come again')]
  const word = (kind: string, value: string) => (kind !== 'flag' ? value : value === 'true' ? i18n._('Yes') : i18n._('No'))
  return [
    ...counts,
    [i18n._('Average rating'), '', average],
    ...ratings.map((count, nth): Line => [rating, String(nth + 1), count]),
    [come, i18n._('Yes'), again.yes],
    [come, i18n._('Maybe'), again.maybe],
    [come, i18n._('No'), again.no],
    ...comments.map((comment): Line => [i18n._('Comments'), comment, null]),
    ...questions.flatMap(({ text, kind, options, texts }): Line[] => [
      ...options.map(({ value, count }): Line => [text, word(kind, value), count]),
      ...texts.map((value): Line => [text, value, null]),
    ]),
  ]
}
