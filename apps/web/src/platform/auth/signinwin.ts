import { handToApplication } from './hand-over.ts'

handToApplication(sessionStorage, location.href)
