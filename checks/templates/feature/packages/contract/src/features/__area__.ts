import * as z from 'zod'
import { act, get, patch, post } from '../base.ts'
import { ChapterRef, Id, Instant, ListInput, Version, lines, page, text } from '../shapes.ts'

const tag = '__Area__'

export const __Record__Status = z.enum(['planned', 'active', 'done'])
export type __Record__Status = z.infer<typeof __Record__Status>

export const __Records__ListInput = ListInput.extend({
  filter: ListInput.shape.filter.describe('JSON of conditions on name, status, chapter (with those below), createdAt and archived'),
  sort: ListInput.shape.sort.describe('name (default), status, createdAt, match (best answer to q first); "-" in front reverses it'),
}).meta({ examples: [{ q: 'spring', sort: '-createdAt' }] })

export const __Record__Row = z.object({
  id: Id,
  name: z.string(),
  status: __Record__Status,
  chapter: ChapterRef.nullable().describe('Null for the whole organisation'),
  archivedAt: Instant.nullable(),
  createdAt: Instant,
  version: Version,
})
export type __Record__Row = z.infer<typeof __Record__Row>

export const __Record__ = __Record__Row.extend({
  description: z.string(),
  updatedAt: Instant,
  may: z.object({ edit: z.boolean() }).describe('What the caller may do with it; screens offer nothing else'),
})
export type __Record__ = z.infer<typeof __Record__>

const Facts = { name: text(150, 1), status: __Record__Status, chapterId: Id.nullable(), description: lines(5000) }
export const New__Record__ = z
  .strictObject({ ...z.strictObject(Facts).partial().shape, name: Facts.name })
  .meta({ examples: [{ name: 'Spring', status: 'planned' }] })
export type New__Record__ = z.infer<typeof New__Record__>
export const __Record__Change = z
  .strictObject(Facts)
  .partial()
  .meta({ examples: [{ status: 'active' }] })
export type __Record__Change = z.infer<typeof __Record__Change>
const One__Record__ = z.strictObject({ __record__Id: Id })

export const __area__Data = {
  list: get('/__records_path__', 'list__Records__', {
    needs: 'signed-in',
    tag,
    summary: '__Records_words__ that you may see, a page at a time; archived ones only with the filter archived',
  })
    .input(__Records__ListInput)
    .output(page(__Record__Row)),
  create: post('/__records_path__', 'create__Record__', { needs: '__area__.manage', tag, summary: 'Create __a_record_words__' })
    .input(New__Record__)
    .output(__Record__),
  get: get('/__records_path__/{__record__Id}', 'get__Record__', {
    needs: '__area__.read',
    tag,
    summary: '__A_record_words__ and what you may do with it',
  })
    .input(One__Record__)
    .output(__Record__),
  update: patch('/__records_path__/{__record__Id}', 'update__Record__', {
    needs: '__area__.manage',
    tag,
    summary: 'Change __a_record_words__; what is left out stays',
  })
    .input(__Record__Change.extend(One__Record__.shape))
    .output(__Record__),
  archive: act('/__records_path__/{__record__Id}/archive', 'archive__Record__', {
    needs: '__area__.manage',
    tag,
    summary: 'Archive __a_record_words__; it keeps its history',
  })
    .input(One__Record__)
    .output(__Record__),
  restore: act('/__records_path__/{__record__Id}/restore', 'restore__Record__', {
    needs: '__area__.manage',
    tag,
    summary: 'Restore an archived __record_words__',
  })
    .input(One__Record__)
    .output(__Record__),
}
