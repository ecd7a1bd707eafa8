import { createReadStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentKey } from '@guildhall/api/platform/files/content'
import { localFiles } from '@guildhall/api/platform/files/files'
import { inspect } from '@guildhall/api/platform/files/inspection'
import type { DemoCover } from '@guildhall/db/demo'
import sharp from 'sharp'

/** Draws the cover of a demo event and keeps it as an upload would be kept; answers how large it is. */
export const keepCover =
  (filesDir: string) =>
  (cover: DemoCover, orgId: string, fileId: string): Promise<number> => {
    const files = localFiles(filesDir)
    return files.scratch(async (folder) => {
      const source = join(folder, 'drawn.png')
      await writeFile(source, await drawn(cover))
      const { made } = await inspect({ source, folder, name: 'drawn.png', use: 'cover' })
      let bytes = 0
      for (const part of made) {
        bytes += (await stat(join(folder, part))).size
        await files.write(contentKey(orgId, fileId, part), createReadStream(join(folder, part)))
      }
      return bytes
    })
  }

function drawn(cover: DemoCover): Promise<Buffer> {
  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720" width="1280" height="720">${drawings[cover]}</svg>`),
  )
    .png()
    .toBuffer()
}

const sky = (top: string, bottom: string) =>
  `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs><rect width="1280" height="720" fill="url(#sky)"/>`
const seats = Array.from({ length: 4 }, (_, row) =>
  Array.from({ length: 9 + row * 2 }, (_, seat) => {
    const width = 70 + row * 8
    const x = 640 + (seat - (8 + row * 2) / 2) * (width + 12) - width / 2
    return `<rect x="${x}" y="${430 + row * 74}" width="${width}" height="64" rx="16" fill="#7a2f43" opacity="${0.55 + row * 0.15}"/>`
  }).join(''),
).join('')

const drawings: Record<DemoCover, string> = {
  harbour: `${sky('#24476f', '#f2b27a')}<circle cx="930" cy="410" r="64" fill="#fbe3b5"/><path d="M0 430 210 350 400 420 640 330 900 430 1090 370 1280 430V470H0Z" fill="#3b4f6b"/><rect y="462" width="1280" height="258" fill="#2d5878"/>
    <path d="M840 480h180l-30 22h-120zM800 540h260l-40 18h-180z" fill="#f6cf9b" opacity=".5"/><path d="M300 520h330l-44 66H352z" fill="#f4f1ea"/><path d="M400 520v-70h120l24 70zM448 450v-90" fill="#d9503f" stroke="#f4f1ea" stroke-width="8"/>`,
  hall: `<rect width="1280" height="720" fill="#261b2c"/><path d="M340 0 180 400h920L940 0z" fill="#f3d9a0" opacity=".28"/><path d="M180 130h920v270H180z" fill="#fbf3df"/><path d="M240 190h300M240 240h420M240 290h360" stroke="#c2a878" stroke-width="16"/>
    <circle cx="900" cy="250" r="78" fill="none" stroke="#8a5a44" stroke-width="14"/><path d="M900 172v156M822 250h156" stroke="#8a5a44" stroke-width="8"/>${seats}`,
  fells: `${sky('#8fb8d8', '#e9f0ea')}<path d="M0 420 260 190 470 380 700 150 1010 400 1280 230V720H0Z" fill="#7d9a8c"/><path d="M0 540 330 360 640 520 960 400 1280 540V720H0Z" fill="#55786a"/><path d="M0 660 420 560 800 640 1280 580V720H0Z" fill="#355447"/>
    <path d="M620 610 690 420 760 610M690 420v200" fill="none" stroke="#2b2620" stroke-width="12"/><rect x="646" y="356" width="88" height="64" rx="12" fill="#e2a32f"/><circle cx="690" cy="388" r="18" fill="#2b2620"/>`,
  map: `<rect width="1280" height="720" fill="#eee9dc"/><path d="M0 160h1280M0 360h1280M0 560h1280M200 0v720M470 0v720M760 0v720M1060 0v720" stroke="#fff" stroke-width="26"/><path d="M0 700 1280 60" stroke="#fff" stroke-width="34"/>
    <path d="M-20 260C240 200 360 470 640 430S1010 220 1300 330" fill="none" stroke="#86b9d6" stroke-width="74"/><path d="M500 40h220v90H500zM800 410h220v110H800z" fill="#b9d3a5"/>
    ${[
      ['330', '240', '#d9503f'],
      ['690', '300', '#3d6fb4'],
      ['980', '200', '#e2a32f'],
    ]
      .map(([x, y, fill]) => `<path transform="translate(${x} ${y})" d="M0 0C-46-58-46-118 0-118S46-58 0 0Z" fill="${fill}"/>`)
      .join('')}`,
}
