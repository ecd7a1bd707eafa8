import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test } from '../testing.ts'

const cli = new URL('../cli.ts', import.meta.url).pathname

function command(environment: Record<string, string>, ...args: string[]): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [cli, 'import', ...args], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.on('close', (code) => resolve({ code, text }))
  })
}

test(
  'the command line checks, imports as the named account, writes what was rejected and says so by its exit code',
  { timeout: 120_000 },
  async ({ api, organisation, person }) => {
    const org = await organisation()
    const email = `secretary-${org.id}@example.org`
    const secretary = await person({ org, idpRoles: ['org-admin'], email })
    const { config } = api.services
    const environment = Object.fromEntries(
      Object.entries({ ...config, PEOPLE_PER_HOUR: 'off' }).map(([name, value]) => [name, String(value)]),
    )
    const folder = await mkdtemp(join(tmpdir(), 'guildhall-cli-'))
    const file = join(folder, 'list.csv')
    const errors = join(folder, 'errors.csv')
    await writeFile(file, 'No.;Wer;Mail\n1;Ann Lee;ann@example.org\n2;Bob Ray;no-mail\n')

    expect((await command(environment, 'people')).code).toBe(2)
    expect(await command(environment, 'people', file, '--as', 'nobody@example.org')).toMatchObject({
      code: 1,
      text: expect.stringContaining('No active account has the address'),
    })
    expect(await command(environment, 'people', file, '--as', email)).toMatchObject({
      code: 1,
      text: expect.stringContaining('Choose a column for givenName'),
    })

    const options = ['--as', email, '--map', 'Wer=fullName', '--errors', errors]
    const dry = await command(environment, 'people', file, ...options, '--dry-run')
    expect([dry.code, dry.text]).toEqual([3, expect.stringContaining('Would be: 1 new, 0 changed, 0 unchanged, 0 skipped, 1 rejected.')])
    const count = async () => ((await api.as(secretary).get('/data/people?q=Ann')).body as { items: unknown[] }).items.length
    expect(await count()).toBe(0)

    const real = await command(environment, 'people', file, ...options, '--yes')
    expect([real.code, real.text]).toEqual([3, expect.stringContaining('Was: 1 new')])
    expect(real.text).toContain('row 3: Mail: This is not an e-mail address.')
    expect(await readFile(errors, 'utf8')).toContain('2,Bob Ray,no-mail,3,')
    expect(await count()).toBe(1)
    await rm(folder, { recursive: true })
  },
)
