export { campaignsExport, giftsExport } from './fundraising.export.queries.ts'
export { donorsExport, pledgesExport, recurringGiftsExport } from './fundraising.donors.export.queries.ts'
