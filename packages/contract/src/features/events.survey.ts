import * as z from 'zod'
import { get, put } from '../base.ts'
import { Id, Instant, lines } from '../shapes.ts'
import { Answer, EventQuestion, NewSurveyQuestion, SeriesScope } from './events.ts'

const tag = 'Events'
const OneEvent = z.strictObject({ eventId: Id })

export const SurveyAgain = z.enum(['yes', 'maybe', 'no'])
export type SurveyAgain = z.infer<typeof SurveyAgain>
export const SurveyQuestion = EventQuestion.omit({ ofGuests: true })
export type SurveyQuestion = z.infer<typeof SurveyQuestion>

export const SurveyAnswer = z.object({
  rating: z.int().min(1).max(5),
  again: SurveyAgain.nullable(),
  comment: z.string(),
  answers: z.array(Answer),
  answeredAt: Instant,
  changeUntil: Instant.describe('14 days after it was given, while the survey is open'),
})
export type SurveyAnswer = z.infer<typeof SurveyAnswer>
export const NewSurveyAnswer = z
  .strictObject({
    rating: z.int().min(1).max(5).describe('5 is best'),
    again: SurveyAgain.nullable().default(null).describe('Would come again'),
    comment: lines(2000).default(''),
    answers: z.array(Answer).max(5).default([]),
  })
  .meta({ examples: [{ rating: 5, again: 'yes', comment: 'The best one yet.' }] })
export type NewSurveyAnswer = z.infer<typeof NewSurveyAnswer>

export const EventSurvey = z.object({
  enabled: z.boolean(),
  questions: z.array(SurveyQuestion).describe('Asked in addition to the rating, whether they would come again, and a comment'),
  mine: z
    .object({
      open: z.boolean().describe('From the end of the event, for 60 days'),
      mayAnswer: z.boolean().describe('Answer it, or change the answer'),
      closesAt: Instant,
      answer: SurveyAnswer.nullable(),
    })
    .nullable()
    .describe('Null for people who are not asked: those who were checked in are, or where nobody was, everybody with a seat'),
})
export type EventSurvey = z.infer<typeof EventSurvey>
export const EventSurveyChange = z
  .strictObject({
    enabled: z.boolean(),
    questions: z.array(NewSurveyQuestion).max(5).default([]),
    scope: SeriesScope.extract(['this', 'following'])
      .default('this')
      .describe('Of an event in a series: this one, or with those that follow'),
  })
  .meta({ examples: [{ enabled: true, questions: [{ text: 'How was the food?' }] }] })
export type EventSurveyChange = z.input<typeof EventSurveyChange>

export const EventSurveyResults = z.object({
  asked: z.int().describe('People who are asked; the response rate is answered / asked'),
  answered: z.int(),
  figures: z
    .object({
      average: z.number(),
      ratings: z.array(z.int()).describe('How often each rating was given, from 1 to 5'),
      again: z.object({ yes: z.int(), maybe: z.int(), no: z.int() }),
      comments: z.array(z.string()).describe('At most 200, in no particular order'),
      questions: z.array(
        z.object({
          id: Id,
          text: z.string(),
          kind: EventQuestion.shape.kind,
          answered: z.int(),
          options: z.array(z.object({ value: z.string().describe('true or false of a yes-or-no question'), count: z.int() })),
          texts: z.array(z.string()).describe('At most 200, in no particular order'),
        }),
      ),
    })
    .nullable()
    .describe('Null while fewer than 3 people have answered, since figures would tell who said what'),
})
export type EventSurveyResults = z.infer<typeof EventSurveyResults>

export const eventsSurvey = {
  get: get('/events/{eventId}/survey', 'getEventSurvey', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'The survey after an event, with your own answer',
  })
    .input(OneEvent)
    .output(EventSurvey),
  set: put('/events/{eventId}/survey', 'setEventSurvey', {
    needs: 'signed-in',
    tag,
    summary: 'Switch the survey of an event you manage on or off, and choose its questions; these are replaced as a list',
  })
    .input(EventSurveyChange.extend(OneEvent.shape))
    .output(EventSurvey),
  answer: put('/events/{eventId}/survey/answer', 'answerEventSurvey', {
    needs: 'signed-in',
    tag,
    summary: 'Answer the survey of an event you were at, or change your answer within 14 days; organisers see it without your name',
  })
    .input(NewSurveyAnswer.extend(OneEvent.shape))
    .output(EventSurvey),
  results: get('/events/{eventId}/survey/results', 'getEventSurveyResults', {
    needs: 'signed-in',
    tag,
    summary: 'What people answered to the survey of an event you manage, without names',
  })
    .input(OneEvent)
    .output(EventSurveyResults),
  download: get('/events/{eventId}/survey/results/csv', 'downloadEventSurveyResults', {
    needs: 'signed-in',
    tag,
    summary: 'The results of a survey as CSV: a line for each figure and each text',
  })
    .input(OneEvent)
    .output(z.file()),
}
