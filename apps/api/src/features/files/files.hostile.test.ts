import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, expect } from 'vitest'
import { storedTypes } from '@guildhall/contract/features/files'
import { zip } from '../../platform/files/zip-testing.ts'
import { endWorld, test } from '../../testing.ts'
import { fetched, send } from './files.testing.ts'

afterAll(endWorld)

// Whatever is sent: it is stored as what it is or not at all, nothing that runs leaves, and whoever sent it is told why it was refused.

const secret = 'CANARY-51.4778N'
const script = `<script>alert('${secret}')</script>`
const blank = (width = 40, height = 20) => sharp({ create: { width, height, channels: 3, background: '#aa3355' } })
const jpeg = () => blank().jpeg().toBuffer()
const png = () => blank().png().toBuffer()
const gif = () => blank().gif().toBuffer()
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n')
const officeTypes = (kind: string, main: string) =>
  `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`
const docx = (more: Parameters<typeof zip>[0] = []) =>
  zip([
    { name: '[Content_Types].xml', content: officeTypes('wordprocessingml.document', 'word/document.xml') },
    { name: 'word/document.xml', content: '<w:document/>' },
    ...more,
  ])
const odt = (more: Parameters<typeof zip>[0] = []) =>
  zip([{ name: 'mimetype', content: 'application/vnd.oasis.opendocument.text' }, { name: 'content.xml', content: '<x/>' }, ...more])
/** A PNG that says it is larger than it is. */
function claimedPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const out = Buffer.alloc(8 + body.length)
    out.writeUInt32BE(data.length, 0)
    body.copy(out, 4)
    out.writeUInt32BE(crc(body), 4 + body.length)
    return out
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(100_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
function crc(data: Buffer): number {
  let sum = ~0
  for (const byte of data) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return ~sum >>> 0
}
const located = async () =>
  blank(60, 30)
    .withExif({
      IFD0: { Copyright: secret, Artist: secret, Orientation: '6' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 28/1 40/1' },
    })
    .jpeg()
    .toBuffer()
const withComment = async () => {
  const whole = await jpeg()
  const text = Buffer.from(script)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length + 2)
  return Buffer.concat([whole.subarray(0, 2), Buffer.from('fffe', 'hex'), length, text, whole.subarray(2)])
}

type Content = Buffer | string | (() => Promise<Buffer>)
/** Refused with a reason, or stored as a type under a name. */
type Outcome = { refused: string } | { type: string; name?: string }
const no = (refused: string): Outcome => ({ refused })
const as = (type: keyof typeof storedTypes, name?: string): Outcome => (name === undefined ? { type } : { type, name })
const office = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

const attachments: [what: string, name: string, content: Content, outcome: Outcome][] = [
  // What it is and what it says it is.
  ['a page', 'page.html', `<html>${script}</html>`, no('file_not_accepted')],
  ['a page as text', 'notes.txt', `<html>${script}</html>`, no('file_not_accepted')],
  ['a page as a picture', 'photo.jpg', `<html>${script}</html>`, no('file_not_accepted')],
  ['a page after blanks', 'notes.txt', `\n\n   <!doctype html>${script}`, no('file_not_accepted')],
  ['a script in a text', 'notes.md', `# Title\n\n${script}`, no('file_not_accepted')],
  ['a drawing with a script', 'logo.svg', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`, no('file_not_accepted')],
  ['such a drawing as PNG', 'logo.png', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`, no('file_not_accepted')],
  ['a drawing with an XML head', 'logo.txt', `<?xml version="1.0"?><svg>${script}</svg>`, no('file_not_accepted')],
  [
    'XML with entities',
    'a.xml',
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    no('file_not_accepted'),
  ],
  ['JavaScript', 'run.js', 'alert(1)', no('file_not_accepted')],
  ['a shell script', 'run.txt', '#!/bin/sh\nrm -rf /', no('file_not_accepted')],
  ['a shell script by its name', 'run.sh', 'rm -rf /', no('file_not_accepted')],
  ['a batch file', 'run.txt', '@echo off\r\ndel *', no('file_not_accepted')],
  ['PHP', 'a.txt', '<?php phpinfo();', no('file_not_accepted')],
  ['PostScript', 'a.txt', '%!PS-Adobe\nshowpage', no('file_not_accepted')],
  ['rich text', 'a.txt', '{\\rtf1 x}', no('file_not_accepted')],
  ['a Windows program', 'setup.exe', Buffer.concat([Buffer.from('MZ'), randomBytes(2_000)]), no('file_not_accepted')],
  ['a Windows program as a picture', 'photo.png', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(2_000)]), no('file_not_accepted')],
  ['a Linux program', 'a.pdf', Buffer.concat([Buffer.from('7f454c46', 'hex'), Buffer.alloc(500)]), no('file_not_accepted')],
  ['WebAssembly', 'a.wasm', Buffer.from('0061736d01000000', 'hex'), no('file_not_accepted')],
  ['an archive', 'a.zip', zip([{ name: 'a.txt', content: 'a' }]), no('file_not_accepted')],
  ['an archive as a picture', 'a.jpg', zip([{ name: 'a.txt', content: 'a' }]), no('file_not_accepted')],
  [
    'an archive of archives',
    'a.zip',
    zip([{ name: 'b.zip', content: zip([{ name: 'c.zip', content: zip([]) }]) }]),
    no('file_not_accepted'),
  ],
  [
    'a Java archive',
    'a.docx',
    zip([
      { name: 'META-INF/MANIFEST.MF', content: 'Main-Class: A' },
      { name: 'A.class', content: 'x' },
    ]),
    no('file_not_accepted'),
  ],
  [
    'old Office, which may hold macros',
    'a.doc',
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2_000)]),
    no('file_not_accepted'),
  ],
  ['random bytes', 'a.txt', randomBytes(5_000), no('file_not_accepted')],
  ['random bytes as a picture', 'a.jpg', randomBytes(5_000), no('file_not_accepted')],
  ['a text under the name of a picture', 'photo.jpg', 'just words', no('file_wrong_type')],
  ['a text under the name of a PDF', 'a.pdf', 'just words', no('file_wrong_type')],
  ['a picture under the name of a text', 'a.txt', png, as('image/png', 'a.txt.png')],
  ['a picture under the name of a page', 'a.html', jpeg, as('image/jpeg', 'a.html.jpg')],
  ['a PNG under the name of a JPEG', 'a.jpg', png, as('image/png', 'a.jpg.png')],
  ['a picture without an ending', 'a', gif, as('image/gif', 'a.gif')],
  ['a text in UTF-16', 'a.txt', Buffer.from('\ufeffwords', 'utf16le'), no('file_not_accepted')],
  ['a text with NUL', 'a.txt', 'a\u0000b', no('file_not_accepted')],
  ['a text in broken UTF-8', 'a.txt', Buffer.from([0x61, 0xff, 0xfe, 0x62]), no('file_not_accepted')],
  ['formulas in a table', 'a.csv', '=cmd|calc!A1,=1+1', as('text/csv')],
  // Two things in one.
  [
    'a GIF that is an archive too',
    'a.gif',
    async () => Buffer.concat([await gif(), zip([{ name: 'A.class', content: secret }])]),
    as('image/gif'),
  ],
  ['a JPEG that is a page too', 'a.jpg', withComment, as('image/jpeg')],
  ['a PNG with a page behind it', 'a.png', async () => Buffer.concat([await png(), Buffer.from(script)]), as('image/png')],
  [
    'a JPEG with a program behind it',
    'a.jpg',
    async () => Buffer.concat([await jpeg(), Buffer.from('MZ'), Buffer.from(secret)]),
    as('image/jpeg'),
  ],
  ['a GIF that is a script', 'a.gif', Buffer.from(`GIF89a/*\u0001\u0000*/=1;alert('${secret}')`), no('file_broken')],
  ['a page that begins like a PDF', 'a.pdf', Buffer.from(`%PDF-1.4\n${script}`), no('file_broken')],
  // What stands in pictures beside the picture.
  ['a picture that says where it was taken', 'a.jpg', located, as('image/jpeg')],
  [
    'a PNG with words',
    'a.png',
    async () =>
      blank()
        .withExif({ IFD0: { ImageDescription: secret } })
        .png()
        .toBuffer(),
    as('image/png'),
  ],
  [
    'a WebP with words',
    'a.webp',
    async () =>
      blank()
        .withExif({ IFD0: { ImageDescription: secret } })
        .webp()
        .toBuffer(),
    as('image/webp'),
  ],
  [
    'an AVIF with words',
    'a.avif',
    async () =>
      blank()
        .withExif({ IFD0: { ImageDescription: secret } })
        .avif()
        .toBuffer(),
    as('image/avif'),
  ],
  // Broken and empty ones.
  ['nothing', 'a.txt', '', no('file_empty')],
  ['nothing as a picture', 'a.jpg', '', no('file_empty')],
  ['half a JPEG', 'a.jpg', async () => (await blank(400, 400).jpeg().toBuffer()).subarray(0, 900), no('file_broken')],
  ['half a PNG', 'a.png', async () => (await png()).subarray(0, 60), no('file_broken')],
  ['the first bytes of a JPEG', 'a.jpg', Buffer.from('ffd8ffe000104a464946', 'hex'), no('file_broken')],
  ['half a PDF', 'a.pdf', pdf.subarray(0, 30), no('file_broken')],
  ['half a document', 'a.docx', docx([{ name: 'word/a.bin', content: randomBytes(4_000) }]).subarray(0, 3_000), no('file_broken')],
  // Bombs.
  ['a picture of 30,000 × 30,000', 'a.png', () => Promise.resolve(claimedPng(30_000, 30_000)), no('file_too_many_pixels')],
  [
    'a picture of 2,147,483,647 × 2,147,483,647',
    'a.png',
    () => Promise.resolve(claimedPng(2_147_483_647, 2_147_483_647)),
    no('file_broken'),
  ],
  ['a picture of 100,000 × 1', 'a.png', () => Promise.resolve(claimedPng(100_000, 1)), no('file_broken')],
  ['a picture of 0 × 0', 'a.png', () => Promise.resolve(claimedPng(0, 0)), no('file_broken')],
  [
    'an animation of 41 megapixels',
    'a.gif',
    async () =>
      sharp({ create: { width: 6_500, height: 6_500, channels: 3, background: '#fff' } })
        .gif()
        .toBuffer(),
    no('file_too_many_pixels'),
  ],
  [
    'a document that unpacks to 600 MB by its word',
    'a.docx',
    docx([{ name: 'word/a.xml', content: 'a', claims: 600_000_000 }]),
    no('file_too_complex'),
  ],
  [
    'a document of one letter a million times',
    'a.docx',
    docx([{ name: 'word/a.xml', content: 'a'.repeat(20_000_000) }]),
    no('file_too_complex'),
  ],
  [
    'a document of 12,000 parts',
    'a.docx',
    docx(Array.from({ length: 12_000 }, (_, n) => ({ name: `word/${n}`, content: '' }))),
    no('file_too_complex'),
  ],
  ['101 MB', 'a.txt', () => Promise.resolve(Buffer.alloc(101_000_000, 'a')), no('upload_too_large')],
  // Documents.
  ['a document', 'a.docx', docx(), as(office)],
  ['a document with macros', 'a.docx', docx([{ name: 'word/vbaProject.bin', content: 'x' }]), no('file_macros')],
  ['a document with controls', 'a.docx', docx([{ name: 'word/activeX/activeX1.xml', content: 'x' }]), no('file_macros')],
  ['an OpenDocument with macros', 'a.odt', odt([{ name: 'Basic/Standard/Module1.xml', content: 'x' }]), no('file_macros')],
  ['an OpenDocument', 'a.odt', odt(), as('application/vnd.oasis.opendocument.text')],
  ['a PDF', 'a.pdf', pdf, as('application/pdf')],
  // Names.
  ['a path', '../../../../etc/passwd', 'words', as('text/plain', 'passwd.txt')],
  ['a path of Windows', '..\\..\\boot.txt', 'words', as('text/plain', 'boot.txt')],
  ['an absolute path', '/etc/cron.d/a.txt', 'words', as('text/plain', 'a.txt')],
  ['a name that turns round', 'photo\u202egpj.txt', 'words', as('text/plain', 'photogpj.txt')],
  ['a name with control characters', 'a\u0007\u001bb.txt', 'words', as('text/plain', 'ab.txt')],
  ['a name that nobody sees', '\u200b\u200d\ufeff', 'words', as('text/plain', 'File.txt')],
  ['no name', '', 'words', as('text/plain', 'File.txt')],
  ['dots', '...', 'words', as('text/plain', 'File.txt')],
  ['a name that Windows keeps', 'CON.txt', 'words', as('text/plain', '_CON.txt')],
  ['a name with a second header', 'a"; filename="evil.html.txt', 'words', as('text/plain')],
  ['a name of 400 letters', `${'a'.repeat(400)}.txt`, 'words', as('text/plain', `${'a'.repeat(190)}.txt`)],
  ['a name in other scripts', 'Протокол 会議.txt', 'words', as('text/plain', 'Протокол 会議.txt')],
  ['a name in pieces of letters', 'Zu\u0308rich.txt', 'words', as('text/plain', 'Zürich.txt')],
]

const faces: [what: string, content: Content, refused: string | null][] = [
  ['a JPEG', jpeg, null],
  ['one that says where it was taken', located, null],
  ['a JPEG with a page in it', withComment, null],
  ['an AVIF', () => blank().avif().toBuffer(), null],
  ['a drawing', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`, 'file_not_a_picture'],
  ['a page', script, 'file_not_a_picture'],
  ['a PDF', pdf, 'file_not_a_picture'],
  ['words', 'words', 'file_not_a_picture'],
  ['nothing', '', 'file_empty'],
  ['half a JPEG', async () => (await blank(400, 400).jpeg().toBuffer()).subarray(0, 900), 'file_broken'],
  ['30,000 × 30,000', () => Promise.resolve(claimedPng(30_000, 30_000)), 'file_too_many_pixels'],
  ['21 MB', () => Promise.resolve(Buffer.alloc(21_000_000, 'a')), 'upload_too_large'],
]

const bytesOf = async (content: Content) => (typeof content === 'function' ? content() : Buffer.from(content))

/** Several at a time, as many as one server reads at once. */
async function each<T>(all: readonly T[], run: (one: T) => Promise<void>): Promise<void> {
  const left = [...all]
  const work = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await run(one)
  }
  await Promise.all([work(), work(), work()])
}

test('there are at least 60 hostile files', () => {
  expect(attachments.length + faces.length).toBeGreaterThanOrEqual(60)
})

test(
  'whatever is sent is stored as what it is or not at all, and nothing that runs leaves',
  { timeout: 240_000 },
  async ({ api, admin, person }) => {
    const me = await person({ idpRoles: ['org-owner'] })
    const { rows } = await admin.query<{ id: string }>(`insert into app.groups (org_id, name) values ($1, 'Files') returning id`, [
      me.orgId,
    ])
    const url = `/files/group/${rows[0]?.id}`
    const found: [string, Outcome][] = []
    await each(attachments, async ([what, name, content]) => {
      const answer = await send(api.app, me, url, name, await bytesOf(content))
      if (answer.status !== 201) {
        expect([what, answer.status]).toEqual([what, expect.toSatisfy((status: number) => [413, 415, 422].includes(status))])
        expect([what, answer.body['detail']]).toEqual([what, expect.stringMatching(/^[A-Z].{20,}\.$/)])
        found.push([what, no(answer.reason ?? '?')])
        return
      }
      const { id, name: kept, type } = answer.body
      found.push([what, { type: String(type), name: String(kept) }])
      expect(String(kept)).not.toMatch(/[/\\\p{Cc}\p{Cf}]|^\./u)
      const links = await api.as(me).post(`/actions/files/${String(id)}/link`, {})
      const { url: link } = links.body as { url: string }
      for (const sent of [await fetched(api.app, me, `/actions/files/${String(id)}/content`), await fetched(api.app, null, link)]) {
        expect([what, sent.status]).toEqual([what, 200])
        const served = String(sent.headers['content-type']).split(';')[0] ?? ''
        expect([what, Object.hasOwn(storedTypes, served), served === type || served === 'text/plain']).toEqual([what, true, true])
        expect(sent.headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'content-security-policy': expect.stringContaining('sandbox'),
          'content-disposition': expect.stringMatching(/^attachment; filename="[^"\\]+"; filename\*=UTF-8''[\w.%~!-]+$/),
          'cache-control': 'no-store',
        })
        // What the picture shows is kept, and nothing of what else was in the file.
        if (served.startsWith('image/')) {
          expect([what, sent.content.includes(secret)]).toEqual([what, false])
          const { exif, icc, xmp, iptc, orientation } = await sharp(sent.content).metadata()
          expect([what, exif, icc, xmp, iptc, orientation]).toEqual([what, undefined, undefined, undefined, undefined, undefined])
        }
      }
    })
    const expected = attachments.map(([what, , , outcome]): [string, Outcome] => [what, outcome])
    const sorted = (all: [string, Outcome][]) => all.toSorted(([one], [other]) => one.localeCompare(other))
    const wanted = new Map(attachments.map(([what, , , outcome]) => [what, outcome]))
    // Where the table leaves the name open, any will do.
    const seen = found.map(([what, outcome]): [string, Outcome] => {
      const given = wanted.get(what)
      return [what, 'type' in outcome && given && !('name' in given) ? { type: outcome.type } : outcome]
    })
    expect(sorted(seen)).toEqual(sorted(expected))

    // Of what was refused nothing is left, not even a note.
    const { rows: left } = await admin.query<{ loose: number; files: number }>(
      `select (select count(*)::int from app.loose_files where org_id = $1) as loose, (select count(*)::int from app.files where org_id = $1) as files`,
      [me.orgId],
    )
    expect(left[0]).toEqual({ loose: 0, files: attachments.filter(([, , , outcome]) => 'type' in outcome).length })
  },
)

test('control: with the look at the content switched off, pages and pictures lie in the store as what their names say', async ({
  admin,
  person,
  variant,
}) => {
  const me = await person({ idpRoles: ['org-owner'] })
  const { rows } = await admin.query<{ id: string }>(`insert into app.groups (org_id, name) values ($1, 'Files') returning id`, [me.orgId])
  const { app, services } = await variant({})
  const inspects = services.inspect
  const page = Buffer.from('<!doctype html><html><script>alert(1)</script></html>')
  const given = Buffer.concat([Buffer.from('GIF89a'), page])
  const sent = async () =>
    [
      await send(app, me, `/files/group/${rows[0]?.id}`, 'holiday.png', page),
      await send(app, me, `/files/group/${rows[0]?.id}`, 'holiday.gif', given),
    ].map(({ status, reason, body }) => [status, reason, body['type'], body['id']])
  expect((await sent()).map(([status]) => status)).toEqual([415, 422])

  services.inspect = ({ name }) =>
    Promise.resolve({ type: name.endsWith('.png') ? 'image/png' : 'image/gif', ending: name.slice(-3), made: [] })
  const unseen = await sent()
  expect(unseen.map(([status, , type]) => [status, type])).toEqual([
    [201, 'image/png'],
    [201, 'image/gif'],
  ])
  // What is left then: it is sent for saving only, and never guessed at or run.
  for (const [, , type, id] of unseen) {
    const { headers, content } = await fetched(app, me, `/actions/files/${String(id)}/content`)
    expect(content.includes('<script>')).toBe(true)
    expect(headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'content-disposition': expect.stringMatching(/^attachment;/),
    })
  }
  services.inspect = inspects
})

test('a picture of somebody is a picture, turned upright, and nothing else', { timeout: 120_000 }, async ({ api, person }) => {
  const me = await person({})
  for (const [what, content, refused] of faces) {
    const answer = await send(api.app, me, `/pictures/person/${me.personId}`, 'me.jpg', await bytesOf(content))
    if (refused) {
      expect([what, answer.reason]).toEqual([what, refused])
      continue
    }
    expect([what, answer.status]).toEqual([what, 201])
    for (const [size, edge] of [
      ['small', 128],
      ['large', 512],
    ] as const) {
      const sent = await fetched(api.app, me, `/actions/pictures/${String(answer.body['pictureId'])}/${size}`)
      expect(sent.headers).toMatchObject({ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' })
      const { format, width, height, exif } = await sharp(sent.content).metadata()
      expect([what, format, width, height, exif, sent.content.includes(secret)]).toEqual([what, 'webp', edge, edge, undefined, false])
    }
  }
})
