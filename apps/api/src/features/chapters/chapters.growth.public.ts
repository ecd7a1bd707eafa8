export { monthsOfMembers, twelveMonths } from './chapters.growth.queries.ts'
