import { randomBytes } from 'node:crypto'
import { isMergeField, mergeParts } from '@guildhall/contract/merge-fields'
import type { MergeField, MergeValues } from '@guildhall/contract/merge-fields'
import type { MessageContent } from '@guildhall/contract/message-blocks'
import { hrefOf } from '@guildhall/contract/message-blocks'
import mjml2html from 'mjml'
import { attribute, escape } from '../../../platform/mail/formatted-mail.ts'
import { mailHead, mailTop, paper } from '../../../platform/mail/layout.ts'
import type { MailBrand, Written } from '../../../platform/mail/layout.ts'
import { languageFor, textsIn } from '../../../platform/texts/texts.ts'
import { bodyMarkup, bodyText } from './communication.blocks.rules.ts'
import type { EventFacts, Pen } from './communication.blocks.rules.ts'

// A message is made in two steps. `prepareMessage` lays it out once for each message, language and brand and cuts it at its merge fields and links;
// `fillMessage` writes it for one recipient. What is filled in goes between the pieces and is looked at by nobody, so no data is ever evaluated.

export type Preparing = MessageContent & {
  language: string
  brand: MailBrand
  publicUrl: string
  /** By id; one that is gone leaves its block out. */
  events: ReadonlyMap<string, EventFacts>
  /** Where a picture can be had, by its file's id; one without an address leaves its block out. */
  pictureUrl: (fileId: string) => string | undefined
  /** Why somebody gets this, in the message's language; a sentence of ours stands there without it. */
  reason?: string | undefined
  /** Lines below it, such as a postal address. */
  imprint?: string | undefined
  /** Essential mail has no link to unsubscribe. */
  offers: { preferences: boolean; unsubscribe: boolean }
  /** In a preview, where nothing comes along. */
  logoUrl?: string | undefined
}

/** How a piece is written: between tags, within an attribute, or as plain text. */
type As = 'html' | 'attribute' | 'plain'
export type Piece =
  | string
  | { as: As; field: MergeField; fallback: string }
  /** The place in `links`. */
  | { as: As; link: number }
  | { as: As; address: 'preferences' | 'unsubscribe' }
  | { pixel: true }

/** Plain data: it can be kept, and handed to another process. */
export type Prepared = {
  language: string
  subject: Piece[]
  html: Piece[]
  text: Piece[]
  /** Addresses of the message in the order in which they stand in it; those of the footer are not among them. */
  links: string[]
  fields: MergeField[]
}

export type FillLinks = {
  preferencesUrl?: string | undefined
  unsubscribeUrl?: string | undefined
  /** Leads a link elsewhere, such as through the counting of clicks. */
  rewriteLink?: ((href: string, index: number) => string) | undefined
  /** A picture that tells that a mail was opened; none unless it is given. */
  openUrl?: string | undefined
}

export async function prepareMessage(message: Preparing): Promise<Prepared> {
  const { brand, publicUrl, events, offers } = message
  const language = languageFor(undefined, message.language)
  const i18n = textsIn(language)
  const { direction } = i18n
  // Letters and figures that nobody can have written, and that MJML leaves as they are.
  const secret = randomBytes(9).toString('hex')
  const pieces: Piece[] = []
  const mark = (piece: Piece) => `q${secret}q${pieces.push(piece) - 1}q`
  const cut = (text: string) => cutAt(text, secret, pieces)
  const fields = new Set<MergeField>()
  const links: string[] = []

  const words = (as: As) => (text: string) =>
    mergeParts(text)
      .map((part) => {
        if (typeof part === 'string') return written(part, as)
        // A field that does not exist blocks sending; a preview shows it as it was written.
        if (!isMergeField(part.name)) return written(text.slice(part.start, part.end), as)
        fields.add(part.name)
        return mark({ as, field: part.name, fallback: part.fallback ?? '' })
      })
      .join('')
  const penFor = (as: As): Pen => {
    let at = 0
    return {
      words: words(as),
      keep: mark,
      link(href) {
        const address = hrefOf(href, publicUrl)
        if (address === undefined) return undefined
        const index = at++
        links[index] = address
        return mark({ as: as === 'plain' ? 'plain' : 'attribute', link: index })
      },
    }
  }
  const body = bodyMarkup(message.body, {
    pen: penFor('html'),
    i18n,
    events,
    pictureUrl: message.pictureUrl,
    direction,
    alt: words('attribute'),
  })
  const foot = message.reason ?? i18n._('You are receiving this mail from {organisation}.', { organisation: brand.name })
  const imprint = message.imprint?.trim() ?? ''
  const logo = brand.logo && { src: message.logoUrl ?? `cid:${brand.logo.cid}`, width: brand.logo.width }
  const said = {
    preferences: i18n._('Choose what you receive'),
    unsubscribe: i18n._('Unsubscribe'),
  }
  const offered = (['preferences', 'unsubscribe'] as const).filter((name) => offers[name])
  const footLines = [
    escape(foot),
    ...(imprint === '' ? [] : [escape(imprint).replaceAll('\n', '<br>')]),
    ...(offered.length === 0
      ? []
      : [offered.map((address) => `<a href="${mark({ as: 'attribute', address })}">${escape(said[address])}</a>`).join(' · ')]),
  ]
  const { html } = await mjml2html(
    `<mjml lang="${language}" dir="${direction}">
      ${mailHead({
        ...{ direction, color: brand.color, onColor: brand.onColor },
        // MJML puts the title into an attribute as well.
        title: mark(words('attribute')(message.subject)),
        preview: mark(`${words('html')(message.preheader)}${unseen}`),
      })}
      <mj-body background-color="#f2f3f5" width="600px" css-class="page">
        ${mailTop({ direction, color: brand.color, logo, organisation: mark(escape(brand.name)) })}
        <mj-wrapper css-class="paper" background-color="${paper.light}" padding="16px 0" border-radius="8px">${body}</mj-wrapper>
        <mj-section padding="8px 0 24px"><mj-column><mj-text css-class="words quiet" font-size="13px" line-height="20px" color="#60646c">${mark(
          footLines.join('<br>'),
        )}</mj-text><mj-raw>${mark({ pixel: true })}</mj-raw></mj-column></mj-section>
      </mj-body>
    </mjml>`,
    { validationLevel: 'strict' },
  )
  const text = [
    ...bodyText(message.body, { pen: penFor('plain'), i18n, events, pictureUrl: message.pictureUrl }),
    [
      '-- ',
      foot,
      ...(imprint === '' ? [] : [imprint]),
      ...offered.map((address) => `${said[address]}: ${mark({ as: 'plain', address })}`),
      ...(offered.length === 0 ? [publicUrl] : []),
    ].join('\n'),
  ].join('\n\n')
  return {
    language,
    subject: cut(words('plain')(message.subject)), // MJML indents what it writes, which is a third of it.
    html: cut(html.replace(/\n\s+/g, '\n')),
    text: cut(`${text}\n`),
    links,
    fields: [...fields],
  }
}

/** Behind the preheader, so that programs show nothing of the body beside it. */
const unseen = '&#847;&zwnj;&nbsp;'.repeat(60)

const written = (text: string, as: As) => (as === 'plain' ? text : as === 'html' ? escape(text) : attribute(text))

/** The text in pieces; markup that was kept is put in where it belongs, and may have marks itself. */
function cutAt(text: string, secret: string, pieces: readonly Piece[]): Piece[] {
  const made: Piece[] = []
  const add = (piece: Piece) => {
    const last = made.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') made[made.length - 1] = last + piece
    else if (piece !== '') made.push(piece)
  }
  for (const [at, part] of text.split(`q${secret}q`).entries()) {
    if (at === 0) {
      add(part)
      continue
    }
    const end = part.indexOf('q')
    const piece = pieces[Number(part.slice(0, end))] ?? ''
    for (const inner of typeof piece === 'string' ? cutAt(piece, secret, pieces) : [piece]) add(inner)
    add(part.slice(end + 1))
  }
  return made
}

/** One line, whatever somebody is called: no value ends a header or begins another one. */
// eslint-disable-next-line no-control-regex -- these are what is taken out
const oneLine = (value: string) => value.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')

/** The message for one recipient. */
export function fillMessage(prepared: Prepared, values: MergeValues, links: FillLinks): Written {
  const known = new Map<string, string>()
  const valueOf = (field: MergeField, fallback: string) => {
    const found = known.get(field) ?? oneLine(values[field] ?? '').trim()
    known.set(field, found)
    return found === '' ? fallback : found
  }
  const hrefs = prepared.links.map((href, index) => links.rewriteLink?.(href, index) ?? href)
  const addresses = { preferences: links.preferencesUrl ?? '', unsubscribe: links.unsubscribeUrl ?? '' }
  const write = (pieces: readonly Piece[]) => {
    let out = ''
    for (const piece of pieces) {
      if (typeof piece === 'string') out += piece
      else if ('pixel' in piece)
        out +=
          links.openUrl === undefined ? '' : `<img src="${attribute(links.openUrl)}" alt="" width="1" height="1" style="display:block">`
      else if ('field' in piece) out += written(valueOf(piece.field, piece.fallback), piece.as)
      else if ('link' in piece) out += written(hrefs[piece.link] ?? '', piece.as)
      else out += written(addresses[piece.address], piece.as)
    }
    return out
  }
  return { subject: oneLine(write(prepared.subject)).trim(), html: write(prepared.html), text: write(prepared.text) }
}

/** Fields of the message that stay empty for this recipient, since there is neither a value nor a fallback. */
export function missingValues({ subject, html, text }: Prepared, values: MergeValues): MergeField[] {
  const missing = new Set<MergeField>()
  for (const piece of [...subject, ...html, ...text])
    if (typeof piece !== 'string' && 'field' in piece && piece.fallback === '' && (values[piece.field] ?? '').trim() === '')
      missing.add(piece.field)
  return [...missing]
}
