import { handToParent } from './hand-over.ts'

handToParent(window.parent, location.href)
