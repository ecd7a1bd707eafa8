export { __records__Export } from './__area__.export.queries.ts'
