import path from 'node:path'
import { tree, type Tree } from './repository.ts'

/** Links between pages of the documentation that lead nowhere, headings included. */
export function links({ files, read }: Pick<Tree, 'files' | 'read'> = tree()) {
  const known = new Set(files.flatMap((file) => [file, ...parents(file)]))
  return files
    .filter((file) => file.endsWith('.md') && !file.startsWith('checks/templates/'))
    .flatMap((file) =>
      [...withoutCode(read(file)).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
        if (/^[a-z]+:/.test(link)) return []
        const [page = '', heading] = link.split('#')
        const target = page ? path.posix.join(path.posix.dirname(file), page).replace(/\/$/, '') : file
        if (!known.has(target)) return [`${file}: ${link} leads nowhere`]
        return heading && !headings(read(target)).includes(heading) ? [`${file}: ${link} has no such heading`] : []
      }),
    )
}

const parents = (file: string) => file.split('/').map((_, index, parts) => parts.slice(0, index).join('/'))

const withoutCode = (text: string) => text.replace(/```[^]*?```/g, '').replace(/`[^`\n]*`/g, '')

/** The anchors that GitHub makes of headings. */
const headings = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
