import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const integrationsSlots: FeatureSlots = {
  personParts: [
    {
      key: 'sources',
      label: msg`Synced values`,
      order: 10,
      may: (_, can) => can('integrations.read'),
      content: lazy(async () => ({ default: (await import('./trace/person-sources.tsx')).PersonSources })),
    },
  ],
  accountTabs: [
    {
      key: 'api',
      label: msg`API keys`,
      order: 70,
      // Keys are kept for the whole organisation: without a place, only who holds the right everywhere does.
      may: (_, can) => can('integrations.manage', {}),
      content: lazy(async () => ({ default: (await import('./keys/keys-tab.tsx')).KeysTab })),
    },
    {
      key: 'webhooks',
      label: msg`Webhooks`,
      order: 75,
      may: (_, can) => can('integrations.manage', {}),
      content: lazy(async () => ({ default: (await import('./webhooks/webhooks-tab.tsx')).WebhooksTab })),
    },
  ],
  paletteSources: [lazy(async () => ({ default: (await import('./integrations-palette.tsx')).IntegrationsPaletteSource }))],
  historyWords: [
    {
      entities: { api_keys: { noun: msg`API key` } },
      fields: {
        perMinute: msg`Requests per minute`,
        permissions: msg`Permissions`,
        prefix: msg`Begins with`,
        revokedAt: msg`Revoked`,
      },
    },
    {
      entities: { webhook_endpoints: { noun: msg`Webhook` } },
      fields: {
        host: msg`Address`,
        eventTypes: msg`Events`,
        secretChangedAt: msg`Secret rotated`,
        pausedAt: msg`Paused`,
      },
      values: {
        'webhook_endpoints.state': {
          active: msg`Active`,
          paused: msg`Paused`,
          failing: msg`Paused after failures`,
          removed: msg`Removed`,
        },
      },
    },
    {
      entities: { connections: { noun: msg`Connection` } },
      fields: {
        everyMinutes: msg`Schedule`,
        freshHours: msg`Freshness promise`,
        settings: msg`Settings`,
        mapping: msg`Mapping`,
        matchBy: msg`Match by`,
        onMissing: msg`Records missing there`,
      },
      values: {
        'connections.state': {
          connecting: msg`Connecting`,
          connected: msg`Connected`,
          degraded: msg`Needs attention`,
          paused: msg`Paused`,
          error: msg`Stopped`,
          disconnected: msg`Disconnected`,
        },
        'connections.on_missing': { leave: msg`Leave them alone`, ask: msg`Ask` },
      },
    },
  ],
}
