import { NewSurveyAnswer } from '@guildhall/contract/features/events.survey'
import { createElement as h } from 'react'
import type { ReactNode } from 'react'
import type { View } from '../../../platform/public-pages/page-view.ts'
import type { PublicPage } from '../../../platform/public-pages/public-pages.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { faultOfAnswers } from '../events.registrations.rules.ts'
import { questionField } from '../guests/events.parts.pages.ts'
import { answerField, answersOf } from '../guests/events.guests.rules.ts'
import { answerSurveyByLink, surveyByLink } from './events.survey.queries.ts'
import type { LinkedSurvey } from './events.survey.queries.ts'

/** The survey after an event, for whoever came without an account: by a link that only their address gets. */
export const surveyPage: PublicPage = {
  kind: 'link',
  purpose: 'surveys',
  async show({ db, idpOrg, secretHash, i18n }) {
    const survey = await surveyByLink(db, idpOrg, secretHash)
    return survey && surveyView(i18n, survey)
  },
  async act({ db, idpOrg, secretHash, i18n, form }) {
    const survey = await surveyByLink(db, idpOrg, secretHash)
    if (!survey) return { title: i18n._('Survey'), body: h('p', null, i18n._('This survey is closed.')) }
    const given = read(i18n, survey, form)
    if ('wrong' in given) return { ...surveyView(i18n, survey, { form, told: given.wrong, isWrong: true }), status: 422 }
    const isKept = await answerSurveyByLink(db, idpOrg, secretHash, given)
    const told = isKept ? i18n._('Thank you. Your answer is saved.') : i18n._('Nothing was changed. This survey is closed.')
    return surveyView(i18n, (await surveyByLink(db, idpOrg, secretHash)) ?? survey, { told })
  },
}

function read(i18n: Texts, { questions }: LinkedSurvey, form: URLSearchParams): NewSurveyAnswer | { wrong: string } {
  const value = (name: string) => (form.get(name) ?? '').replaceAll('\r\n', '\n').trim()
  const given = NewSurveyAnswer.safeParse({
    rating: Number(value('rating')),
    again: value('again') === '' ? null : value('again'),
    comment: value('comment'),
    answers: answersOf(form, questions),
  })
  if (!given.success)
    return { wrong: given.error.issues[0]?.path[0] === 'rating' ? i18n._('Choose a rating.') : i18n._('Check what you have entered.') }
  const wrong = faultOfAnswers(questions, given.data.answers, 'answers')
  if (!wrong) return given.data
  const open = questions.find(({ text }) => wrong.params?.['question'] === text)
  return { wrong: open ? i18n._('Answer “{question}”.', { question: open.text }) : i18n._('Choose one of the options.') }
}

/** What was answered before, as the form would send it. */
function formOf({ answer }: LinkedSurvey): URLSearchParams {
  if (!answer) return new URLSearchParams()
  return new URLSearchParams([
    ['rating', String(answer.rating)],
    ['again', answer.again ?? ''],
    ['comment', answer.comment],
    ...answer.answers.flatMap(({ questionId, value }): [string, string][] => {
      const name = answerField(questionId)
      if (typeof value === 'boolean') return value ? [[name, 'yes']] : []
      return typeof value === 'string' ? [[name, value]] : value.map((one): [string, string] => [name, one])
    }),
  ])
}

type Shown = { form?: URLSearchParams; told?: string; isWrong?: boolean }
function surveyView(i18n: Texts, survey: LinkedSurvey, { form = formOf(survey), told, isWrong = false }: Shown = {}): View {
  const { title, mayAnswer, open, answer } = survey
  return {
    title: i18n._('How was {event}?', { event: title }),
    isUnlisted: true,
    body: h(
      'div',
      null,
      told === undefined ? null : h('p', { className: 'notice', role: isWrong ? 'alert' : 'status' }, told),
      mayAnswer
        ? questionsForm(i18n, survey, form)
        : h(
            'p',
            null,
            open && answer ? i18n._('You have answered. An answer can be changed for 14 days.') : i18n._('This survey is closed.'),
          ),
    ),
  }
}

function questionsForm(i18n: Texts, { questions, answer }: LinkedSurvey, form: URLSearchParams) {
  const choice = (name: string, legend: string, required: boolean, options: readonly (readonly [string, string])[]): ReactNode =>
    h(
      'fieldset',
      null,
      h('legend', null, legend),
      options.map(([value, label]) =>
        h(
          'label',
          { key: value, className: 'choice' },
          h('input', { type: 'radio', name, value, required, defaultChecked: form.get(name) === value }),
          ` ${label}`,
        ),
      ),
    )
  return h(
    'form',
    { method: 'post' },
    choice('rating', i18n._('Overall rating'), true, [
      ['5', i18n._('5 (best)')],
      ...['4', '3', '2'].map((value) => [value, value] as const),
      ['1', i18n._('1 (worst)')],
    ]),
    choice('again', i18n._('Would you come again?'), false, [
      ['yes', i18n._('Yes')],
      ['maybe', i18n._('Maybe')],
      ['no', i18n._('No')],
    ]),
    questions.map((question) => questionField(i18n, form, question)),
    h('label', { htmlFor: 'comment' }, i18n._('{question} (optional)', { question: i18n._('Comments') })),
    h('textarea', { id: 'comment', name: 'comment', rows: 4, maxLength: 2000, defaultValue: form.get('comment') ?? '' }),
    h('p', { className: 'quiet' }, i18n._('Organisers see answers without names, and only once at least three people have answered.')),
    h('p', null, h('button', { type: 'submit', className: 'button' }, answer ? i18n._('Change answer') : i18n._('Send answer'))),
  )
}
