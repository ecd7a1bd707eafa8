import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ConnectorCategory, ConnectorKey } from '@guildhall/contract/features/integrations'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import { IconPlug } from '@tabler/icons-react'
import { useHoldsEverywhere } from '../../../platform/session/session.ts'
import { folded } from '../../../ui/filter/folded.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import type { Connection } from '../integrations-api.ts'
import { categories, categoryWords, connectorKeys, connectorWords, isByItself } from '../words/connector-words.ts'
import classes from './catalogue.module.css'

type Props = {
  q: string
  category: ConnectorCategory | undefined
  connections: readonly Connection[]
  onConnect: (connector: ConnectorKey) => void
}

/** What can be connected, by area. A connector of which the organisation has one at most goes once it is connected. */
export function AvailableConnectors({ q, category, connections, onConnect }: Props) {
  const everywhere = useHoldsEverywhere('integrations.manage')
  const [words, areas, sought] = [connectorWords(), categoryWords(), folded(q)]
  const isTaken = (key: ConnectorKey) => connections.some(({ connector, state }) => connector === key && state !== 'disconnected')
  const open = connectorKeys.filter((key) => {
    const { isSingle, category: area } = connectors[key]
    if (isSingle && (!everywhere || isTaken(key))) return false
    const texts = [words[key].name, words[key].purpose, areas[area]]
    return (category === undefined || category === area) && texts.some((text) => folded(text).includes(sought))
  })
  const shelves = categories
    .map((area) => ({ area, keys: open.filter((key) => connectors[key].category === area) }))
    .filter(({ keys }) => keys.length > 0)
  return (
    <section className={classes['available']} aria-labelledby="available-connectors">
      <h2 id="available-connectors" className={classes['shelfTitle']}>
        <Trans>Available</Trans>
      </h2>
      {shelves.length === 0 && (
        <EmptyState level={3} icon={<IconPlug size={32} stroke={1.5} />} title={t`No connector matches`}>
          <Trans>Search for another word, or choose all areas.</Trans>
        </EmptyState>
      )}
      {shelves.map(({ area, keys }) => (
        <div key={area} className={classes['shelf']}>
          <h3 id={`connectors-${area}`} className={classes['areaTitle']}>
            {areas[area]}
          </h3>
          <ul className={classes['tiles']} aria-labelledby={`connectors-${area}`}>
            {keys.map((key) => (
              <li key={key} className={classes['tile']}>
                <div className={classes['tileHead']}>
                  <span className={classes['connectorName']}>{words[key].name}</span>
                  {!isByItself(key) && (
                    <Button variant="default" size="compact-sm" aria-label={t`Connect ${words[key].name}`} onClick={() => onConnect(key)}>
                      <Trans>Connect</Trans>
                    </Button>
                  )}
                </div>
                <p className={classes['note']}>{words[key].purpose}</p>
                {isByItself(key) && (
                  <p className={classes['note']}>
                    <Trans>Connected once the operator of this installation sets it up.</Trans>
                  </p>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
