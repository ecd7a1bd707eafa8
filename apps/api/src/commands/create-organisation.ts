import { parseArgs } from 'node:util'
import { foundOrganisation } from '../features/account/account.founding.queries.ts'
import { readAdminConfig } from '../platform/config.ts'
import type { Command } from './command.ts'

export const createOrganisation: Command = {
  usage: 'SLUG NAME --owner EMAIL [--idp-org ID]',
  summary: 'found an organisation with the standard roles and invite its owner',
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { owner: { type: 'string' }, 'idp-org': { type: 'string' } },
    })
    const [slug, name] = positionals
    if (!slug || !name || !values.owner) throw new Error('Usage: create-organisation SLUG NAME --owner EMAIL [--idp-org ID]')
    const id = await foundOrganisation(readAdminConfig(process.env).adminUrl, {
      slug,
      name,
      ownerEmail: values.owner,
      idpOrg: values['idp-org'] ?? null,
    })
    process.stdout.write(`Founded ${name} (${id}). ${values.owner} becomes its owner by signing in with that verified address.\n`)
    return 0
  },
}
