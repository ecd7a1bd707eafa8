import { renderFormattedText } from '@guildhall/contract/formatted-document'
import mjml2html from 'mjml'
import type { Texts } from '../texts/texts.ts'
import { linkOn } from '../public-pages/colors.ts'
import { attribute, escape, htmlTarget, textTarget } from './formatted-mail.ts'
import type { MailContent } from './mail-content.ts'

/** How the organisation shows in its mails. The logo travels with the mail: programs show it without asking, and fetching it tells nobody who reads. */
export type MailBrand = { name: string; color: string; onColor: string; logo?: Logo | undefined }
export type Logo = { cid: string; content: Buffer; width: number }
export const logoHeight = 40

export type Written = { subject: string; html: string; text: string }

type Frame = {
  direction: 'ltr' | 'rtl'
  language: string
  color: string
  onColor: string
  logo: Pick<Logo, 'cid' | 'width'> | undefined
  hasAction: boolean
}

export const paper = { light: '#ffffff', dark: '#1f2328' }
const link = { light: '#1c4f9c', dark: '#8fb8f5' }

/** Marks that the compiled frame is filled at: letters, so that MJML leaves them as they are. */
const mark = (name: string) => `%%${name}%%`

const compiled = new Map<string, Promise<string>>()
const mostFrames = 200

/** MJML is compiled once for each language, brand and kind of mail; after that a mail is a few replaced strings. */
async function frameOf(frame: Frame): Promise<string> {
  const key = JSON.stringify(frame)
  const found = compiled.get(key)
  if (found) return found
  if (compiled.size >= mostFrames) compiled.clear()
  const made = compile(frame)
  compiled.set(key, made)
  made.catch(() => compiled.delete(key))
  return made
}

/** The head of every mail: letters, colours for the light and for the dark, and the words for lists of mails. Title and preview are put in as they are. */
export function mailHead({
  direction,
  color,
  onColor,
  title,
  preview,
}: Pick<Frame, 'direction' | 'color' | 'onColor'> & { title: string; preview: string }) {
  const links = { light: linkOn(paper.light, color, link.light), dark: linkOn(paper.dark, color, link.dark) }
  const align = alignOf(direction)
  return `<mj-head>
        <mj-title>${title}</mj-title>
        <mj-preview>${preview}</mj-preview>
        <mj-raw><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></mj-raw>
        <mj-attributes>
          <mj-all font-family="system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif" />
          <mj-text font-size="16px" line-height="24px" color="#1c2024" align="${align}" padding="8px 24px" />
          <mj-button background-color="${color}" color="${onColor}" border-radius="6px" font-size="16px" inner-padding="12px 20px" align="${align}" padding="16px 24px" />
        </mj-attributes>
        <mj-style>:root { color-scheme: light dark } .words a { color: ${links.light} } blockquote { margin: 0; padding-inline-start: 12px; border-inline-start: 3px solid #d0d4da }
          @media (prefers-color-scheme: dark) {
            body, .page { background-color: #15181c !important }
            .paper, .paper > table { background: ${paper.dark} !important; background-color: ${paper.dark} !important }
            .words, .words div { color: #e8eaed !important }
            .words a { color: ${links.dark} !important }
            .quiet div { color: #a7afb8 !important }
            .logo td { background-color: #ffffff; border-radius: 6px }
          }</mj-style>
      </mj-head>`
}

export const alignOf = (direction: 'ltr' | 'rtl') => (direction === 'rtl' ? 'right' : 'left')

/** Stripe, logo and name above every mail. */
export const mailTop = ({
  direction,
  color,
  logo,
  organisation,
}: Pick<Frame, 'direction' | 'color'> & { logo: Shown | undefined; organisation: string }) =>
  `<mj-section padding="0"><mj-column><mj-divider border-width="6px" border-color="${color}" padding="0" /></mj-column></mj-section>
        <mj-section padding="24px 0 8px"><mj-column>${
          logo === undefined
            ? ''
            : `<mj-image css-class="logo" src="${attribute(logo.src)}" alt="" align="${alignOf(direction)}" height="${logoHeight}px" width="${logo.width}px" padding="0 24px 8px" />`
        }<mj-text css-class="words" font-size="18px" font-weight="600">${organisation}</mj-text></mj-column></mj-section>`
type Shown = { src: string; width: number }

async function compile({ direction, language, color, onColor, logo, hasAction }: Frame): Promise<string> {
  const { html } = await mjml2html(
    `<mjml lang="${language}" dir="${direction}">
      ${mailHead({ direction, color, onColor, title: mark('TITLE'), preview: mark('PREVIEW') })}
      <mj-body background-color="#f2f3f5" width="600px" css-class="page">
        ${mailTop({ direction, color, logo: logo && { src: `cid:${logo.cid}`, width: logo.width }, organisation: mark('ORGANISATION') })}
        <mj-section css-class="paper" background-color="${paper.light}" padding="16px 0" border-radius="8px"><mj-column>
          <mj-text css-class="words">${mark('BODY')}</mj-text>
          ${hasAction ? `<mj-button href="${mark('ACTION-ADDRESS')}">${mark('ACTION')}</mj-button>` : ''}
          <mj-text css-class="words">${mark('AFTER')}</mj-text>
        </mj-column></mj-section>
        <mj-section padding="8px 0 24px"><mj-column><mj-text css-class="words quiet" font-size="13px" line-height="20px" color="#60646c">${mark('FOOT')}</mj-text></mj-column></mj-section>
      </mj-body>
    </mjml>`,
    { validationLevel: 'strict' },
  )
  return html
}

/** One mail as HTML and as plain text, both of the same words. Nothing of what people wrote is taken for markup. */
export async function writeMail(
  content: MailContent,
  { i18n, brand, publicUrl, unsubscribeUrl }: { i18n: Texts; brand: MailBrand; publicUrl: string; unsubscribeUrl?: string | undefined },
): Promise<Written> {
  const { subject, greeting, paragraphs, document, quote, items = [], action, after = [] } = content
  const absolute = (path: string) => new URL(path, publicUrl).href
  const opening = [...(greeting ? [greeting] : []), ...paragraphs]
  const foot = i18n._('You are receiving this mail from {organisation}.', { organisation: brand.name })
  const stop = i18n._('Unsubscribe')

  const html = await frameOf({
    direction: i18n.direction,
    language: i18n.language,
    color: brand.color,
    onColor: brand.onColor,
    logo: brand.logo && { cid: brand.logo.cid, width: brand.logo.width },
    hasAction: action !== undefined,
  })
  const list = items.map(({ text, path }) =>
    path === undefined ? escape(text) : `<a href="${attribute(absolute(path))}">${escape(text)}</a>`,
  )
  const filled: Record<string, string> = {
    // MJML puts the title into an attribute as well.
    TITLE: attribute(subject),
    PREVIEW: escape(paragraphs[0] ?? subject),
    ORGANISATION: escape(brand.name),
    BODY: [
      ...opening.map(paragraph),
      ...(document ? renderFormattedText(document, htmlTarget(i18n._('Someone'))) : []),
      ...(quote ? [`<blockquote>${broken(quote)}</blockquote>`] : []),
      ...(list.length > 0 ? [`<ul>${list.map((item) => `<li>${item}</li>`).join('')}</ul>`] : []),
    ].join(''),
    'ACTION-ADDRESS': action ? attribute(absolute(action.path)) : '',
    ACTION: action ? escape(action.label) : '',
    AFTER: after.map(paragraph).join(''),
    FOOT: `${escape(foot)}${unsubscribeUrl ? ` <a href="${attribute(unsubscribeUrl)}">${escape(stop)}</a>` : ''}`,
  }
  const text = [
    ...opening,
    ...(document ? renderFormattedText(document, textTarget(i18n._('Someone'))).map((block) => block.trim()) : []),
    ...(quote ? [quote.replace(/^/gm, '> ')] : []),
    ...(items.length > 0
      ? [items.map((item) => `- ${item.text}${item.path === undefined ? '' : `\n  ${absolute(item.path)}`}`).join('\n')]
      : []),
    ...(action ? [`${action.label}:\n${absolute(action.path)}`] : []),
    ...after,
    `-- \n${foot}${unsubscribeUrl ? `\n${stop}: ${unsubscribeUrl}` : `\n${publicUrl}`}`,
  ].join('\n\n')
  return { subject, html: html.replaceAll(/%%([A-Z-]+)%%/g, (whole, name: string) => filled[name] ?? whole), text: `${text}\n` }
}

const paragraph = (text: string) => `<p style="margin:0 0 12px">${broken(text)}</p>`
const broken = (text: string) => escape(text).replaceAll('\n', '<br>')
