import { matrixHalf } from './matrix-half.ts'

matrixHalf(1)
