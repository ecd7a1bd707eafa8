/** `npm run new -- volunteering "shifts and helpers"`: a feature's first files, so that it can grow in small steps. */
import { command } from './command.ts'
import { addFeature } from './add-feature.ts'
import { root } from './repository.ts'

const [name = '', means = ''] = process.argv.slice(2)
try {
  const files = await addFeature(root, name, means)
  await command('prettier', ['--write', ...files])
  await command(process.execPath, ['checks/src/generate.ts'])
  console.log(
    `${files.join('\n')}\n\nNext: the contract in packages/contract/src/features/${name}.ts; docs/developers/add-a-feature.md leads on from there.`,
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error('Usage: npm run new -- <one lower-case word> "<what it means>"')
  process.exitCode = 1
}
