import { t } from '@lingui/core/macro'
import { useApi } from '../../platform/api/api.tsx'
import { usePaletteCommands, usePaletteRecords } from '../../platform/navigation/palette.ts'
import { useCan } from '../../platform/session/session.ts'
import { folded } from '../../ui/filter/folded.ts'

/** Lets the palette find connections by name, and connect another system. */
export function IntegrationsPaletteSource() {
  const [sees, manages] = [useCan('integrations.read'), useCan('integrations.manage')]
  return (
    <>
      {sees && <Connections />}
      {manages && <Connect />}
    </>
  )
}

const offered = 5

function Connections() {
  const { list } = useApi().data.integrations
  usePaletteRecords({
    group: t`Connections`,
    search: async (q, signal) => {
      // The words of all connectors are fetched when somebody first searches, not beside every page.
      const [{ connectorWords }, { connectionStates }, { items }] = await Promise.all([
        import('./words/connector-words.ts'),
        import('./words/state-words.ts'),
        list.call({}, { signal }),
      ])
      const [words, states, sought] = [connectorWords(), connectionStates(), folded(q)]
      return items
        .filter(({ name, connector }) => [name, words[connector].name].some((text) => folded(text).includes(sought)))
        .slice(0, offered)
        .map(({ id, slug, name, connector, state }) => ({
          id: `connection:${id}`,
          label: name,
          hint: `${words[connector].name} · ${states[state].label}`,
          to: `/integrations/${slug}`,
        }))
    },
  })
  return null
}

function Connect() {
  usePaletteCommands([
    {
      id: 'integrations:connect',
      label: t`Connect another system`,
      hint: t`Integrations`,
      to: '/integrations?open=available',
      onlyAsked: true,
    },
  ])
  return null
}
