import { createElement as h } from 'react'
import { readPicture } from '../../../platform/files/content.ts'
import type { PublicPage } from '../../../platform/public-pages/public-pages.ts'
import { cardByLink } from './people.cards.queries.ts'

/** What whoever scans the code of a member card sees: that it is valid, and of its holder what they agreed to show. */
export const cardPage: PublicPage = {
  kind: 'link',
  purpose: 'cards',
  async show({ db, idpOrg, secretHash, brand, i18n, files }) {
    const card = await cardByLink(db, idpOrg, secretHash)
    if (!card) return undefined
    const picture = card.pictureId ? await readPicture(files, brand.orgId, card.pictureId, 'small') : undefined
    return {
      title: i18n._('Valid member card'),
      body: h(
        'div',
        null,
        h('p', null, i18n._('The holder of this card is a member of {organisation} today.', { organisation: brand.name })),
        picture &&
          h('img', {
            className: 'face',
            src: `data:image/webp;base64,${picture.toString('base64')}`,
            alt: i18n._('Picture of the holder'),
          }),
        card.name
          ? h('p', { className: 'name' }, card.name)
          : h('p', { className: 'quiet' }, i18n._('The holder has chosen not to show their name here.')),
        h(
          'dl',
          null,
          h('dt', null, i18n._('Chapter')),
          h('dd', null, card.chapter),
          h('dt', null, i18n._('Valid until')),
          h('dd', null, i18n.date(card.validUntil)),
        ),
      ),
    }
  },
  refused: (i18n) => ({
    title: i18n._('This card is not valid'),
    body: h('p', null, i18n._('Ask the holder to open their current card in their profile, and scan that one.')),
  }),
}
