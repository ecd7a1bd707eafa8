import '@fontsource-variable/inter/wght.css'
import '../ui/base.css'
import { callbackKind } from '../platform/auth/callback-paths.ts'
import { boot } from './boot.tsx'
import { allowOwnStylesAndWorkers } from './content-security.ts'

allowOwnStylesAndWorkers()
// The validator, which only some pages load, reads this when it starts: it would otherwise try whether it may make code from
// text, which the page forbids and the console would report.
Reflect.set(globalThis, '__zod_globalConfig', { jitless: true })

// A server or a development server that knows nothing of the small callback pages answers their addresses with this one.
const kind = callbackKind(location.pathname)
if (kind === 'signinwin') void import('../platform/auth/signinwin.ts')
else if (kind === 'signinpop') void import('../platform/auth/signinpop.ts')
else if (kind === 'signoutpop') void import('../platform/auth/signoutpop.ts')
else if (kind === 'signinsilent') void import('../platform/auth/signinsilent.ts')
else void boot(document.getElementById('root'))
