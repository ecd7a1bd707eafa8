import { actions } from '../../platform/procedures/procedures.ts'
import { donorsActions } from './donors/fundraising.donors.actions.ts'
import { giftsActions } from './gifts/fundraising.gifts.actions.ts'
import { pledgesActions } from './pledges/fundraising.pledges.actions.ts'

export const fundraisingActions = actions.fundraising.router({ gifts: giftsActions, donors: donorsActions, pledges: pledgesActions })
