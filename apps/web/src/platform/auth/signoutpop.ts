import { closeWindow, handToOpener } from './hand-over.ts'

handToOpener(window.opener, location.href)
closeWindow()
