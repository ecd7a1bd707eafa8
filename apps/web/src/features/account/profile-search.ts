import { asFlag, asId, asText, searchParams } from '../../platform/navigation/search-params.ts'

export const ProfileSearch = searchParams({
  ...{ section: asText(40), invitation: asText(60), join: asFlag, paid: asId, unpaid: asId },
  /** Back from paying an instalment of a pledge: its gift, and whether its payer has left the payment page without paying. */
  ...{ given: asId, cancelled: asFlag },
})
export type ProfileSearch = ReturnType<typeof ProfileSearch>
