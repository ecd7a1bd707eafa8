import { LRUCache } from 'lru-cache'
import sharp from 'sharp'
import { readPicture } from '../files/content.ts'
import type { Files } from '../files/files.ts'
import { brandOf } from '../public-pages/brand.ts'
import { colorsOf } from '../public-pages/colors.ts'
import type { Services } from '../services.ts'
import { logoHeight } from './layout.ts'
import type { Logo, MailBrand } from './layout.ts'

/** In CSS pixels, as the height is; the picture has twice as many. */
const mostWidth = 200

/** A mail may be a minute behind a change of colour or logo. */
const known = new LRUCache<string, Promise<MailBrand>>({ max: 200, ttl: 60_000 })

export function mailBrandOf(services: Pick<Services, 'database' | 'files' | 'log'>, { orgId, name }: { orgId: string; name: string }) {
  const found = known.get(orgId)
  if (found) return found
  const made = read(services, orgId, name)
  known.set(orgId, made)
  made.catch(() => known.delete(orgId))
  return made
}

async function read(
  { database, files, log }: Pick<Services, 'database' | 'files' | 'log'>,
  orgId: string,
  name: string,
): Promise<MailBrand> {
  const brand = await database.withoutActor((db) => brandOf(db, undefined, orgId))
  const logo = brand?.logoId
    ? await logoOf(files, orgId, brand.logoId).catch((error: unknown) => {
        // A mail without its logo is better than none.
        log.warn({ err: error, org: orgId }, 'the logo could not be put into a mail')
        return undefined
      })
    : undefined
  return { name: brand?.name ?? name, ...colorsOf(brand?.brandColor ?? null), logo }
}

/** As PNG, since not every mail program knows WebP, and on white, since a dark logo would vanish in a dark mail. */
async function logoOf(files: Files, orgId: string, logoId: string): Promise<Logo | undefined> {
  const stored = await readPicture(files, orgId, logoId, 'large')
  if (!stored) return undefined
  const { data, info } = await sharp(stored)
    .resize({ width: mostWidth * 2, height: logoHeight * 2, fit: 'inside' })
    .flatten({ background: '#ffffff' })
    .png({ compressionLevel: 9, palette: true })
    .toBuffer({ resolveWithObject: true })
  return { cid: `${logoId}@guildhall`, content: data, width: Math.max(1, Math.round(info.width / 2)) }
}
