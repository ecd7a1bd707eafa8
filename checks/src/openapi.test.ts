import { get, patch, post } from '@guildhall/contract/base'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { openApi, openApiDocuments } from './openapi.ts'

const contract = {
  list: get('/toys', 'listToys', { needs: 'public', tag: 'Toys', summary: 'Toys' })
    .input(z.strictObject({ limit: z.int().min(1).max(200).optional() }))
    .output(z.object({ names: z.array(z.string().max(80)) })),
  touch: post('/toys/touch', 'touchToys', { needs: 'signed-in', tag: 'Toys', summary: 'Touch', status: 204 }).output(z.void()),
  rename: patch('/toys/{toyId}', 'renameToy', { needs: 'signed-in', tag: 'Toys', summary: 'Rename' })
    .input(z.strictObject({ toyId: z.uuid(), name: z.string().min(1).max(80) }))
    .output(z.void()),
}
const { paths = {} } = await openApi(contract, '/data', 'Toys', 'Toys')

test('bounds of the schemas reach the document', () => {
  expect(paths['/toys']?.get?.parameters).toContainEqual(
    expect.objectContaining({ name: 'limit', schema: expect.objectContaining({ minimum: 1, maximum: 200 }) }),
  )
  expect(JSON.stringify(paths['/toys/{toyId}']?.patch?.requestBody)).toContain('"maxLength":80')
})

test('an answer 204 has no content', () => {
  expect(paths['/toys/touch']?.post?.responses['204']).not.toHaveProperty('content')
})

test('every error is a problem document with its meaning', () => {
  expect(paths['/toys']?.get?.responses['404']).toEqual({
    description: 'There is no such record',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  })
})

test('headers that a procedure asks for are documented, and who may call it', () => {
  expect(paths['/toys/{toyId}']?.patch?.parameters).toContainEqual(expect.objectContaining({ name: 'If-Match', required: true }))
  expect(paths['/toys/touch']?.post?.parameters).toContainEqual(expect.objectContaining({ name: 'Idempotency-Key', required: false }))
  expect(paths['/toys']?.get).toMatchObject({ security: [], description: 'Open to everyone.' })
})

test('every shared schema that a document names is in it', async () => {
  for (const document of Object.values(await openApiDocuments())) {
    const wanted = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name)
    expect(wanted.filter((name) => !(String(name) in (document.components?.schemas ?? {})))).toEqual([])
  }
})
