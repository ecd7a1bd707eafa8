import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { generatedFiles } from './generated.ts'
import { root } from './repository.ts'

for (const [file, content] of await generatedFiles()) {
  const target = path.join(root, file)
  const before = await readFile(target, 'utf8').catch(() => null)
  if (before === content) continue
  await mkdir(path.dirname(target), { recursive: true })
  await writeFile(target, content)
  console.log(`${before === null ? 'new    ' : 'changed'}  ${file}`)
}
