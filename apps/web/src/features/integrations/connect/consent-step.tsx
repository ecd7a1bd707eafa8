import { Button, Group } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ConnectorKey } from '@guildhall/contract/features/integrations'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import type { ConnectorData } from '@guildhall/contract/features/integrations.connectors'
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useMe } from '../../../platform/session/session.ts'
import { connectorWords, dataWords } from '../words/connector-words.ts'
import classes from './connect.module.css'

/** Which data goes in which direction, before anything is asked or written. */
export function ConsentStep({ connector, onAgree, onCancel }: { connector: ConnectorKey; onAgree: () => void; onCancel: () => void }) {
  const { reads, writes, directions } = connectors[connector]
  const { name, side } = connectorWords()[connector]
  const ours = useMe().data?.organisation.name ?? t`Your organisation`
  return (
    <div className={classes['stack']}>
      <p>
        <Trans>
          Connecting {name} lets data move between {side} and {ours}:
        </Trans>
      </p>
      <div className={classes['directions']}>
        <Direction title={t`Comes in`} icon={<IconArrowLeft size={18} stroke={1.5} aria-hidden />} data={reads} />
        <Direction title={t`Goes out`} icon={<IconArrowRight size={18} stroke={1.5} aria-hidden />} data={writes} />
      </div>
      <ul className={classes['terms']}>
        {directions && (
          <>
            <li>
              <Trans>You choose which fields take part, and in which direction.</Trans>
            </li>
            <li>
              <Trans>Nothing is written before a dry run has shown every change.</Trans>
            </li>
            <li>
              <Trans>What is deleted on the other side is not deleted here.</Trans>
            </li>
          </>
        )}
        <li>
          <Trans>You can pause or disconnect at any time. Data that arrived stays.</Trans>
        </li>
      </ul>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
        <Button data-autofocus onClick={onAgree}>
          <Trans>Agree and continue</Trans>
        </Button>
      </Group>
    </div>
  )
}

function Direction({ title, icon, data }: { title: string; icon: ReactNode; data: readonly ConnectorData[] }) {
  const words = dataWords()
  return (
    <section className={classes['direction']}>
      <h3 className={classes['directionTitle']}>
        {icon} {title}
      </h3>
      {data.length === 0 ? (
        <p className={classes['dim']}>
          <Trans>Nothing</Trans>
        </p>
      ) : (
        <ul className={classes['data']}>
          {data.map((kind) => (
            <li key={kind}>{words[kind]}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
