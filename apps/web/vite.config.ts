import babel from '@rolldown/plugin-babel'
import react from '@vitejs/plugin-react'
import { lingui } from '@lingui/vite-plugin'
import { defineConfig } from 'vite'
import { apiRoutes } from './build/api-routes.ts'
import { codeSplitting } from './build/chunks.ts'
import { compiledMessages, messages } from './build/compiled-messages.ts'
import { compressed } from './build/compressed.ts'

const api = process.env['API_URL'] ?? 'http://localhost:3000'
const toApi = { target: api, changeOrigin: false }

export default defineConfig({
  plugins: [
    // @ts-expect-error its types follow Babel 8, whose options may all be left out; with those of Babel 7 each counts as required
    babel({ presets: [compiledMessages, messages] }),
    react(),
    lingui(),
    apiRoutes(),
    compressed(),
  ],
  build: {
    manifest: true,
    modulePreload: { polyfill: false },
    // Inlined fonts and images would need data: in the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: { codeSplitting },
      input: {
        app: 'index.html',
        signinwin: 'auth/signinwin.html',
        signinpop: 'auth/signinpop.html',
        signoutpop: 'auth/signoutpop.html',
        signinsilent: 'auth/signinsilent.html',
      },
    },
  },
  server: {
    port: 5173,
    proxy: { '/data': toApi, '/actions': toApi, '/config.json': toApi, '/docs': toApi, '/public': toApi, '/webhooks': toApi },
  },
})
