import { data } from '../../platform/procedures/procedures.ts'
import { campaignsData } from './campaigns/fundraising.campaigns.data.ts'
import { fundsData } from './campaigns/fundraising.funds.data.ts'
import { donorsData } from './donors/fundraising.donors.data.ts'
import { settingsData } from './fundraising.settings.data.ts'
import { giftsData } from './gifts/fundraising.gifts.data.ts'
import { plansData } from './plans/fundraising.plans.data.ts'
import { pledgesData } from './pledges/fundraising.pledges.data.ts'

export const fundraisingData = data.fundraising.router({
  ...campaignsData,
  funds: fundsData,
  settings: settingsData,
  gifts: giftsData,
  donors: donorsData,
  plans: plansData,
  pledges: pledgesData,
})
