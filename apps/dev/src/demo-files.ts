import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { contentKey } from '@guildhall/api/platform/files/content'
import type { Files } from '@guildhall/api/platform/files/files'
import type { DemoFile, KeepDemoFile } from '@guildhall/db/demo'
import sharp from 'sharp'

/** Draws and writes what the demo organisation's files hold: the same bytes for the same file. No picture shows anyone real. */
export const keepDemoFile =
  (files: Pick<Files, 'write'>): KeepDemoFile =>
  async (file) => {
    let bytes = 0
    for (const [part, content] of await contentsOf(file)) {
      await files.write(contentKey(file.orgId, file.id, part), Readable.from([content]))
      bytes += content.length
    }
    return bytes
  }

async function contentsOf({ id, content, about }: DemoFile): Promise<['small' | 'large' | 'content', Buffer][]> {
  if (content === 'csv') return [['content', Buffer.from([about.title, ...about.lines, ''].join('\r\n'))]]
  if (content === 'pdf') return [['content', paper(about)]]
  const svg = Buffer.from(content === 'face' ? face(id) : logo)
  const drawn = (edge: number) => sharp(svg).resize(edge, edge).webp({ quality: 84, effort: 2 }).toBuffer()
  return [
    ['small', await drawn(128)],
    ['large', await drawn(512)],
  ]
}

const backgrounds = ['#dbe7e4', '#e9dfd3', '#dde3f0', '#efe0e6', '#e3ead5', '#e8e4f2', '#f1e6cf', '#d8e8ef']
const skins = ['#f6d7c3', '#eac0a0', '#d9a47d', '#b97f57', '#8d5a3b', '#5f3b28']
const hairs = ['#2b2320', '#4a3427', '#7a5233', '#b98a4e', '#8c8c8c', '#d9d4cc', '#a2452d']
const clothes = ['#27496d', '#5b3a5e', '#2f5d50', '#7a3b3b', '#3f4a5a', '#8a6d2f', '#1f6f78']

/** A drawn face of circles and curves, all of it drawn from the id. */
function face(id: string): string {
  const draws = createHash('sha256').update(id).digest()
  const pick = (list: readonly string[], at: number) => list[(draws[at] ?? 0) % list.length] ?? ''
  const [skin, hair] = [pick(skins, 1), pick(hairs, 2)]
  const tops = [
    `<path d="M84 118c0-44 28-66 44-66s44 22 44 66c-10-26-26-34-44-34s-34 8-44 34z" fill="${hair}"/>`,
    `<path d="M80 130c-4-56 24-80 48-80s52 24 48 80c-6-30-22-42-48-42s-42 12-48 42z" fill="${hair}"/>`,
    `<path d="M76 190c-8-90 12-142 52-142s60 52 52 142h-16l-4-82c-20 2-48-8-58-24-6 18-6 60-8 106z" fill="${hair}"/>`,
    `<circle cx="128" cy="46" r="18" fill="${hair}"/><path d="M84 116c0-42 24-64 44-64s44 22 44 64c-8-20-24-30-44-30s-36 10-44 30z" fill="${hair}"/>`,
    '',
  ]
  const mouths = ['M112 146q16 14 32 0', 'M114 148q14 8 28 0', 'M112 148h32']
  const glasses =
    (draws[5] ?? 0) % 4 === 0
      ? '<g fill="none" stroke="#333" stroke-width="3"><circle cx="111" cy="116" r="12"/><circle cx="145" cy="116" r="12"/><path d="M123 116h10"/></g>'
      : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256"><rect width="256" height="256" fill="${pick(backgrounds, 0)}"/>
    <path d="M40 256c0-52 38-76 88-76s88 24 88 76z" fill="${pick(clothes, 3)}"/><rect x="112" y="152" width="32" height="40" rx="16" fill="${skin}"/>
    <ellipse cx="128" cy="120" rx="42" ry="50" fill="${skin}"/>${pick(tops, 4)}
    <circle cx="111" cy="116" r="5" fill="#2b2b2b"/><circle cx="145" cy="116" r="5" fill="#2b2b2b"/>${glasses}
    <path d="${pick(mouths, 6)}" fill="none" stroke="#7a3b33" stroke-width="4" stroke-linecap="round"/></svg>`
}

/** A meridian through a circle, for the Meridian society. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256"><circle cx="128" cy="128" r="116" fill="#0f4c5c"/>
  <g fill="none" stroke="#fff" stroke-width="10"><circle cx="128" cy="128" r="84"/><ellipse cx="128" cy="128" rx="36" ry="84"/><path d="M44 128h168M128 44v168"/></g></svg>`

/** One page of text as PDF 1.4, in a font that every reader has. */
function paper({ title, lines }: DemoFile['about']): Buffer {
  const shown = (text: string) =>
    text
      .normalize('NFD')
      .replace(/[^\x20-\x7e]/g, '')
      .replace(/[\\()]/g, '\\$&')
  const drawn = ['BT', '/F1 18 Tf', '72 760 Td', '26 TL', `(${shown(title)}) Tj`, 'T*', '/F1 11 Tf', '18 TL', ...lines.map((line) => `(${shown(line)}) Tj T*`), 'ET'] // prettier-ignore
  const stream = drawn.join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, nth) => {
    const at = text.length
    text += `${nth + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  return Buffer.from(
    `${text}xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  )
}
