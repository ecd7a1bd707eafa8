import { existsSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { command } from './command.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** A Chromium for the journeys: CHROMIUM_PATH, an installed one, Playwright's, or Debian's, installed where we may. */
export async function chromium(env = process.env): Promise<string | undefined> {
  return (await findChromium(env)) ?? ((await install('chromium')) ? findChromium(env) : undefined)
}

export async function findChromium(env = process.env): Promise<string | undefined> {
  if (env['CHROMIUM_PATH']) return existsSync(env['CHROMIUM_PATH']) ? env['CHROMIUM_PATH'] : undefined
  const folders = (env['PATH'] ?? '').split(path.delimiter).concat('/usr/bin', '/Applications/Google Chrome.app/Contents/MacOS')
  const installed = folders
    .flatMap((folder) => [...names, 'Google Chrome'].map((name) => path.join(folder, name)))
    .find((file) => existsSync(file))
  if (installed) return installed
  for await (const file of glob('chromium-*/chrome-linux*/chrome', { cwd: path.join(env['HOME'] ?? homedir(), '.cache/ms-playwright') }))
    return path.join(env['HOME'] ?? homedir(), '.cache/ms-playwright', file)
  return undefined
}

/** Installs a Debian package as root or with a sudo that asks nothing; false where that is not ours to do. */
export async function install(name: string) {
  const isRoot = process.getuid?.() === 0
  const program = isRoot ? 'apt-get' : 'sudo'
  const args = isRoot ? [] : ['-n', 'apt-get']
  if ((await command(program, [...args, '--version'])).code !== 0) return false
  console.log(`Installing ${name} …`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await command(program, [...args, 'update'], { env })
  const { code, output } = await command(program, [...args, 'install', '--yes', '--no-install-recommends', name], { env })
  if (code !== 0) console.log(output.trimEnd().split('\n').slice(-3).join('\n'))
  return code === 0
}
