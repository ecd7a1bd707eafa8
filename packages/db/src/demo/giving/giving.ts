import type pg from 'pg'
import type { World } from '../world.ts'
import { addCampaigns, setGoals } from './campaigns.ts'
import { planDonors } from './donors.ts'
import { planGifts, writeGifts } from './gifts.ts'
import { addGiftPayments, addPayouts, addStatements } from './money.ts'
import { planPlans, writePlans } from './plans.ts'
import { planPledges, writePledges } from './pledges.ts'

/**
 * Three years of fundraising: campaigns and funds, gifts with their payments, recurring gifts, pledges, thanks, and what chapters have of it. Triggers are
 * off, so what everything comes to is written from the same rows. Receipts of gifts are only planned here: their numbers are among all others.
 */
export async function addGiving(client: pg.Client, world: World): Promise<number> {
  let rows = await addCampaigns(client, world)
  await planDonors(client, world)
  await planGifts(client, world)
  await planPlans(client, world)
  await planPledges(client, world)
  rows += await writePlans(client, world)
  rows += await writeGifts(client, world)
  rows += await writePledges(client, world)
  rows += await addGiftPayments(client, world)
  rows += await addPayouts(client, world)
  rows += await addStatements(client, world)
  await client.query('select app.refresh_giving($1)', [world.orgId])
  await setGoals(client, world)
  return rows
}
