import { mergeFindings } from '@guildhall/contract/merge-fields'
import { eventsIn, picturesIn } from '@guildhall/contract/message-blocks'
import { readPicture } from '../../../platform/files/content.ts'
import { mailBrandOf } from '../../../platform/mail/mail-brand.ts'
import { problem } from '../../../platform/procedures/problem.ts'
import { actions } from '../../../platform/procedures/procedures.ts'
import { letterheadOf } from '../../../platform/public-pages/brand.ts'
import { languageFor, textsIn } from '../../../platform/texts/texts.ts'
import { fillMessage, missingValues, prepareMessage } from './communication.body.rules.ts'
import { findAddressee, mergeValuesOf, readEventFacts, readMergeRows, seenPictures, writesMessages } from './communication.merge.queries.ts'

/** Nothing runs in a preview, and nothing is fetched for it. */
const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`
const embedded = (content: Buffer, type: string) => `data:${type};base64,${content.toString('base64')}`

/** What is read ends before pictures are fetched and the message is laid out. */
export const messagePreview = actions.communication.messagePreview.handler(async ({ input: { personId, ...content }, context }) => {
  const { actor, services } = context
  const { person, row, brand, language, events, pictures } = await context.inTx(async (db) => {
    if (!(await writesMessages(db))) throw problem('FORBIDDEN')
    const found = await findAddressee(db, personId)
    if (personId !== null && !found) throw problem('NOT_FOUND')
    const [merged] = found ? await readMergeRows(db, [found.id]) : []
    const letterhead = await letterheadOf(db, actor.orgId)
    const spoken = languageFor(merged?.language ?? undefined, letterhead.brand.locale)
    return {
      person: found ?? null,
      row: merged,
      brand: letterhead.brand,
      language: spoken,
      events: await readEventFacts(db, eventsIn(content.body), textsIn(spoken)),
      pictures: await seenPictures(db, picturesIn(content.body)),
    }
  })
  const drawn = new Map<string, string>()
  for (const id of pictures) {
    const small = await readPicture(services.files, actor.orgId, id, 'small')
    if (small) drawn.set(id, embedded(small, 'image/webp'))
  }
  const mailBrand = await mailBrandOf(services, { orgId: actor.orgId, name: brand.name })
  const { PUBLIC_URL: publicUrl } = services.config
  const prepared = await prepareMessage({
    ...content,
    language,
    brand: mailBrand,
    publicUrl,
    events,
    pictureUrl: (fileId) => drawn.get(fileId),
    offers: { preferences: true, unsubscribe: true },
    logoUrl: mailBrand.logo && embedded(mailBrand.logo.content, 'image/png'),
  })
  const values = mergeValuesOf(row, brand.name, textsIn(language))
  const { subject, html, text } = fillMessage(prepared, values, { preferencesUrl: publicUrl, unsubscribeUrl: publicUrl })
  return {
    subject,
    html: html.replace('<head>', () => `<head>${policy}`),
    text,
    person,
    missing: missingValues(prepared, values),
    findings: mergeFindings(content),
    gone: {
      pictures: picturesIn(content.body).filter((id) => !drawn.has(id)),
      events: eventsIn(content.body).filter((id) => !events.has(id)),
    },
  }
})
