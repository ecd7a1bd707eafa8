import { fuzzHalf } from './half.ts'

fuzzHalf(0)
