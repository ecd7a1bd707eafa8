import { openAdmin } from '@guildhall/db/admin'

export type Founding = { slug: string; name: string; ownerEmail: string; idpOrg: string | null }

/** Founds an organisation as the database's administrator; returns its id. */
export async function foundOrganisation(adminUrl: string, { slug, name, ownerEmail, idpOrg }: Founding): Promise<string> {
  return openAdmin(adminUrl, async (query) => {
    const [row] = await query<{ id: string }>('select app.found_organisation($1, $2, $3, $4) as id', [slug, name, idpOrg, ownerEmail])
    if (!row) throw new Error('The organisation was not founded.')
    return row.id
  })
}
