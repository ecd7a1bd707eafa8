import { publicEventPath } from '@guildhall/contract/public-paths'
import { createElement as h } from 'react'
import type { ReactNode } from 'react'
import { qrSvg } from '../../../platform/pdf/qr-svg.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { entryOf } from '../calendar/events.calendar.entries.rules.ts'
import type { CalendarRow } from '../calendar/events.calendar.entries.rules.ts'
import { calendarFile } from '../calendar/events.calendar.rules.ts'
import { answerField } from './events.guests.rules.ts'
import type { AskedQuestion } from './events.guests.rules.ts'

// What several public pages of events are made of.

/** Of guests nothing is required by the browser: most of their fields stay empty. */
export function questionField(
  i18n: Texts,
  form: URLSearchParams,
  { id, text, kind, required, options }: AskedQuestion,
  guest?: number | string,
): ReactNode {
  const name = answerField(id, guest)
  const must = required && guest === undefined
  const sent = form.getAll(name)
  const label = required ? text : i18n._('{question} (optional)', { question: text })
  if (kind === 'flag' || kind === 'choices') {
    const all = kind === 'flag' ? [{ value: 'yes', label: text }] : options.map((option) => ({ value: option, label: option }))
    return h(
      'fieldset',
      { key: name },
      kind === 'choices' ? h('legend', null, label) : null,
      all.map(({ value, label: option }) =>
        h(
          'label',
          { key: value, className: 'choice' },
          h('input', { type: 'checkbox', name, value, required: must && kind === 'flag', defaultChecked: sent.includes(value) }),
          ` ${option}`,
        ),
      ),
    )
  }
  const more = { id: name, name, required: must, defaultValue: sent[0] ?? '' }
  return h(
    'div',
    { key: name },
    h('label', { htmlFor: name }, label),
    kind === 'choice'
      ? h('select', more, h('option', { value: '' }), ...options.map((option) => h('option', { key: option, value: option }, option)))
      : kind === 'lines'
        ? h('textarea', { ...more, maxLength: 2000, rows: 3 })
        : h('input', { ...more, maxLength: 2000 }),
  )
}

/** The calendar file stands in the page itself, so that it is there without another address. */
export function calendarLink(i18n: Texts, event: Omit<CalendarRow, 'link'> & { link?: string | null }, publicUrl: string) {
  const entry = entryOf({ ...event, link: event.link ?? null }, publicUrl, publicEventPath(event.id))
  const file = Buffer.from(calendarFile([entry])).toString('base64')
  return h('a', { href: `data:text/calendar;charset=utf-8;base64,${file}`, download: 'event.ics' }, i18n._('Add to calendar'))
}

/** The QR code as a picture in the page. */
export const qrOf = (text: string) => `data:image/svg+xml;base64,${Buffer.from(qrSvg(text)).toString('base64')}`
