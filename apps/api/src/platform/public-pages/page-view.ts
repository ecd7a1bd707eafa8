import { createElement as h } from 'react'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Brand } from './brand.ts'
import type { Texts } from '../texts/texts.ts'
import { styleIn } from './style.ts'

export type View = {
  title: string
  body: ReactNode
  canonical?: string | undefined
  /** What search engines and messengers show beside the title. */
  summary?: string | undefined
  /** What messengers show of it: an address that needs nothing else, and what is to be seen. */
  picture?: { url: string; alt: string } | undefined
  /** Schema.org data for search engines; it is no script, and runs nowhere. */
  about?: Readonly<Record<string, unknown>> | undefined
  /** For who has its address: no search engine lists it. */
  isUnlisted?: boolean
  /** Made for one visitor, such as a form that may be sent once: nobody keeps it for others. */
  isPersonal?: boolean
  /** A card that stands in a frame on any website, without head and foot. */
  isFramed?: boolean
  /** 422 where a form is shown again with what is wrong in it. */
  status?: 422 | undefined
}

/** The whole page as HTML: no scripts, one style that the content policy knows by its hash. */
export function renderPage(view: View, { i18n, brand, listed, logo }: Omit<PageProps, 'view' | 'css'>) {
  const { css, hash } = styleIn(brand?.brandColor ?? null)
  const html = renderToStaticMarkup(h(Page, { view, i18n, brand, listed, logo, css }))
  return { html: `<!doctype html>${html}`, policy: policyWith(hash, view.isFramed ? '*' : "'none'") }
}

/** Nothing runs, nothing is fetched from elsewhere, and nobody frames it unless it is made for that. */
const policyWith = (styleHash: string, frames: "'none'" | '*') =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frames}`,
  ].join('; ')

type PageProps = { view: View; i18n: Texts; brand: Brand | undefined; listed: boolean; logo: string | undefined; css: string }

function Page({ view, i18n, brand, listed, logo, css }: PageProps) {
  const title = brand && brand.name !== view.title ? `${view.title} – ${brand.name}` : view.title
  return h(
    'html',
    { lang: i18n.language, dir: i18n.direction },
    h(
      'head',
      null,
      h('meta', { charSet: 'utf-8' }),
      h('title', null, title),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      listed ? null : h('meta', { name: 'robots', content: 'noindex' }),
      listed ? h('meta', { property: 'og:title', content: title }) : null,
      listed && view.summary ? h('meta', { property: 'og:description', content: view.summary }) : null,
      listed && view.picture
        ? [
            h('meta', { key: 'picture', property: 'og:image', content: view.picture.url }),
            view.picture.alt ? h('meta', { key: 'alt', property: 'og:image:alt', content: view.picture.alt }) : null,
            h('meta', { key: 'card', name: 'twitter:card', content: 'summary_large_image' }),
          ]
        : null,
      view.summary ? h('meta', { name: 'description', content: view.summary }) : null,
      listed && view.canonical ? h('meta', { property: 'og:url', content: view.canonical }) : null,
      view.canonical ? h('link', { rel: 'canonical', href: view.canonical }) : null,
      view.about
        ? h('script', {
            type: 'application/ld+json',
            dangerouslySetInnerHTML: { __html: JSON.stringify(view.about).replaceAll('<', String.raw`\u003c`) },
          })
        : null,
      h('link', { rel: 'icon', href: 'data:,' }),
      h('style', null, css),
    ),
    view.isFramed
      ? h('body', { className: 'card' }, h('main', null, h('h1', null, view.title), view.body))
      : h(
          'body',
          null,
          h('div', { className: 'band' }),
          // A page that has the organisation's own name as its title says it once.
          logo || (brand && brand.name !== view.title)
            ? h(
                'header',
                null,
                logo ? h('img', { className: 'logo', src: logo, alt: '' }) : null,
                brand && brand.name !== view.title ? brand.name : null,
              )
            : null,
          h('main', null, h('h1', null, view.title), view.body),
          h(
            'footer',
            null,
            h('a', { href: '/' }, i18n._('Sign in')),
            h('a', { href: '/contact' }, i18n._('Contact')),
            h('a', { href: '/privacy' }, i18n._('Privacy')),
          ),
        ),
  )
}

/** Says in the clothes of the organisation that there is nothing to see. */
export const notFoundView = (i18n: Texts): View => ({
  title: i18n._('Page not found'),
  body: h('p', null, i18n._('There is no page at this address. It may have been removed.')),
})

export const linkRefusedView = (i18n: Texts): View => ({
  title: i18n._('This link is not valid (any more)'),
  body: h('p', null, i18n._('Check that the whole address was opened, or ask the sender for a new link.')),
})

export const tooManyView = (i18n: Texts): View => ({
  title: i18n._('Too many requests'),
  body: h('p', null, i18n._('Too many pages were opened from your network. Try again later.')),
})

export const unavailableView = (i18n: Texts): View => ({
  title: i18n._('Not available right now'),
  body: h('p', null, i18n._('Something went wrong here. Try again in a moment.')),
})
