import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const compress = promisify(brotliCompress)
/** Below this a file fits into one packet anyway. */
const smallest = 1_024

/** Writes each script and style once more as small as it gets, which takes too long to do for every visitor: `x.js.br` beside `x.js`. */
export function compressed(): Plugin {
  return {
    name: 'guildhall-compressed',
    apply: 'build',
    async writeBundle({ dir = '' }, files) {
      await Promise.all(
        Object.values(files).map(async (file) => {
          const content = Buffer.from(file.type === 'chunk' ? file.code : file.source)
          if (!/\.(js|css)$/.test(file.fileName) || content.length < smallest) return
          const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
          await writeFile(join(dir, `${file.fileName}.br`), await compress(content, { params }))
        }),
      )
    },
  }
}
