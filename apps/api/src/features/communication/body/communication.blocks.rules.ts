import { renderFormattedText } from '@guildhall/contract/formatted-document'
import type { FormattedTarget } from '@guildhall/contract/formatted-document'
import type { MessageBody, PictureWidth, SimpleBlock } from '@guildhall/contract/message-blocks'
import { attribute, escape, htmlTarget, textTarget } from '../../../platform/mail/formatted-mail.ts'
import { alignOf } from '../../../platform/mail/layout.ts'
import type { Texts } from '../../../platform/texts/texts.ts'

// Blocks as MJML and as plain text. Both go through them in the same order, so that a link has the same number in both.

/** An event as a message shows it. */
export type EventFacts = { id: string; name: string; startsAt: string; endsAt: string; timezone: string; place: string; path: string }

/** What drawing needs: texts with their merge fields, and links, each as a mark that stands for what comes later. */
export type Pen = {
  words(text: string): string
  link(href: string): string | undefined
  keep(markup: string): string
}

type Drawing = {
  pen: Pen
  i18n: Texts
  events: ReadonlyMap<string, EventFacts>
  pictureUrl: (fileId: string) => string | undefined
}
type Markup = Drawing & { direction: 'ltr' | 'rtl'; alt: (text: string) => string }

/** In CSS pixels, beside the padding of the page. */
const widths: Record<PictureWidth, number> = { full: 552, half: 276, third: 184 }
const columnWidth = 252

/** The body as sections for a wrapper. */
export function bodyMarkup({ blocks }: MessageBody, drawing: Markup): string {
  const sections: string[] = []
  let open: string[] = []
  const close = () => {
    if (open.length > 0) sections.push(`<mj-section padding="0"><mj-column>${open.join('')}</mj-column></mj-section>`)
    open = []
  }
  for (const block of blocks) {
    if (block.type !== 'columns') {
      open.push(simpleMarkup(block, drawing, widths.full))
      continue
    }
    close()
    const [left, right] = [block.left, block.right].map((column) => column.map((one) => simpleMarkup(one, drawing, columnWidth)).join(''))
    sections.push(
      `<mj-section padding="0"><mj-column vertical-align="top">${left ?? ''}</mj-column><mj-column vertical-align="top">${right ?? ''}</mj-column></mj-section>`,
    )
  }
  close()
  return sections.join('')
}

function simpleMarkup(block: SimpleBlock, drawing: Markup, most: number): string {
  const { pen, i18n, events, pictureUrl, direction, alt } = drawing
  const words = (markup: string) => `<mj-text css-class="words">${pen.keep(markup)}</mj-text>`
  const button = (label: string, href: string | undefined) =>
    href === undefined ? '' : `<mj-button href="${href}">${pen.keep(label)}</mj-button>`
  switch (block.type) {
    case 'text':
      return words(renderFormattedText(block.text, mergedTarget(htmlTarget(i18n._('Someone')), pen)).join(''))
    case 'button':
      return button(pen.words(block.label), pen.link(block.href))
    case 'picture': {
      const src = pictureUrl(block.fileId)
      const href = block.href === null ? undefined : pen.link(block.href)
      if (src === undefined) return ''
      const width = Math.min(widths[block.width], most)
      return `<mj-image src="${pen.keep(attribute(src))}" alt="${block.decorative ? '' : pen.keep(alt(block.alt))}" width="${width}px" align="${alignOf(direction)}" padding="8px 24px"${
        block.width === 'full' ? ' fluid-on-mobile="true"' : ''
      }${href === undefined ? '' : ` href="${href}"`} />`
    }
    case 'event': {
      const event = events.get(block.eventId)
      if (!event) return ''
      const lines = [
        `<strong>${escape(event.name)}</strong>`,
        escape(eventTime(event, i18n)),
        ...(event.place === '' ? [] : [escape(event.place)]),
      ]
      return words(`<p style="margin:0">${lines.join('<br>')}</p>`) + button(escape(i18n._('See the event')), pen.link(event.path))
    }
    case 'divider':
      return '<mj-divider border-width="1px" border-color="#b4bac2" padding="16px 24px" />'
  }
}

/** The body in plain text, block by block. */
export const bodyText = ({ blocks }: MessageBody, drawing: Drawing): string[] =>
  blocks
    .flatMap((block) => (block.type === 'columns' ? [...block.left, ...block.right] : [block]))
    .map((block) => simpleText(block, drawing))
    .filter((text) => text !== '')

function simpleText(block: SimpleBlock, { pen, i18n, events, pictureUrl }: Drawing): string {
  const lines = (...all: (string | undefined)[]) => all.filter((line) => line !== undefined && line !== '').join('\n')
  switch (block.type) {
    case 'text':
      return renderFormattedText(block.text, mergedTarget(textTarget(i18n._('Someone')), pen))
        .map((part) => part.trim())
        .join('\n\n')
    case 'button': {
      const label = pen.words(block.label)
      const href = pen.link(block.href)
      return href === undefined ? '' : `${label}:\n${href}`
    }
    case 'picture': {
      const href = block.href === null ? undefined : pen.link(block.href)
      if (pictureUrl(block.fileId) === undefined) return ''
      return lines(block.decorative ? undefined : `[${pen.words(block.alt)}]`, href)
    }
    case 'event': {
      const event = events.get(block.eventId)
      return event ? lines(event.name, eventTime(event, i18n), event.place, pen.link(event.path)) : ''
    }
    case 'divider':
      return '---'
  }
}

/** A target that writes merge fields where words are, and leads links through the pen. */
const mergedTarget = (target: FormattedTarget<string>, pen: Pen): FormattedTarget<string> => {
  const isPlain = target.lineBreak(0) === '\n'
  return {
    ...target,
    text: (value) => pen.words(value),
    link(href, inner) {
      const address = pen.link(href)
      if (address === undefined) return inner
      if (!isPlain) return `<a href="${address}">${inner}</a>`
      return inner === href || `mailto:${inner}` === href ? address : `${inner} (${address})`
    },
  }
}

/** From when to when, by the clocks of the place. */
function eventTime({ startsAt, endsAt, timezone }: EventFacts, i18n: Texts): string {
  const day = (instant: string) => new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(new Date(instant))
  const begins = i18n.moment(startsAt, timezone)
  if (day(startsAt) !== day(endsAt)) return `${begins} – ${i18n.moment(endsAt, timezone)}`
  return begins
}
