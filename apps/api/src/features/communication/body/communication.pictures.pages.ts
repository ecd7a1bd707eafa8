import type { PublicPage } from '../../../platform/public-pages/public-pages.ts'
import { publicPicture } from './communication.merge.queries.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The picture of a message that went out: mail programs fetch it without a sign-in. Nobody is counted by it. */
export const messagePicture: PublicPage = {
  kind: 'picture',
  path: 'message-pictures/:picture',
  async find({ db, idpOrg, params }) {
    const pictureId = params['picture'] ?? ''
    if (!uuid.test(pictureId)) return undefined
    return publicPicture(db, idpOrg, pictureId)
  },
}
