import { closeWindow, handToOpener, openerOf } from './hand-over.ts'

handToOpener(openerOf(window), location.href)
closeWindow()
