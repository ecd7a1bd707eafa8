import { publicChapterPath } from '@guildhall/contract/public-paths'
import { createElement as h } from 'react'
import type { PublicPage } from '../../../platform/public-pages/public-pages.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { previewOfChapter, publicChapter } from './chapters.pages.queries.ts'
import type { ChapterPage } from './chapters.pages.queries.ts'

/** What a chapter shows to everybody, once an officer has published it. */
export const chapterPublicPage: PublicPage = {
  kind: 'published',
  path: 'chapters/:chapter',
  async show({ db, params, idpOrg, i18n, publicUrl }) {
    const chapter = await publicChapter(db, idpOrg, params['chapter'] ?? '')
    return (
      chapter && {
        title: chapter.name,
        canonical: publicUrl + publicChapterPath(chapter.code),
        body: h(ChapterBody, { chapter, i18n }),
      }
    )
  },
}

/** The same before it is published, for the officer who is about to. */
export const chapterPreviewPage: PublicPage = {
  kind: 'link',
  purpose: 'chapter-previews',
  async show({ db, idpOrg, secretHash, i18n }) {
    const chapter = await previewOfChapter(db, idpOrg, secretHash)
    return (
      chapter && {
        title: chapter.name,
        body: [
          h('p', { key: 'notice', className: 'notice' }, i18n._('Preview. This is how the page looks to everybody once it is published.')),
          h(ChapterBody, { key: 'body', chapter, i18n }),
        ],
      }
    )
  },
}

type Part = { chapter: ChapterPage; i18n: Texts }

function ChapterBody({ chapter, i18n }: Part) {
  const { city, parent, about } = chapter
  return h(
    'div',
    null,
    h('p', { className: 'quiet' }, city, city && parent ? ' · ' : null, parent ? h(ChapterName, parent) : null),
    about ? h('p', { className: 'lines' }, about) : null,
    h(Contact, { chapter, i18n }),
    h(Offices, { chapter, i18n }),
    h(Subchapters, { chapter, i18n }),
  )
}

function Contact({ chapter: { contactEmail, website, charteredOn }, i18n }: Part) {
  const site = /^https?:\/\//i.test(website) ? website : null
  const facts = [
    contactEmail ? { term: i18n._('E-mail'), value: h('a', { href: `mailto:${encodeURIComponent(contactEmail)}` }, contactEmail) } : null,
    site
      ? { term: i18n._('Website'), value: h('a', { href: site, rel: 'noreferrer noopener' }, site.replace(/^https?:\/\/|\/$/gi, '')) }
      : null,
    charteredOn ? { term: i18n._('Founded'), value: i18n.date(charteredOn) } : null,
  ].filter((fact) => fact !== null)
  if (facts.length === 0) return null
  return h('section', null, h('h2', null, i18n._('Contact')), factList(facts))
}

function Offices({ chapter: { offices }, i18n }: Part) {
  if (offices.length === 0) return null
  const facts = offices.map(({ title, names }) => ({ term: title, value: names.join(', ') || '–' }))
  return h('section', null, h('h2', null, i18n._('Officers')), factList(facts))
}

function Subchapters({ chapter: { subchapters }, i18n }: Part) {
  if (subchapters.length === 0) return null
  return h(
    'section',
    null,
    h('h2', null, i18n._('Sub-chapters')),
    h(
      'ul',
      { className: 'plain' },
      subchapters.map((one, at) =>
        h(
          'li',
          { key: at },
          h(ChapterName, one),
          one.city && one.city !== one.name ? h('span', { className: 'quiet' }, ` · ${one.city}`) : null,
        ),
      ),
    ),
  )
}

/** Its name, leading to its page if it has one. */
const ChapterName = ({ name, code }: { name: string; code: string | null }) =>
  code ? h('a', { href: publicChapterPath(code) }, name) : name

const factList = (facts: { term: string; value: ReturnType<typeof h> | string }[]) =>
  h(
    'dl',
    null,
    facts.flatMap(({ term, value }, at) => [h('dt', { key: `t${at}` }, term), h('dd', { key: `d${at}` }, value)]),
  )
