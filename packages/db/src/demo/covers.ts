import { openAdmin } from '../admin.ts'
import { drawnId } from './random.ts'

/** Pictures of demo events and campaigns: which events have one, by their title, which campaign, by its address, and what it shows. */
export const demoCovers = [
  {
    name: 'harbour',
    titles: ['Harbour tour%', 'Winter dinner%'],
    campaign: 'winter-appeal%',
    alt: 'A survey boat on calm water before low hills at sunset',
  },
  { name: 'hall', titles: ['Annual Conference%', 'General meeting'], campaign: null, alt: 'Rows of seats before a lit stage' },
  {
    name: 'fells',
    titles: ['Field school%', 'Meridian walk', 'Drone photogrammetry%'],
    campaign: 'field-kits',
    alt: 'A tripod on a ridge, with fells behind it',
  },
  { name: 'map', titles: ['Mapathon%', 'Career coffee'], campaign: 'friends', alt: 'A street map with a river and three markers' },
] as const
export type DemoCover = (typeof demoCovers)[number]['name']

type Shown = { orgId: string; id: string; fileId: string; account: string }
type Options = {
  adminUrl: string
  /** Puts the picture where the content of files lies; answers how large it is. */
  keep: (cover: DemoCover, orgId: string, fileId: string) => Promise<number>
}

/** Gives demo events and campaigns their covers, each shared by several events; answers how many events have one. */
export const addDemoCovers = ({ adminUrl, keep }: Options): Promise<number> =>
  openAdmin(adminUrl, async (query) => {
    let shown = 0
    // As the rest of the demo is loaded: nobody did it, so no history tells of it.
    await query('set session_replication_role = replica')
    for (const { name, titles, campaign, alt } of demoCovers) {
      const [first] = await query<Shown>(
        `select e.org_id as "orgId", e.id, ${drawnId("'cover ' || e.id")} as "fileId", a.id as account from app.events e
         join app.accounts a on a.org_id = e.org_id and a.subject = 'events' where e.title like any ($1) order by e.starts_at limit 1`,
        [titles],
      )
      if (!first) continue
      const add = async (type: 'event' | 'campaign', { orgId, id, fileId, account }: Shown) =>
        query(
          `insert into app.files (org_id, id, record_type, record_id, use, name, type, bytes, created_by) values ($1, $2, $3, $4, 'picture', 'Picture.webp', 'image/webp', $5, $6)`,
          [orgId, fileId, type, id, await keep(name, orgId, fileId), account],
        )
      await add('event', first)
      const [appeal] = await query<Shown>(
        `select c.org_id as "orgId", c.id, ${drawnId("'cover ' || c.id")} as "fileId", a.id as account from app.campaigns c
         join app.accounts a on a.org_id = c.org_id and a.subject = 'finance' where c.slug like $1`,
        [campaign],
      )
      if (appeal) {
        await add('campaign', appeal)
        await query('update app.campaigns set cover_file_id = $2, cover_alt = $3 where org_id = $1 and id = $4', [
          ...[appeal.orgId, appeal.fileId, alt, appeal.id],
        ])
      }
      const events = await query(
        'update app.events set cover_file_id = $2, cover_alt = $3 where org_id = $1 and title like any ($4) returning id',
        [first.orgId, first.fileId, alt, titles],
      )
      shown += events.length
    }
    return shown
  })
